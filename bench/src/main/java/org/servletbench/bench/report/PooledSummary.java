package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Several pooled campaigns in Markdown, like {@link MarkdownSummary} for one. */
final class PooledSummary {

    private PooledSummary() {}

    static String of(PooledCampaigns several) {
        List<String> words = several.words();
        int open = Math.min(SeveralCampaigns.MOST_WORDS, words.size());
        List<String> lines =
                new ArrayList<>(List.of(MarkdownSummary.begin("pooled"), "### " + Markdown.text(several.answer()), ""));
        add(lines, several.leftOut());
        add(lines, words.subList(0, open));
        add(lines, List.of("Measured: " + several.measured()));
        if (open < words.size()) {
            lines.addAll(List.of("", "<details><summary>All ratios</summary>", ""));
            add(lines, words.subList(open, Math.min(words.size(), open + MarkdownSummary.MOST_FOLDED)));
            lines.addAll(List.of("", "</details>"));
        }
        lines.addAll(List.of("", "<details><summary>Campaigns, and what the figures mean</summary>", ""));
        add(lines, several.listed());
        add(lines, several.notes());
        lines.addAll(List.of("", "</details>", ""));
        return String.join("\n", lines);
    }

    private static void add(List<String> lines, List<String> sentences) {
        sentences.forEach(sentence -> lines.add("- " + Markdown.text(sentence) + "."));
    }
}
