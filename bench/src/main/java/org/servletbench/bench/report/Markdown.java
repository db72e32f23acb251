package org.servletbench.bench.report;

import java.util.stream.Collectors;

/** Text of anybody in Markdown, of which GitHub's kind takes HTML as well. */
final class Markdown {

    /** What means something to Markdown, HTML, or a table in it. */
    private static final String MEANS_SOMETHING = "\\`*_{}[]<>#|~!&\"'$";

    private Markdown() {}

    /**
     * The text as it is, in one line: no markup, no tag, no cell's end. As character references, which Markdown takes for no markup. An @
     * is followed by a blank of no width, because GitHub looks for names after that.
     */
    static String text(String text) {
        return Html.plain(text)
                .codePoints()
                .mapToObj(c -> c == '@'
                        ? "@&#8203;"
                        : MEANS_SOMETHING.indexOf(c) >= 0 ? "&#" + c + ";" : Character.toString(c))
                .collect(Collectors.joining());
    }
}
