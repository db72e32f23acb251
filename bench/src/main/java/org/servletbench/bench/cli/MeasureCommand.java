package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.load.LogFile;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredPage;
import org.servletbench.bench.report.run.SloReport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Measures raw logs and prints the figures. */
@Command(
        name = "measure",
        description =
                "Measures raw logs: Gatling's simulation.log (of the version here), JMeter's results as CSV with a header"
                        + " line. docs/single-runs.md shows how to convert logs of k6 and Locust, and JMeter's XML.",
        footer = {
            "",
            "Figures are those of the steady window (ramps cut away), failed requests included. Percentiles are exact"
                    + " below 2048 ms, within 0.1 %% above. A failed check of the audit marks its load with '!'.",
            "Exit codes: 0 success; 2 invalid usage, or a file that is missing, damaged or not a log (the others are still"
                    + " measured; so is a truncated log, with a warning); 1 a log without requests, an objective that is missed,"
                    + " or cannot be checked for any load, or any other failure."
        })
final class MeasureCommand extends BenchCommand implements Callable<Integer> {
    /** Output formats, at most one; a table by default. */
    static final class Format {
        @Option(names = "--json", required = true, description = "write JSON, with histograms and series")
        boolean json;

        @Option(names = "--csv", required = true, description = "write CSV, one line per load")
        boolean csv;
    }

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "raw logs, packed by gzip or not; '-' is standard input")
    private List<Path> files;

    @ArgGroup(exclusive = true)
    private Format format = new Format();

    @Option(names = "--audit", description = "print all checks, not only those that failed")
    private boolean audit;

    @Option(
            names = "--plot",
            paramLabel = "FILE.html",
            description = "write a self-contained page with the latency-by-percentile curves and the series")
    private Path plot;

    @Option(
            names = "--merge",
            description =
                    "the files are logs of one load that several hosts applied: measure them as one. Users of different"
                            + " files are different users; a window begins when the last host's users have started.")
    private boolean merge;

    @Option(
            names = "--offsets",
            paramLabel = "MS",
            split = ",",
            description =
                    "with --merge: ms to add to the times of each file, so that all use one clock;" + " default: 0")
    private List<Long> offsets = List.of();

    @Option(
            names = "--slo",
            paramLabel = "LIMITS",
            description = "objective for the steady window of each load, such as 'p95<200ms,errors<1%%'; a JUnit file,"
                    + " FILE.slo.xml, is written beside each log")
    private String slo;

    @Override
    public Integer call() throws IOException {
        Optional<Slo> objective = Optional.ofNullable(slo).map(text -> Slo.parse("--slo", text));
        if (!offsets.isEmpty() && !(merge && offsets.size() == files.size())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--offsets needs --merge and one number for each of the " + files.size() + " files");
        }
        if (audit && (format.json || format.csv)) {
            throw new ParameterException(
                    spec.commandLine(), "--audit is for the table: --json has all checks, --csv those that failed");
        }
        PrintWriter out = console();
        PrintWriter err = errors();
        requireWritable();
        requireInputOnce();
        if (objective.isPresent()) {
            for (RawLog log : logs()) {
                requireReplaceable("--slo", SloReport.file(log.parts().get(0).file()), "<?xml");
            }
        }
        List<Measured> measured = new ArrayList<>();
        int code = 0;
        for (RawLog log : logs()) {
            Path file = log.parts().get(0).file();
            try {
                LogMeasurement one = log.measure();
                if (one.loads().isEmpty()) {
                    code = Exit.FAILED.code();
                    err.println(Main.oneLine(log + ": no requests" + failures(one)));
                } else {
                    measured.add(new Measured(file, log.toString(), one));
                }
            } catch (IOException e) {
                boolean badInput = e instanceof UnreadableLogException || e instanceof NoSuchFileException;
                code = badInput && code != Exit.FAILED.code() ? Exit.USAGE.code() : Exit.FAILED.code();
                String reason = Main.reason(e);
                boolean named = log.parts().size() > 1 || reason.contains(file.toString());
                err.println(named ? reason : Main.oneLine(file + ": ") + reason);
            }
        }
        if (format.json) {
            MeasureFiles.json(measured, out);
        } else if (format.csv) {
            MeasureFiles.csv(measured, out);
        } else {
            MeasureTable.write(measured, audit, out);
            if (files.size() == 2 && measured.size() == 2) {
                MeasureTable.sideBySide(measured.get(0), measured.get(1), out);
            }
        }
        if (plot != null && !measured.isEmpty()) {
            String page = new MeasuredPage(measured, objective).html();
            if (Files.exists(plot) && !Files.isRegularFile(plot)) {
                // Written to standard output.
                Files.writeString(plot, page);
            } else {
                Json.replace(plot, page);
            }
        }
        return objective.isPresent() && code == 0 && isMissed(measured, objective.get()) ? Exit.FAILED.code() : code;
    }

    /**
     * Prints whether each log meets the objective, for people, so it stays out of output for programs. True if one
     * misses it.
     */
    private boolean isMissed(List<Measured> measured, Slo objective) throws IOException {
        List<SloReport> reports =
                measured.stream().map(log -> SloReport.of(log, objective)).toList();
        for (SloReport report : reports) {
            report.write();
            report.lines().forEach(format.json || format.csv ? errors()::println : console()::println);
        }
        return SloReport.fail(reports);
    }

    private static String failures(LogMeasurement log) {
        return log.checks().stream()
                .filter(Warning::failed)
                .map(check -> "; " + check.check() + ": " + check.figures())
                .collect(Collectors.joining());
    }

    private void requireInputOnce() {
        long inputs = files.stream().filter(LogFile.INPUT::equals).count();
        if (inputs > 0 && slo != null) {
            throw new ParameterException(
                    spec.commandLine(), "--slo writes a file beside each log: name a file instead of '-'");
        }
        if (inputs > 1) {
            throw new ParameterException(spec.commandLine(), "'-' is standard input, which can only be read once");
        }
    }

    /** Checks that the plot can be written, before minutes of measuring instead of after them. */
    private void requireWritable() throws IOException {
        if (plot == null) {
            return;
        }
        Path parent = plot.toAbsolutePath().getParent();
        if (Files.isDirectory(plot) || parent == null || !Files.isDirectory(parent)) {
            throw new ParameterException(spec.commandLine(), "--plot " + plot + ": name a file in an existing folder");
        }
        requireReplaceable("--plot", plot, "<!DOCTYPE html>");
    }

    private List<RawLog> logs() {
        if (!merge) {
            return files.stream().map(RawLog::of).toList();
        }
        return List.of(new RawLog(IntStream.range(0, files.size())
                .mapToObj(i -> new RawLog.Part(files.get(i), offsets.isEmpty() ? 0 : offsets.get(i)))
                .toList()));
    }
}
