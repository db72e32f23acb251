package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.report.Html;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredPage;
import org.servletbench.bench.report.run.RunFacts;
import org.servletbench.bench.report.run.RunWarning;
import org.servletbench.bench.report.run.SloReport;

/**
 * The figures that every run prints at its end, with any generator.
 *
 * @param text text for the console
 * @param jvm the server's JVM; empty if unknown
 * @param warnings reasons not to trust the figures, one line each
 * @param measured the measured log; empty if it cannot be read
 */
public record RunFigures(String text, String jvm, List<RunWarning> warnings, Optional<Measured> measured) {

    /** The run's main page, next to its log. */
    public static final String PAGE = "measured.html";

    private static final String TEXT = "measured.txt";
    /** Our line on Gatling's page (its description), and on JMeter's dashboard (its title). */
    private static final Pattern LINE = Pattern.compile(
            "(title=\"Description\" data-content=\".*?<span>|<a class=\"navbar-brand\" href=\"index.html\">)([^<]*)",
            Pattern.DOTALL);

    /** End of Spring Boot's version in Gatling's description: {@code run.description} in the simulations' pom.xml. */
    private static final String BEFORE_SETTINGS = "), settings ";

    /**
     * Measures a run's log and saves the figures next to it, as {@code measured.txt} and as a page, {@value #PAGE}.
     *
     * @param log the raw log, in the run's folder with its {@code server.json}
     * @return the figures; if the log cannot be read, their text is one line that says why
     * @throws UncheckedIOException if nothing can be written next to the log
     */
    public static RunFigures keep(Path log) {
        try {
            Measured measured;
            try {
                measured = new Measured(log, RawLog.of(log).measure());
            } catch (IOException e) {
                String reason = log + ": " + Main.reason(e) + System.lineSeparator();
                Json.replace(log.resolveSibling(TEXT), reason);
                return new RunFigures(reason, "", List.of(), Optional.empty());
            }
            StringWriter all = new StringWriter();
            MeasureTable.write(List.of(measured), false, new PrintWriter(all));
            Json.replace(log.resolveSibling(TEXT), all.toString());
            Json.replace(log.resolveSibling(PAGE), new MeasuredPage(List.of(measured), Optional.empty()).html());
            StringWriter brief = new StringWriter();
            MeasureTable.brief(measured, new PrintWriter(brief));
            Optional<RunFacts> facts = RunFacts.beside(measured);
            return new RunFigures(
                    brief.toString(),
                    facts.map(RunFacts::jvm).orElse(""),
                    RunFacts.warnings(measured).all(),
                    Optional.of(measured));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Checks each load against an objective, writes a JUnit file next to the log, and adds the outcome to the page.
     *
     * @param say receives lines for people
     * @return true if the run fails: a load misses the objective, or none is known to meet it
     * @throws UncheckedIOException if nothing can be written next to the log
     */
    public boolean misses(Slo slo, Consumer<String> say) {
        if (measured.isEmpty()) {
            return true;
        }
        try {
            SloReport report = SloReport.of(measured.get(), slo);
            report.write();
            Json.replace(
                    report.log().resolveSibling(PAGE),
                    new MeasuredPage(List.of(measured.get()), Optional.of(slo)).html());
            Path text = report.log().resolveSibling(TEXT);
            Json.replace(text, Files.readString(text) + String.join("\n", report.lines()) + "\n");
            report.lines().forEach(say);
            return SloReport.fail(List.of(report));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds the server's JDK and the warnings to our line on the generator's own page, because readers may open only
     * that page.
     *
     * @param index Gatling's or JMeter's {@code index.html}; nothing happens if it does not exist
     * @throws UncheckedIOException if it cannot be changed
     */
    public void completeLine(Path index) {
        if (!Files.isRegularFile(index)) {
            return;
        }
        try {
            Json.replace(
                    index,
                    LINE.matcher(Files.readString(index))
                            .replaceFirst(line -> Matcher.quoteReplacement(line.group(1) + completed(line.group(2)))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String completed(String line) {
        return (warnings.isEmpty() ? "" : "WARNINGS, see " + PAGE + ": ")
                + (jvm.isEmpty() ? line : line.replace(BEFORE_SETTINGS, "), " + Html.escape(jvm) + ", settings "));
    }
}
