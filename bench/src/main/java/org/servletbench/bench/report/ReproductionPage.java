package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleAudit;
import org.servletbench.bench.article.Finding;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.ClaimsFile;
import org.servletbench.bench.reproduce.Outcome;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Tried;

/**
 * The page of an article's experiment, run again: its claims and what became of them; its figures, ours as published and ours
 * with intervals, side by side; the audit of both; what differs, and exactly what was run. Beside it {@code claims.json} and
 * every table as CSV and JSON. The same inputs give the same bytes.
 */
public final class ReproductionPage {
    /** The page's name. */
    public static final String INDEX = "index.html";

    private final Reproduction reproduction;
    private final Article article;
    private final List<Tried> tried;
    private final Map<String, String> files = new TreeMap<>();

    /** A page of what was read. */
    public ReproductionPage(Reproduction reproduction) {
        this.reproduction = reproduction;
        article = reproduction.article();
        tried = reproduction.tried();
    }

    /**
     * Everything, not yet written.
     *
     * @return content by file name, relative to the reproduction's folder
     */
    public Map<String, String> files() {
        files.clear();
        files.put(INDEX, page());
        files.put(ClaimsFile.NAME, ClaimsFile.of(reproduction, tried).json());
        return new TreeMap<>(files);
    }

    /**
     * Writes the page and its tables.
     *
     * @param to the reproduction's folder
     * @return the page
     * @throws IOException if it cannot be written
     */
    public Path write(Path to) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            ReportPage.write(to.resolve(file.getKey()), file.getValue());
        }
        return to.resolve(INDEX);
    }

    private String page() {
        Shell shell = new Shell(article.title());
        header(shell.body());
        new ReproducedClaims(reproduction, tried, this::put).write(shell.section("claims", "Claims"));
        new ReproducedFigures(reproduction, tried, this::put).write(shell.section("figures", "Figures side by side"));
        ReproducedRuns runs = new ReproducedRuns(reproduction, tried);
        runs.threads(shell.section("threads", "Threads"));
        audit(shell);
        differences(shell);
        runs.commands(shell.section("commands", "Exactly what was run"));
        runs.raw(shell.section("raw", "Raw files"));
        return shell.html();
    }

    private void header(StringBuilder html) {
        html.append("<header>\n<p class='kicker'>servlet-bench: a published comparison, run again</p>\n");
        html.append(text("<h1>%s</h1>\n", escape(article.title())));
        html.append(text(
                "<p class='note'>Published: %s. Run here: %s; blocks as it should be: %s.</p>\n",
                escape(article.published()),
                escape(reproduction.header().created()),
                escape(Words.list(tried.stream()
                        .map(one -> one.judgement()
                                        .map(judged -> Integer.toString(judged.blocks()))
                                        .orElse("none") + " with " + one.settings())
                        .toList()))));
        tried.forEach(one ->
                html.append(text("<p class='tally'>With %s: %s</p>\n", escape(one.words()), tally(one.verdicts()))));
        if (reproduction.scale().isTrial()) {
            html.append(text(
                    "<p class='guard void' role='alert'>A trial at scale %s: cold servers, windows of seconds, two blocks. It"
                            + " shows that everything runs; its figures and verdicts say nothing.</p>\n",
                    Double.toString(reproduction.header().scale())));
        } else if (reproduction.scale().isReduced()) {
            html.append(text(
                    "<p class='guard untested'>Scaled: counts, times and blocks are %s of the article's.</p>\n",
                    Double.toString(reproduction.header().scale())));
        }
        for (Tried one : tried) {
            one.judgement()
                    .filter(judged -> !reproduction.scale().isTrial())
                    .ifPresent(judged -> html.append(text(
                            "<p class='guard %s'>With settings %s: %s.</p>\n",
                            switch (judged.family().guard()) {
                                case BROKEN -> "void' role='alert";
                                case HELD -> "held";
                                default -> "untested";
                            },
                            escape(one.settings()),
                            escape(judged.wording().guard()))));
        }
        html.append("</header>\n");
        if (!reproduction.header().troubles().isEmpty()) {
            html.append("<aside class='caveats' aria-label='Failures'><ul>");
            html.append(Html.items(reproduction.header().troubles())).append("</ul></aside>\n");
        }
    }

    /** How many claims came out how. */
    static String tally(List<ClaimVerdict> verdicts) {
        List<String> parts = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            long number = verdicts.stream()
                    .filter(verdict -> verdict.outcome() == outcome)
                    .count();
            if (number > 0) {
                parts.add(text("<span class='%s'>%d %s</span>", style(outcome), number, outcome.words()));
            }
        }
        return text("Of %s: ", Words.count(verdicts.size(), "claim")) + Words.list(parts) + ".";
    }

    /** A class of the page's style. */
    static String style(Outcome outcome) {
        return switch (outcome) {
            case CONFIRMED -> "better";
            case NOT_REPRODUCED_HERE -> "worse";
            case UNDECIDABLE_HERE -> "open";
        };
    }

    private void audit(Shell shell) {
        StringBuilder html = shell.section("audit", "The audit of the figures");
        html.append("<p class='note'>Computed from the figures alone, by the arithmetic that audits our own.</p>\n");
        html.append("<h3>The article's</h3>\n").append(findings(ArticleAudit.of(article)));
        html.append("<h3>Ours, as published</h3>\n").append(findings(reproduction.ownAudit()));
        html.append("<h3>What readers found in the article</h3>\n<ul>\n");
        html.append(Html.items(article.audit().stream().map(Article.Note::says).toList()))
                .append("</ul>\n");
    }

    private static String findings(List<Finding> findings) {
        if (findings.isEmpty()) {
            return "<p>Nothing was found.</p>\n";
        }
        StringBuilder html = new StringBuilder("<ul>\n");
        findings.forEach(finding -> html.append(text(
                "<li><b>%s</b>: %s</li>\n", escape(finding.kind().key().replace('-', ' ')), escape(finding.text()))));
        return html.append("</ul>\n").toString();
    }

    private void differences(Shell shell) {
        StringBuilder html = shell.section("differs", "What differs");
        Table table = new Table(
                "differences",
                "Article and here",
                List.of(Column.words("what", ""), Column.words("article", "Article"), Column.words("here", "Here")));
        reproduction
                .differences()
                .forEach(one -> table.row(
                        List.of(Value.words(one.what()), Value.words(one.theirs()), Value.words(one.here()))));
        put(table);
        html.append("<dl class='differs'>");
        reproduction
                .differences()
                .forEach(one -> html.append(text(
                        "<dt>%s</dt><dd>%s <small>here</small> %s</dd>\n",
                        escape(one.what()), escape(one.theirs()), escape(one.here()))));
        html.append("</dl>\n<ul>\n");
        html.append(Html.items(article.reproduce().differs())).append("</ul>\n");
    }

    private String put(Table table) {
        files.put("tables/" + table.file() + ".csv", table.csv());
        files.put("tables/" + table.file() + ".json", table.json());
        return table.html();
    }
}
