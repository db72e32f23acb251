package org.servletbench.bench.report;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Escapes untrusted text for Markdown; GitHub's variant also accepts HTML. */
final class Markdown {

    /**
     * Characters with a meaning in Markdown, HTML, or a Markdown table. Quotes have one only in tags and in links,
     * which other characters open.
     */
    private static final String MEANS_SOMETHING = "\\`*_{}[]<>#|~!&$";

    private static final String NO_WIDTH = "&#8203;";

    /** Positions at which text becomes a link without any markup: after the colon of a scheme, and in www. */
    private static final Pattern LINKED = Pattern.compile("(?<=:)(?=//)|(?i)(?<=www)(?=[.])|(?<=mailto:|xmpp:)");

    private Markdown() {}

    /**
     * Returns the text literally, in one line: no markup, no tag, no end of a cell. Special characters become character
     * references, which Markdown does not treat as markup. A zero-width space follows each @, after which GitHub looks
     * for names, and each colon or dot by which it recognises an address.
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
