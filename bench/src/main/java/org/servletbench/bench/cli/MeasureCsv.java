package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredFigures;

/** The figures as CSV (RFC 4180, but with plain line feeds): a line per cell. */
final class MeasureCsv {
    private MeasureCsv() {}

    static void write(List<Measured> logs, PrintWriter out) throws IOException {
        CSVPrinter csv = new CSVPrinter(
                out, CSVFormat.RFC4180.builder().setRecordSeparator('\n').get());
        List<String> titles = new ArrayList<>(
                List.of("file", "cell", "workload", "tier_users", "offered_per_s", "from_epoch_ms", "to_epoch_ms"));
        MeasuredFigures.ALL.forEach(f -> titles.add(f.key()));
        MeasuredFigures.SERVER.forEach(f -> titles.add(f.key()));
        titles.add("failed_checks");
        csv.printRecord(titles);
        for (Measured measured : logs) {
            for (CellMeasurement cell : measured.log().cells()) {
                List<String> fields = new ArrayList<>();
                fields.add(measured.name());
                fields.add(cell.name());
                fields.add(cell.load().workload());
                fields.add(cell.load().tier() > 0 ? "" + cell.load().tier() : "");
                fields.add(cell.load().rate() > 0 ? "" + cell.load().rate() : "");
                fields.add(Long.toString(cell.steady().fromMs()));
                fields.add(Long.toString(cell.steady().toMs()));
                MeasuredFigures.ALL.forEach(f -> fields.add(f.exact(cell)));
                MeasuredFigures.SERVER.forEach(f -> fields.add(f.exact(cell)));
                fields.add(cell.checks().stream()
                        .filter(Check::failed)
                        .map(Check::name)
                        .collect(Collectors.joining(" ")));
                csv.printRecord(fields);
            }
        }
    }
}
