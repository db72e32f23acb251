package org.servletbench.bench.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredFigures;

/** The figures as CSV (RFC 4180, but with plain line feeds): a line per cell. */
final class MeasureCsv {
    private MeasureCsv() {}

    static void write(List<Measured> logs, PrintWriter out) {
        List<String> titles = new ArrayList<>(
                List.of("file", "cell", "workload", "tier_users", "offered_per_s", "from_epoch_ms", "to_epoch_ms"));
        MeasuredFigures.ALL.forEach(f -> titles.add(f.key()));
        MeasuredFigures.SERVER.forEach(f -> titles.add(f.key()));
        titles.add("failed_checks");
        line(titles, out);
        for (Measured measured : logs) {
            for (CellMeasurement cell : measured.log().cells()) {
                List<String> fields = new ArrayList<>();
                fields.add(measured.file().toString());
                fields.add(cell.name().text());
                fields.add(cell.name().workload());
                fields.add(
                        cell.name().tier().isPresent() ? "" + cell.name().tier().getAsInt() : "");
                fields.add(
                        cell.name().rate().isPresent() ? "" + cell.name().rate().getAsDouble() : "");
                fields.add(Long.toString(cell.steady().fromMs()));
                fields.add(Long.toString(cell.steady().toMs()));
                MeasuredFigures.ALL.forEach(f -> fields.add(f.exact(cell)));
                MeasuredFigures.SERVER.forEach(f -> fields.add(f.exact(cell)));
                fields.add(cell.checks().stream()
                        .filter(Check::failed)
                        .map(Check::name)
                        .collect(Collectors.joining(" ")));
                line(fields, out);
            }
        }
    }

    private static void line(List<String> fields, PrintWriter out) {
        out.print(fields.stream().map(MeasureCsv::quoted).collect(Collectors.joining(",", "", "\n")));
    }

    private static String quoted(String field) {
        boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }
}
