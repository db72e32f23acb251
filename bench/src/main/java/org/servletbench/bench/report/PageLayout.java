package org.servletbench.bench.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A page around its content. Its policy lets the browser load nothing, and run no script but our own. If unescaped text
 * from the data ever slipped through, the browser would not execute it.
 */
public record PageLayout(String title, String description, StringBuilder body, List<PageLayout.Section> sections) {
    private static final String SCRIPT = Html.resource("report.js");

    /** A part of the page to which the navigation links. */
    record Section(String id, String title, boolean folded, StringBuilder html) {}

    /** Creates a page without content. */
    public PageLayout(String title) {
        this(title, "");
    }

    /** @param description text that a search engine or a chat shows below the title; empty for none */
    PageLayout(String title, String description) {
        this(title, description, new StringBuilder(), new ArrayList<>());
    }

    /** Starts a section, to which callers append content. */
    public StringBuilder section(String id, String heading) {
        return add(new Section(id, heading, false, new StringBuilder()));
    }

    /** Starts a section that is folded until the reader opens it. */
    StringBuilder folded(String id, String heading) {
        return add(new Section(id, heading, true, new StringBuilder()));
    }

    private StringBuilder add(Section section) {
        sections.add(section);
        return section.html();
    }

    public String html() {
        return Template.html("shell", this);
    }

    static String script() {
        return SCRIPT;
    }

    /** Returns the hash by which the page's policy permits the script. */
    static String scriptHash() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(SCRIPT.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
