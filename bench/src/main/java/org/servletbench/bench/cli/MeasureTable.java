package org.servletbench.bench.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredFigures;
import org.servletbench.bench.report.run.RunFacts;
import org.servletbench.bench.report.run.RunWarnings;

/** The figures as a table for people. */
final class MeasureTable {
    private static final int LONGEST_NAME = 48;
    private static final int MOST_KINDS = 5;

    private MeasureTable() {}

    static void write(List<Measured> logs, boolean audit, PrintWriter out) {
        String gap = "";
        for (Measured measured : logs) {
            LogMeasurement log = measured.log();
            out.print(gap);
            Optional<RunFacts> run = RunFacts.beside(measured);
            RunWarnings warnings = RunFacts.warnings(measured);
            warnings.all().forEach(warning -> out.println(Main.oneLine(warning.line())));
            if (warnings.warned() > 0) {
                out.println(warnings.summary());
            }
            out.println(Main.oneLine(measured.name()));
            out.println(Main.oneLine(RunFacts.source(measured, run)));
            if (log.sliceMs() > 1000) {
                out.println("a long log: its windows are cut in steps of " + log.sliceMs() / 1000 + " s");
            }
            rows(measured, MeasuredFigures.ALL).forEach(out::println);
            if (log.loads().stream().anyMatch(load -> load.use().isPresent())) {
                out.println("what the server used in the same windows:");
                rows(measured, MeasuredFigures.SERVER).forEach(out::println);
            }
            if (!measured.firstTries().isEmpty()) {
                out.println("measured again, because the JIT compiler was busy the first time, which does not count:");
                rows(measured, measured.firstTries(), MeasuredFigures.FIRST).forEach(out::println);
            }
            checks("the log", log.checks(), audit, out);
            for (WindowResult load : measured.loads()) {
                checks(load.name(), load.checks(), audit, out);
                failures(load, out);
            }
            gap = System.lineSeparator();
        }
    }

    /** Prints the most important figures at the end of a run, in the order in which the loads ran. */
    static void brief(Measured measured, PrintWriter out) {
        out.println(Main.oneLine(RunFacts.source(measured, RunFacts.beside(measured))));
        rows(measured, MeasuredFigures.FIRST).forEach(out::println);
        RunWarnings warnings = RunFacts.warnings(measured);
        if (warnings.warned() > 0) {
            out.println(warnings.summary());
        }
        measured.loads().forEach(load -> failures(load, out));
    }

    /** Prints the figures of the loads that two logs have in common, and the ratio of the second to the first. */
    static void sideBySide(Measured before, Measured after, PrintWriter out) {
        out.println();
        if (!before.log().source().tool().equals(after.log().source().tool())) {
            out.println("not compared: the generators differ, and so does what they measure");
            return;
        }
        List<List<String>> table = new ArrayList<>();
        table.add(List.of("", "load", "figure", "before", "after", "after / before"));
        RunWarnings warningsBefore = RunFacts.warnings(before);
        RunWarnings warningsAfter = RunFacts.warnings(after);
        for (WindowResult first : before.loads()) {
            after.loads().stream()
                    .filter(load -> load.name().equals(first.name()))
                    .forEach(second -> {
                        String warning =
                                warningsBefore.hasWarning(first) || warningsAfter.hasWarning(second) ? "!" : " ";
                        for (MeasuredFigures.Figure figure :
                                MeasuredFigures.known(MeasuredFigures.COMPARED, List.of(first, second))) {
                            table.add(List.of(
                                    warning,
                                    name(first),
                                    figure.title(),
                                    figure.shown(first),
                                    figure.shown(second),
                                    figure.ratio(first, second)));
                        }
                    });
        }
        out.println(Main.oneLine("side by side: before = " + before.name() + ", after = " + after.name()));
        if (table.size() == 1) {
            out.println("no load has the same name in both");
        } else {
            aligned(table, 3).forEach(out::println);
        }
        out.println(
                "Single runs give no verdict: even runs of one server differ. Use the command compare to judge a difference.");
    }

    private static void failures(WindowResult load, PrintWriter out) {
        Map<String, Long> kinds = load.steady().errorKinds();
        kinds.entrySet().stream()
                .limit(MOST_KINDS)
                .forEach(kind -> out.println("  x  "
                        + Main.oneLine(WindowResult.shown(load.name()) + ": failed " + kind.getValue() + " x "
                                + kind.getKey())));
        if (kinds.size() > MOST_KINDS) {
            out.println("  x  " + Main.oneLine(WindowResult.shown(load.name())) + ": and " + (kinds.size() - MOST_KINDS)
                    + " more kinds of failure (--json has them)");
        }
    }

    private static List<String> rows(Measured measured, List<MeasuredFigures.Figure> all) {
        return rows(measured, measured.loads(), all);
    }

    private static List<String> rows(Measured measured, List<WindowResult> loads, List<MeasuredFigures.Figure> all) {
        RunWarnings warnings = RunFacts.warnings(measured);
        List<MeasuredFigures.Figure> figures = MeasuredFigures.known(all, loads);
        List<List<String>> table = new ArrayList<>();
        List<String> titles = new ArrayList<>(List.of("", "load"));
        figures.forEach(f -> titles.add(f.title()));
        table.add(titles);
        for (WindowResult load : loads) {
            List<String> row = new ArrayList<>(List.of(warnings.hasWarning(load) ? "!" : " ", name(load)));
            figures.forEach(f -> row.add(f.shown(load)));
            table.add(row);
        }
        return aligned(table, 2);
    }

    private static String name(WindowResult load) {
        String name = Main.oneLine(WindowResult.shown(load.name()));
        return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME - 1) + "…" : name;
    }

    /**
     * @param table the first row has the titles
     * @param left number of left-aligned columns: a warning sign and names
     */
    private static List<String> aligned(List<List<String>> table, int left) {
        StringBuilder format = new StringBuilder();
        for (int column = 0; column < table.get(0).size(); column++) {
            int at = column;
            int width =
                    table.stream().mapToInt(row -> row.get(at).length()).max().orElse(1);
            format.append(at == 0 ? "" : at == 1 ? " " : "  ")
                    .append(at < left ? "%-" : "%")
                    .append(Math.max(1, width))
                    .append('s');
        }
        return table.stream()
                .map(row -> String.format(format.toString(), row.toArray()).stripTrailing())
                .toList();
    }

    /** True if figures include the ramps because it is unknown when all users were active. */
    private static boolean isUncut(Warning check) {
        return check.kind() == WarningKind.STEADY_WINDOW && check.outcome() == Warning.Outcome.NOT_JUDGED;
    }

    private static void checks(String of, List<Warning> checks, boolean all, PrintWriter out) {
        for (Warning check : checks) {
            if (all || check.failed() || isUncut(check)) {
                String warning =
                        switch (check.outcome()) {
                            case PASSED -> "  ok ";
                            case FAILED -> "  !  ";
                            case NOT_JUDGED -> "  -  ";
                        };
                out.println(
                        warning + Main.oneLine(WindowResult.shown(of) + ": " + check.check() + ": " + check.figures()));
            }
        }
    }
}
