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
import org.servletbench.bench.campaign.LoadMerge;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredFigures;

/** Writes measured figures for programs. Names of fields contain the units. */
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
                List.of("file", "load", "workload", "planned_users", "offered_per_s", "from_epoch_ms", "to_epoch_ms"));
        MeasuredFigures.ALL.forEach(f -> titles.add(f.key()));
        MeasuredFigures.SERVER.forEach(f -> titles.add(f.key()));
        titles.add("failed_checks");
        csv.writeRecord(titles);
        for (Measured measured : logs) {
            for (WindowResult load : measured.log().loads()) {
                List<String> fields = new ArrayList<>();
                fields.add(measured.name());
                fields.add(load.name());
                fields.add(load.load().workload());
                fields.add(load.load().users() > 0 ? "" + load.load().users() : "");
                fields.add(load.load().rate() > 0 ? "" + load.load().rate() : "");
                fields.add(Long.toString(load.steady().fromMs()));
                fields.add(Long.toString(load.steady().toMs()));
                MeasuredFigures.ALL.forEach(f -> fields.add(f.exact(load)));
                MeasuredFigures.SERVER.forEach(f -> fields.add(f.exact(load)));
                fields.add(load.checks().stream()
                        .filter(Warning::failed)
                        .map(Warning::check)
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
                .with("loads", log.loads().stream().map(MeasureFiles::load).toList());
    }

    private static Fields load(WindowResult load) {
        Fields fields = new Fields()
                .with("name", load.name())
                .with("workload", load.load().workload())
                .with(
                        "planned_users",
                        load.load().users() > 0 ? (Object) load.load().users() : null)
                .with(
                        "offered_per_s",
                        load.load().rate() > 0 ? (double) load.load().rate() : Double.NaN)
                .with("sound", load.sound())
                .with(
                        "window",
                        new Fields()
                                .with("from_epoch_ms", load.window().fromMs())
                                .with("to_epoch_ms", load.window().toMs())
                                .with("cut_by", load.window().cut().name().toLowerCase(Locale.ROOT))
                                .with("target", load.window().target()))
                .with("steady", summary(load.steady()))
                .with("whole", summary(load.whole()));
        if (load.use().isPresent()) {
            Fields server = new Fields();
            MeasuredFigures.SERVER.forEach(
                    figure -> server.with(figure.key(), figure.of().applyAsDouble(load)));
            fields.put("server", server);
        }
        return fields.with(
                        "steady_histogram_ms",
                        LoadMerge.encoded(load.histogram().orElseThrow()))
                .with("checks", checks(load.checks()))
                .with("slices", load.slices().stream().map(MeasureFiles::slice).toList());
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

    private static List<Fields> checks(List<Warning> checks) {
        return checks.stream()
                .map(check -> new Fields()
                        .with("name", check.check())
                        .with("outcome", check.outcome().name().toLowerCase(Locale.ROOT))
                        .with("figures", check.figures()))
                .toList();
    }
}
