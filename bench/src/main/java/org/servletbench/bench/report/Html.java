package org.servletbench.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Text;

/** Basics of all pages: the only function that turns data into HTML, and the style. */
public final class Html {
    private Html() {}

    /**
     * Escapes a text for content or attributes of HTML or SVG. Control characters, which HTML cannot contain, and
     * characters that change the writing direction become blanks.
     *
     * @param text any text; null counts as empty
     */
    public static String escape(String text) {
        return plain(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /**
     * Returns the text in one line, without characters that control a terminal or the writing direction; empty for
     * null.
     */
    public static String plain(String text) {
        return Text.plain(text);
    }

    /** Returns the joined content of files in this class's package, such as style sheets and scripts. */
    public static String resource(String... names) {
        return Arrays.stream(names).map(Html::read).collect(Collectors.joining());
    }

    private static String read(String name) {
        try (InputStream in = Html.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
