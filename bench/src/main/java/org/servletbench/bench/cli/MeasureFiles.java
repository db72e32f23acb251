package org.servletbench.bench.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.servletbench.bench.campaign.CellMerge;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredFigures;

/** Measured figures for programs. Names contain the units. */
final class MeasureFiles {
    private MeasureFiles() {}

    /** Writes everything as JSON; unknown values are null. */
    static void json(List<Measured> logs, PrintWriter out) throws IOException {
        Json.MAPPER
                .writer()
                .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .writeValue(
                        out, Map.of("logs", logs.stream().map(MeasureFiles::log).toList()));
        out.println();
    }

    /** Writes the figures as CSV (RFC 4180, but with plain line feeds): one line per load. */
    static void csv(List<Measured> logs, PrintWriter out) throws IOException {
        CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out);
        List<String> titles = new ArrayList<>(
                List.of("file", "cell", "workload", "tier_users", "offered_per_s", "from_epoch_ms", "to_epoch_ms"));
        MeasuredFigures.ALL.forEach(f -> titles.add(f.key()));
        MeasuredFigures.SERVER.forEach(f -> titles.add(f.key()));
        titles.add("failed_checks");
        csv.writeRecord(titles);
        for (Measured measured : logs) {
            for (WindowResult cell : measured.log().cells()) {
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
                        .filter(Mark::failed)
                        .map(Mark::check)
                        .collect(Collectors.joining(" ")));
                csv.writeRecord(fields.stream()
                        .map(field -> Text.cell(Main.oneLine(field)))
                        .toList());
            }
        }
        csv.flush();
    }

    /** An object under construction. */
    private static final class Fields extends LinkedHashMap<String, Object> {
        Fields with(String key, Object value) {
            put(key, value instanceof Double number ? MeasuredFigures.known(number) : value);
            return this;
        }
    }

    private static Fields log(Measured measured) {
        LogMeasurement log = measured.log();
        return new Fields()
                .with("file", measured.name())
                .with("tool", log.source().tool())
                .with("description", log.source().description())
                .with("records", log.records())
                .with("slice_ms", log.sliceMs())
                .with("first_epoch_ms", log.firstMs())
                .with("checks", checks(log.checks()))
                .with("cells", log.cells().stream().map(MeasureFiles::cell).toList());
    }

    private static Fields cell(WindowResult cell) {
        Fields fields = new Fields()
                .with("name", cell.name())
                .with("workload", cell.load().workload())
                .with(
                        "tier_users",
                        cell.load().tier() > 0 ? (Object) cell.load().tier() : null)
                .with(
                        "offered_per_s",
                        cell.load().rate() > 0 ? (double) cell.load().rate() : Double.NaN)
                .with("sound", cell.sound())
                .with(
                        "window",
                        new Fields()
                                .with("from_epoch_ms", cell.window().fromMs())
                                .with("to_epoch_ms", cell.window().toMs())
                                .with("cut_by", cell.window().cut().name().toLowerCase(Locale.ROOT))
                                .with("target", cell.window().target()))
                .with("steady", summary(cell.steady()))
                .with("whole", summary(cell.whole()));
        if (cell.use().isPresent()) {
            Fields server = new Fields();
            MeasuredFigures.SERVER.forEach(
                    figure -> server.with(figure.key(), figure.of().applyAsDouble(cell)));
            fields.put("server", server);
        }
        return fields.with(
                        "steady_histogram_ms",
                        CellMerge.encoded(cell.histogram().orElseThrow()))
                .with("checks", checks(cell.checks()))
                .with("slices", cell.slices().stream().map(MeasureFiles::slice).toList());
    }

    private static Fields summary(Summary summary) {
        Fields fields = new Fields()
                .with("from_epoch_ms", summary.fromMs())
                .with("to_epoch_ms", summary.toMs())
                .with("failed_by_kind", summary.errorKinds())
                .with("min_ms", summary.latency().min());
        MeasuredFigures.ALL.forEach(
                figure -> fields.with(figure.key(), figure.ofLoad().applyAsDouble(summary)));
        return fields;
    }

    private static Fields slice(Slice slice) {
        return new Fields()
                .with("from_epoch_ms", slice.fromMs())
                .with("started", slice.started())
                .with("requests", slice.count())
                .with("failed", slice.errors())
                .with("users", slice.users())
                .with("received_bytes", (double) slice.bytes())
                .with("mean_ms", slice.latency().mean())
                .with("p50_ms", slice.latency().p50())
                .with("p99_ms", slice.latency().p99())
                .with("max_ms", slice.latency().max());
    }

    private static List<Fields> checks(List<Mark> checks) {
        return checks.stream()
                .map(check -> new Fields()
                        .with("name", check.check())
                        .with("outcome", check.outcome().name().toLowerCase(Locale.ROOT))
                        .with("figures", check.figures()))
                .toList();
    }
}
