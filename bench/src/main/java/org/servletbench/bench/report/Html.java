package org.servletbench.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Text;

/** What all pages share: the one function through which data becomes HTML, and the style. */
public final class Html {
    private Html() {}

    /**
     * The text as content or attribute of HTML or SVG. Control characters, which HTML cannot hold, and those that turn
     * the direction of writing, become blanks.
     *
     * @param text anything; null counts as empty
     */
    public static String escape(String text) {
        return plain(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** The text in one line, without characters that steer a terminal or the direction of writing; null is empty. */
    public static String plain(String text) {
        return Text.plain(text);
    }

    /** Files beside this class, one after the other: style sheets, scripts. */
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
