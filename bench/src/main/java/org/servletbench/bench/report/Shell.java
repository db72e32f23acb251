package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A page around its content. Its policy lets the browser load nothing at all, and run no script but our own: should a text
 * of the data ever slip through unescaped, it stays dead.
 */
final class Shell {
    private static final String SCRIPT = Html.resource("report.js");

    /** A part of the page that the navigation leads to. */
    private record Section(String id, String title, StringBuilder html) {}

    private final String title;
    private final StringBuilder body = new StringBuilder();
    private final List<Section> sections = new ArrayList<>();

    Shell(String title) {
        this.title = title;
    }

    /** What stands before the sections. */
    StringBuilder body() {
        return body;
    }

    /** Begins a section, to which is appended. */
    StringBuilder section(String id, String heading) {
        Section section = new Section(id, heading, new StringBuilder());
        sections.add(section);
        return section.html();
    }

    String html() {
        StringBuilder html = new StringBuilder("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\n");
        html.append("<meta name='viewport' content='width=device-width, initial-scale=1'>\n");
        html.append(text(
                "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline';"
                        + " script-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'\">\n",
                sha256(SCRIPT)));
        html.append("<link rel='icon' href='data:,'>\n");
        html.append(text("<title>%s</title>\n<style>\n", escape(title)));
        html.append(Html.resource("base.css", "report.css"));
        html.append("</style></head>\n<body class='report'><a class='skip' href='#main'>To the content</a>\n");
        html.append("<main id='main'>\n").append(body);
        if (sections.size() > 1) {
            html.append("<nav aria-label='On this page'>");
            sections.forEach(
                    section -> html.append(text("<a href='#%s'>%s</a> ", section.id(), escape(section.title()))));
            html.append("</nav>\n");
        }
        for (Section section : sections) {
            html.append(text(
                            "<section id='%s' aria-labelledby='%s-h'><h2 id='%s-h'>%s</h2>\n",
                            section.id(), section.id(), section.id(), escape(section.title())))
                    .append(section.html())
                    .append("</section>\n");
        }
        return html.append("</main>\n<script>")
                .append(SCRIPT)
                .append("</script></body></html>\n")
                .toString();
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
