package org.servletbench.bench.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

public final class Text {

    /** Maximum length of a third-party text in a message, characters. */
    private static final int SHOWN = 80;

    /** Characters that control a terminal or the direction of writing, including line breaks. */
    private static final String STEERING = "\\p{Cntrl}\\u0080-\\u009f\\u2028-\\u202e\\u2066-\\u2069";

    private static final Pattern STEERS = Pattern.compile("[" + STEERING + "]+");
    private static final Pattern STEERS_LINE = Pattern.compile("[" + STEERING + "&&[^\n\t]]");

    /** Beginning or part of a line that a workflow runner would interpret as a command. */
    private static final Pattern COMMAND = Pattern.compile("(?m)^([\\p{IsWhite_Space}&&[^\n]]*:)(?=:)|(##)(?=\\w*\\[)");

    private Text() {}

    /** Returns a number as people write it: 2 instead of 2.0. */
    public static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /**
     * Returns the text in one line, without characters that control a terminal or the direction of writing; empty for
     * null.
     */
    public static String plain(String text) {
        return text == null ? "" : STEERS.matcher(text).replaceAll(" ");
    }

    /**
     * Returns the text without characters that control a terminal or the direction of writing, except line breaks and
     * tabs.
     */
    public static String plainLines(String text) {
        return STEERS_LINE.matcher(text).replaceAll(" ");
    }

    /** Returns the text with each command for a workflow runner broken by a blank. */
    public static String withoutCommands(String text) {
        return COMMAND.matcher(text).replaceAll("$1$2 ");
    }

    /** Formats like {@link String#format(String, Object...)}, but writes numbers alike in all locales. */
    public static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Returns the beginning of a third-party text for a message, in one line without control characters. */
    public static String shown(String text) {
        return begin(String.valueOf(text), SHOWN);
    }

    /** Returns up to this many characters of the text, in one line. */
    public static String begin(String text, int most) {
        String plain =
                text.replaceAll("[\\s\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+", " ").strip();
        return plain.length() > most ? plain.substring(0, most) + "…" : plain;
    }

    /**
     * Returns a text as the cell of a table that a spreadsheet must not interpret. A text that looks like a formula
     * gets a leading quote.
     */
    public static String cell(String text) {
        boolean formula = text.matches("(?s)[=+@\\t\\r-].*") && !text.matches("[+-]?[0-9.,eE+-]*");
        return formula ? "'" + text : text;
    }

    /** Returns a word as a POSIX shell needs it, in quotes if necessary. */
    public static String quoted(String word) {
        return word.matches("[\\w.,:/@%+=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Splits a line into words. They are separated by blanks, and may be {@link #quoted}. */
    public static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quotes = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\'') {
                quotes = !quotes;
            } else if (c == '\\' && !quotes && i + 1 < line.length()) {
                i++;
                word.append(line.charAt(i));
            } else if (c == ' ' && !quotes) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        words.add(word.toString());
        return words.stream().filter(one -> !one.isEmpty()).toList();
    }

    /** Returns "A", "A and B", "A, B and C". */
    public static String list(List<String> items) {
        return list(items, "and");
    }

    /** Returns "A", "A or B", "A, B or C" for the word "or". */
    public static String list(List<String> items, String word) {
        int last = items.size() - 1;
        return last <= 0
                ? String.join("", items)
                : String.join(", ", items.subList(0, last)) + " " + word + " " + items.get(last);
    }
}
