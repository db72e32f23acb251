package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.process.Collector;

/** What one server has exported since its start, as our collector counted it. */
record Exports(long requests, long bytes, long spans) {

    /** Time for the first spans to arrive. Exporters collect them for 5 s by default. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofMillis(100);

    /**
     * Asks the collector for a server's exports. If it must export, waits for its first spans.
     *
     * @throws TargetException if the collector does not answer
     */
    static Exports at(URI address, boolean exports) {
        long end = System.nanoTime() + FIRST.toNanos();
        Exports seen = read(address);
        while (exports && seen.spans == 0 && System.nanoTime() < end) {
            TargetException.sleep(LOOK, "waiting for spans");
            seen = read(address);
        }
        return seen;
    }

    private static Exports read(URI address) {
        try {
            Map<String, Long> totals = Collector.totals(address);
            return new Exports(
                    totals.get(MonitorSeries.EXPORTED_REQUESTS),
                    totals.get(MonitorSeries.EXPORTED_BYTES),
                    totals.get(MonitorSeries.EXPORTED_SPANS));
        } catch (IOException e) {
            throw new TargetException("the rig's collector does not answer (" + e.getMessage() + ")");
        }
    }

    /** Returns the exports as text for people. */
    String words() {
        return text("%,d spans, %,d bytes in %,d requests", spans, bytes, requests);
    }

    /**
     * Returns how the exports differ from what the arm says; empty if they do not.
     *
     * @param exports true if the server must send spans; false if it must not send anything
     */
    Optional<String> wrong(boolean exports) {
        if (exports && spans == 0) {
            return Optional.of("exports: true, but no span arrived at the rig's collector (" + words()
                    + "): check the exporter's settings, which must send traces in OTLP over HTTP, and server.log");
        }
        return !exports && requests > 0
                ? Optional.of("exports: false, but the rig's collector got " + words() + ": switch the exporter off")
                : Optional.empty();
    }
}
