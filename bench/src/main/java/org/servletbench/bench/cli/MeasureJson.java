package org.servletbench.bench.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredFigures;

/** Everything that was measured, as JSON. Units are in the names; null where something is not known. */
final class MeasureJson {
    private final JsonGenerator json;

    private MeasureJson(JsonGenerator json) {
        this.json = json;
    }

    static void write(List<Measured> logs, PrintWriter out) throws IOException {
        JsonGenerator json = new JsonFactory().createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setPrettyPrinter(new DefaultPrettyPrinter());
        json.writeStartObject();
        json.writeArrayFieldStart("logs");
        for (Measured measured : logs) {
            new MeasureJson(json).log(measured);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.close();
        out.println();
    }

    private void log(Measured measured) throws IOException {
        LogMeasurement log = measured.log();
        json.writeStartObject();
        json.writeStringField("file", measured.file().toString());
        json.writeStringField("tool", log.source().tool());
        json.writeStringField("description", log.source().description());
        json.writeNumberField("records", log.records());
        json.writeNumberField("slice_ms", log.sliceMs());
        json.writeNumberField("first_epoch_ms", log.firstMs());
        checks(log.checks());
        json.writeArrayFieldStart("cells");
        for (CellMeasurement cell : log.cells()) {
            cell(cell);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void cell(CellMeasurement cell) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", cell.name());
        json.writeStringField("workload", cell.load().workload());
        number("tier_users", cell.load().tier() > 0 ? cell.load().tier() : Double.NaN);
        number("offered_per_s", cell.load().rate() > 0 ? cell.load().rate() : Double.NaN);
        json.writeBooleanField("sound", cell.sound());
        SteadyWindow window = cell.window();
        json.writeObjectFieldStart("window");
        json.writeNumberField("from_epoch_ms", window.fromMs());
        json.writeNumberField("to_epoch_ms", window.toMs());
        json.writeStringField("cut_by", window.cut().name().toLowerCase(Locale.ROOT));
        number("target", window.target());
        json.writeEndObject();
        summary("steady", cell.steady());
        summary("whole", cell.whole());
        if (cell.server().isPresent()) {
            json.writeObjectFieldStart("server");
            for (MeasuredFigures.Figure figure : MeasuredFigures.SERVER) {
                number(figure.key(), figure.of().applyAsDouble(cell));
            }
            json.writeEndObject();
        }
        json.writeStringField("steady_histogram_ms", encoded(cell.histogram()));
        checks(cell.checks());
        json.writeArrayFieldStart("slices");
        for (Slice slice : cell.slices()) {
            slice(slice);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void summary(String name, Summary summary) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("from_epoch_ms", summary.fromMs());
        json.writeNumberField("to_epoch_ms", summary.toMs());
        json.writeNumberField("requests", summary.count());
        json.writeNumberField("failed", summary.errors());
        json.writeObjectFieldStart("failed_by_kind");
        for (var kind : summary.errorKinds().entrySet()) {
            json.writeNumberField(kind.getKey(), kind.getValue());
        }
        json.writeEndObject();
        number("users", summary.users());
        number("throughput_per_s", summary.throughput());
        bytes("received_bytes", summary.bytes());
        bytes("sent_bytes", summary.sentBytes());
        latency(summary.latency());
        json.writeEndObject();
    }

    private void latency(Latency latency) throws IOException {
        number("mean_ms", latency.mean());
        number("stdev_ms", latency.stdev());
        number("min_ms", latency.min());
        number("p50_ms", latency.p50());
        number("p75_ms", latency.p75());
        number("p90_ms", latency.p90());
        number("p95_ms", latency.p95());
        number("p99_ms", latency.p99());
        number("p99.9_ms", latency.p999());
        number("max_ms", latency.max());
    }

    private void slice(Slice slice) throws IOException {
        json.writeStartObject();
        json.writeNumberField("from_epoch_ms", slice.fromMs());
        json.writeNumberField("started", slice.started());
        json.writeNumberField("requests", slice.count());
        json.writeNumberField("failed", slice.errors());
        number("users", slice.users());
        bytes("received_bytes", slice.bytes());
        number("mean_ms", slice.latency().mean());
        number("p50_ms", slice.latency().p50());
        number("p99_ms", slice.latency().p99());
        number("max_ms", slice.latency().max());
        json.writeEndObject();
    }

    private void checks(List<Check> checks) throws IOException {
        json.writeArrayFieldStart("checks");
        for (Check check : checks) {
            json.writeStartObject();
            json.writeStringField("name", check.name());
            json.writeStringField("outcome", check.outcome().name().toLowerCase(Locale.ROOT));
            json.writeStringField("figures", check.figures());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void number(String name, double value) throws IOException {
        if (Double.isNaN(value)) {
            json.writeNullField(name);
        } else if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
            json.writeNumberField(name, (long) value);
        } else {
            json.writeNumberField(name, value);
        }
    }

    private void bytes(String name, long value) throws IOException {
        if (value < 0) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value);
        }
    }

    /** HdrHistogram's own compressed encoding (V2) in Base64, as its other tools read and merge it. */
    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return java.util.Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
