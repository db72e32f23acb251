package org.servletbench.bench.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.servletbench.bench.campaign.CellMerge;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredFigures;

/** Everything that was measured, as JSON. Units are in the names; null where something is not known. */
final class MeasureJson {
    private MeasureJson() {}

    static void write(List<Measured> logs, PrintWriter out) throws IOException {
        Json.MAPPER
                .writer()
                .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .writeValue(
                        out, Map.of("logs", logs.stream().map(MeasureJson::log).toList()));
        out.println();
    }

    /** An object in the making. */
    private static final class Fields extends LinkedHashMap<String, Object> {
        Fields with(String key, Object value) {
            put(key, value instanceof Double number ? known(number) : value);
            return this;
        }
    }

    private static Object known(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
        return Double.isNaN(value) ? null : whole ? (Object) (long) value : value;
    }

    private static Object bytes(long value) {
        return value < 0 ? null : value;
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
                .with("cells", log.cells().stream().map(MeasureJson::cell).toList());
    }

    private static Fields cell(CellMeasurement cell) {
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
        if (cell.server().isPresent()) {
            Fields server = new Fields();
            MeasuredFigures.SERVER.forEach(
                    figure -> server.with(figure.key(), figure.of().applyAsDouble(cell)));
            fields.put("server", server);
        }
        return fields.with("steady_histogram_ms", CellMerge.encoded(cell.histogram()))
                .with("checks", checks(cell.checks()))
                .with("slices", cell.slices().stream().map(MeasureJson::slice).toList());
    }

    private static Fields summary(Summary summary) {
        Latency latency = summary.latency();
        return new Fields()
                .with("from_epoch_ms", summary.fromMs())
                .with("to_epoch_ms", summary.toMs())
                .with("requests", summary.count())
                .with("failed", summary.errors())
                .with("failed_by_kind", summary.errorKinds())
                .with("users", summary.users())
                .with("throughput_per_s", summary.throughput())
                .with("received_bytes", bytes(summary.bytes()))
                .with("sent_bytes", bytes(summary.sentBytes()))
                .with("mean_ms", latency.mean())
                .with("stdev_ms", latency.stdev())
                .with("min_ms", latency.min())
                .with("p50_ms", latency.p50())
                .with("p75_ms", latency.p75())
                .with("p90_ms", latency.p90())
                .with("p95_ms", latency.p95())
                .with("p99_ms", latency.p99())
                .with("p99.9_ms", latency.p999())
                .with("max_ms", latency.max());
    }

    private static Fields slice(Slice slice) {
        return new Fields()
                .with("from_epoch_ms", slice.fromMs())
                .with("started", slice.started())
                .with("requests", slice.count())
                .with("failed", slice.errors())
                .with("users", slice.users())
                .with("received_bytes", bytes(slice.bytes()))
                .with("mean_ms", slice.latency().mean())
                .with("p50_ms", slice.latency().p50())
                .with("p99_ms", slice.latency().p99())
                .with("max_ms", slice.latency().max());
    }

    private static List<Fields> checks(List<Check> checks) {
        return checks.stream()
                .map(check -> new Fields()
                        .with("name", check.name())
                        .with("outcome", check.outcome().name().toLowerCase(Locale.ROOT))
                        .with("figures", check.figures()))
                .toList();
    }
}
