package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Several pooled campaigns in Markdown, like {@link MarkdownSummary} for one. */
final class PooledSummary {

    private PooledSummary() {}

    static String of(PooledCampaigns several) {
        List<String> lines =
                new ArrayList<>(List.of(MarkdownSummary.begin("pooled"), "### " + Markdown.text(several.answer()), ""));
        add(lines, several.leftOut());
        add(lines, List.of("Measured: " + several.measured()));
        lines.add("");
        List<String> table = several.table();
        lines.addAll(table.subList(0, Math.min(2 + MarkdownSummary.MOST_FOLDED, table.size())));
        lines.addAll(List.of("", "<details><summary>Campaigns, and what the figures mean</summary>", ""));
        add(lines, several.listed());
        add(lines, several.notes());
        add(lines, several.explained());
        add(lines, List.of("The page has the other metrics, and Q and p of each ratio"));
        lines.addAll(List.of("", "</details>", ""));
        return String.join("\n", lines);
    }

    private static void add(List<String> lines, List<String> sentences) {
        sentences.forEach(sentence -> lines.add("- " + Markdown.text(sentence) + "."));
    }
}
