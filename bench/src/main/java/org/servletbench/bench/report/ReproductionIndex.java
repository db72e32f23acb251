package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.Reproduction;

/** One page over all articles that were run again: every claim in one table, and the way to each article's page. */
public final class ReproductionIndex {
    /** The page's name. */
    public static final String INDEX = "index.html";

    private final List<Reproduction> reproductions;

    /** @param reproductions one for each article, in order; each lies in a folder with its header's id beside the page */
    public ReproductionIndex(List<Reproduction> reproductions) {
        this.reproductions = List.copyOf(reproductions);
    }

    /** Everything by file name, not yet written. */
    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Map<Treatment, List<ClaimVerdict>> all = new EnumMap<>(Treatment.class);
        Table table = new Table(
                "claims",
                "Every claim",
                List.of(
                        Column.words("claim", "Claim"),
                        Column.words("article", "Article"),
                        Column.words("settings", "Settings"),
                        Column.words("verdict", "Here"),
                        Column.words("reason", "Because")));
        StringBuilder list = new StringBuilder();
        for (Reproduction reproduction : reproductions) {
            String page = escape(reproduction.header().id()) + "/" + ReproductionPage.INDEX;
            list.append(text(
                    "<section class='answer'><h2><a href='%s'>%s</a></h2>%s%s</section>\n",
                    page,
                    escape(reproduction.article().title()),
                    reproduction.header().treatments().stream()
                            .map(one -> text(
                                    "<p>With %s: %s</p>",
                                    escape(one.words()), ReproductionPage.tally(reproduction.verdicts(one))))
                            .collect(Collectors.joining()),
                    reproduction.scale().isTrial()
                            ? text(
                                    "<p><b>A trial at scale %s: its verdicts say nothing.</b></p>",
                                    Double.toString(reproduction.header().scale()))
                            : ""));
            for (Treatment treatment : reproduction.header().treatments()) {
                List<ClaimVerdict> verdicts = reproduction.verdicts(treatment);
                all.computeIfAbsent(treatment, one -> new ArrayList<>()).addAll(verdicts);
                for (ClaimVerdict verdict : verdicts) {
                    table.row(List.of(
                            Value.words(verdict.claim().says()),
                            new Value(
                                    text(
                                            "<a href='%s'>%s</a>",
                                            page, escape(reproduction.article().id())),
                                    reproduction.article().id(),
                                    null),
                            Value.words(treatment.words()),
                            new Value(
                                    text(
                                            "<span class='%s'>%s</span>",
                                            ReproductionPage.style(verdict.outcome()),
                                            escape(verdict.outcome().words())),
                                    verdict.outcome().words(),
                                    null),
                            Value.words(verdict.reason())));
                }
            }
        }
        files.put("tables/claims.csv", table.csv());
        files.put("tables/claims.json", table.json());
        Shell shell = new Shell("Published comparisons, run again");
        shell.body()
                .append("<header>\n<p class='kicker'>servlet-bench</p>\n<h1>Published comparisons, run again</h1>\n")
                .append(all.entrySet().stream()
                        .map(one -> text(
                                "<p class='tally'>With %s: %s</p>\n",
                                escape(one.getKey().words()), ReproductionPage.tally(one.getValue())))
                        .collect(Collectors.joining()))
                .append("</header>\n")
                .append("<div class='answers'>\n")
                .append(list)
                .append("</div>\n");
        shell.section("claims", "Every claim").append(table.html());
        files.put(INDEX, shell.html());
        return files;
    }

    /**
     * Writes the page and its table.
     *
     * @param to the folder in which the reproductions lie
     * @throws IOException if it cannot be written
     */
    public Path write(Path to) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            ReportPage.write(to.resolve(file.getKey()), file.getValue());
        }
        return to.resolve(INDEX);
    }
}
