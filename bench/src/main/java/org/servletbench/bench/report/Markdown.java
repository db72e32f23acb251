package org.servletbench.bench.report;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Text of anybody in Markdown, of which GitHub's kind takes HTML as well. */
final class Markdown {

    /** What means something to Markdown, HTML, or a table in it. */
    private static final String MEANS_SOMETHING = "\\`*_{}[]<>#|~!&\"'$";

    private static final String NO_WIDTH = "&#8203;";

    /** Where a text would begin to be a link without markup: behind the colon of a scheme, and in www. */
    private static final Pattern LINKED = Pattern.compile("(?<=:)(?=//)|(?i)(?<=www)(?=[.])|(?<=mailto:|xmpp:)");

    private Markdown() {}

    /**
     * The text as it is, in one line: no markup, no tag, no cell's end. As character references, which Markdown takes for no markup. An @
     * is followed by a blank of no width, because GitHub looks for names after that; so is the colon or dot by which it knows an address.
     */
    static String text(String text) {
        return LINKED.splitAsStream(Html.plain(text)).map(Markdown::marked).collect(Collectors.joining(NO_WIDTH));
    }

    private static String marked(String text) {
        return text.codePoints()
                .mapToObj(c -> c == '@'
                        ? "@" + NO_WIDTH
                        : MEANS_SOMETHING.indexOf(c) >= 0 ? "&#" + c + ";" : Character.toString(c))
                .collect(Collectors.joining());
    }
}
