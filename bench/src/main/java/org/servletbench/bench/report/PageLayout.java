package org.servletbench.bench.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A page around its content. Its policy lets the browser load nothing at all, and run no script but our own: if unescaped
 * text from the data ever slipped through, it would not be executed.
 */
public record PageLayout(String title, String description, StringBuilder body, List<PageLayout.Section> sections) {
    private static final String SCRIPT = Html.resource("report.js");

    /** A part of the page that the navigation links to. */
    record Section(String id, String title, boolean folded, StringBuilder html) {}

    /** Creates a page without content. */
    public PageLayout(String title) {
        this(title, "");
    }

    /** @param description what a search engine or a chat shows below the title; empty: nothing */
    PageLayout(String title, String description) {
        this(title, description, new StringBuilder(), new ArrayList<>());
    }

    /** Starts a section, to which callers append. */
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

    /** Returns the hash by which the page's policy allows the script. */
    static String scriptHash() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(SCRIPT.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
