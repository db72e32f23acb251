package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;
import static org.servletbench.bench.report.Html.escape;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.Reproduction;

/**
 * One page over all articles that were run again: every claim in one table, and the way to each article's page.
 *
 * @param reproductions one for each article, in order; each lies in a folder with its header's id beside the page
 */
public record ReproductionIndex(List<Reproduction> reproductions) {
    public static final String INDEX = "index.html";

    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Shell shell = new Shell("Published comparisons, run again");
        shell.body().append(Template.html("reproductions", this));
        shell.section("claims", "Every claim").append(claims().put(files).html());
        files.put(INDEX, shell.html());
        return files;
    }

    Map<Treatment, List<ClaimVerdict>> verdicts() {
        Map<Treatment, List<ClaimVerdict>> all = new EnumMap<>(Treatment.class);
        reproductions.forEach(one -> one.header().treatments().forEach(treatment -> all.computeIfAbsent(
                        treatment, first -> new ArrayList<>())
                .addAll(one.verdicts(treatment))));
        return all;
    }

    static String page(Reproduction reproduction) {
        return reproduction.header().id() + "/" + ReproductionPage.INDEX;
    }

    private Table claims() {
        Table table = new Table(
                "claims",
                "Every claim",
                List.of(
                        Column.words("claim", "Claim"),
                        Column.words("article", "Article"),
                        Column.words("settings", "Settings"),
                        Column.words("verdict", "Here"),
                        Column.words("reason", "Because")));
        for (Reproduction one : reproductions) {
            String id = one.article().id();
            String link = text("<a href='%s'>%s</a>", escape(page(one)), escape(id));
            for (Treatment treatment : one.header().treatments()) {
                for (ClaimVerdict verdict : one.verdicts(treatment)) {
                    table.row(List.of(
                            Value.words(verdict.claim().says()),
                            new Value(link, id, null),
                            Value.words(treatment.words()),
                            Value.styled(
                                    ReproductionPage.style(verdict.outcome()),
                                    verdict.outcome().words(),
                                    "",
                                    verdict.outcome().words()),
                            Value.words(verdict.reason())));
                }
            }
        }
        return table;
    }

    /** Writes the page and its table into the folder in which the reproductions lie. */
    public Path write(Path to) throws IOException {
        return ReportPage.write(files(), to).resolve(INDEX);
    }
}
