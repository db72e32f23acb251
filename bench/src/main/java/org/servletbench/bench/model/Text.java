package org.servletbench.bench.model;

import java.util.List;
import java.util.Locale;

public final class Text {

    private Text() {}

    /** {@link String#format(String, Object...)} that writes numbers the same in every locale. */
    public static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A word as a POSIX shell takes it: in quotes where it needs them. */
    public static String quoted(String word) {
        return word.matches("[\\w.,:/@%+=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** "A", "A and B", "A, B and C". */
    public static String list(List<String> items) {
        int last = items.size() - 1;
        return last <= 0
                ? String.join("", items)
                : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }
}
