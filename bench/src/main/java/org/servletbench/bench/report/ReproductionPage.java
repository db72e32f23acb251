package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Invocation.ThreadTimeline;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.reproduce.ClaimOutcome;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.ClaimsFile;
import org.servletbench.bench.reproduce.Leg;
import org.servletbench.bench.reproduce.Observed;
import org.servletbench.bench.reproduce.PublishedRun;
import org.servletbench.bench.reproduce.PublishedServer;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Tried;

/**
 * The page of an article's experiment, run again. Beside it {@code claims.json} and every table as CSV and JSON. The same inputs
 * give the same bytes.
 */
public record ReproductionPage(Reproduction reproduction, List<Tried> tried) {
    public static final String INDEX = "index.html";

    /** A page of what was read. */
    public ReproductionPage(Reproduction reproduction) {
        this(reproduction, reproduction.tried());
    }

    Article article() {
        return reproduction.article();
    }

    /**
     * Everything, not yet written.
     *
     * @return content by file name, relative to the reproduction's folder
     */
    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Shell shell = new Shell(article().title());
        shell.body().append(Template.html("reproduction", this));
        shell.section("claims", "Claims")
                .append(Template.html("claims", new ReproducedClaims(reproduction, tried, files)));
        shell.section("figures", "Figures side by side")
                .append(Template.html(
                        "sidebyside",
                        new ReproducedFigures(article(), reproduction.asPublished(), tried).tables(files)));
        shell.section("threads", "Threads").append(threads());
        shell.section("audit", "The audit of the figures").append(Template.html("articleaudit", reproduction));
        shell.section("differs", "What differs").append(Template.html("whatdiffers", reproduction));
        differences().put(files);
        shell.section("commands", "Exactly what was run").append(Template.html("commands", this));
        shell.section("raw", "Raw files").append(Template.html("rawfiles", reproduction));
        files.put(INDEX, shell.html());
        files.put(ClaimsFile.NAME, ClaimsFile.of(reproduction, tried).json());
        return files;
    }

    /** Writes the page and its tables. */
    public Path write(Path to) throws IOException {
        return ReportPage.write(files(), to).resolve(INDEX);
    }

    /** What came out of each campaign that has begun. */
    Map<Leg, Judgement> judgements() {
        Map<Leg, Judgement> all = new LinkedHashMap<>();
        for (Tried one : tried) {
            one.starts().ifPresent(judged -> all.put(new Leg(one.treatment(), true), judged));
            one.judgement().ifPresent(judged -> all.put(new Leg(one.treatment(), false), judged));
        }
        return all;
    }

    /** For people: blocks of each campaign. */
    String blocks() {
        List<String> parts = judgements().entrySet().stream()
                .map(one -> one.getValue().blocks() + " " + one.getKey().option())
                .toList();
        return parts.isEmpty() ? "none" : Text.list(parts);
    }

    /** How many claims came out how, as HTML. */
    static String tally(List<ClaimVerdict> verdicts) {
        List<String> parts = Arrays.stream(ClaimOutcome.values())
                .map(outcome -> Map.entry(
                        outcome,
                        verdicts.stream()
                                .filter(verdict -> verdict.outcome() == outcome)
                                .count()))
                .filter(one -> one.getValue() > 0)
                .map(one -> text(
                        "<span class='%s'>%d %s</span>",
                        style(one.getKey()), one.getValue(), one.getKey().words()))
                .toList();
        return text("Of %s: ", Words.count(verdicts.size(), "claim")) + Text.list(parts) + ".";
    }

    /** A class of the page's style. */
    static String style(ClaimOutcome outcome) {
        return switch (outcome) {
            case CONFIRMED -> "better";
            case NOT_REPRODUCED_HERE -> "worse";
            case UNDECIDABLE_HERE -> "open";
        };
    }

    private String threads() {
        Map<String, ThreadTimeline> servers = new LinkedHashMap<>();
        reproduction.servers().forEach(server -> servers.put(server.arm() + ", as published", server.threads()));
        for (Tried one : tried) {
            one.judgement().ifPresent(judged -> judged.campaign().arms().stream()
                    .filter(arm -> arm.role() != Arm.Role.CONTROL)
                    .forEach(arm -> judged.servers(arm).values().stream()
                            .filter(invocation -> invocation.threads() != null)
                            .findFirst()
                            .ifPresent(invocation -> servers.put(
                                    Observed.name(arm) + ", as it should be ("
                                            + one.treatment().option() + "), block " + invocation.block(),
                                    invocation.threads()))));
        }
        return Curves.threads(servers)
                .map(drawn ->
                        "<p class='note'>Of each server over its life; the shaded span is load. Virtual threads are not among"
                                + " them.</p>\n" + drawn)
                .orElse("<p>No server's threads were seen.</p>\n");
    }

    /** Command lines of a server's loads, each once. */
    List<String> commands(PublishedServer server) {
        return server.runs().stream()
                .filter(run -> run.trouble().isEmpty())
                .map(run -> String.join(" ", run.command()))
                .distinct()
                .toList();
    }

    List<String> notes(PublishedServer server) {
        return server.runs().stream()
                .map(PublishedRun::notes)
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private Table differences() {
        Table table = new Table(
                "differences",
                "Article and here",
                List.of(Column.words("what", ""), Column.words("article", "Article"), Column.words("here", "Here")));
        reproduction
                .differences()
                .forEach(one -> table.row(Stream.of(one.what(), one.theirs(), one.here())
                        .map(Value::words)
                        .toList()));
        return table;
    }
}
