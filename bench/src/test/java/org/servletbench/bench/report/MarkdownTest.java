package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTest {

    /**
     * GitHub turns addresses into links even without markup, so the text must contain nothing that GitHub recognises.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example/x",
                "HTTPS://evil.example",
                "ftp://evil.example",
                "www.evil.example",
                "WWW.evil.example",
                "a wwww.evil.example",
                "me@evil.example",
                "mailto:me@evil.example",
                "xmpp:me@evil.example/x"
            })
    void anAddressIsTextAndNoLink(String address) {
        String text = Markdown.text("see " + address);
        String shown = text.replace("&#8203;", "\u200b");
        assertThat(shown)
                .doesNotContainPattern("(?i)://|www[.]|mailto:[^\u200b]|xmpp:[^\u200b]")
                .doesNotContainPattern("@[^\u200b]");
        assertThat(shown.replace("\u200b", "")).isEqualTo("see " + address);
    }

    @Test
    void otherTextStaysAsItIs() {
        String text = "p99: 12 ms, a/b, 1:2, servlet-bench's \"usual\" load";
        assertThat(Markdown.text(text)).isEqualTo(text);
    }
}
