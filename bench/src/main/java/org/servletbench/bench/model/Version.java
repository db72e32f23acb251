package org.servletbench.bench.model;

import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * A version of a library: letters, digits, dots and hyphens. Whatever its source, it can safely be part of a path, an
 * argument or a POM.
 */
public record Version(String text) implements Serializable {

    private static final int LONGEST = 64;
    private static final Pattern FORM = Pattern.compile("[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*+");

    /** @throws UsageException if the text is not a version */
    public Version {
        if (!isOne(text)) {
            throw new UsageException(
                    "'" + Text.shown(text) + "' is not a version: letters, digits, . and - only, at most " + LONGEST);
        }
    }

    /** True if a text is a version. */
    public static boolean isOne(String text) {
        return text != null && text.length() <= LONGEST && FORM.matcher(text).matches();
    }

    /** Returns the number before the first dot; 0 if it does not begin with a number. */
    public int major() {
        String first = text.split("[.-]", 2)[0];
        return first.matches("\\d{1,4}") ? Integer.parseInt(first) : 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
