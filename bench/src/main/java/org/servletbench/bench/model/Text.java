package org.servletbench.bench.model;

import java.util.Locale;

/** Texts for people. */
public final class Text {

    private Text() {}

    /** {@link String#format(String, Object...)} that writes numbers the same in every locale. */
    public static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
