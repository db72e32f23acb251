package org.servletbench.app;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Logs the JVM's memory, classes and threads when the application is ready. */
@Component
class StartupMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(StartupMetrics.class);
    private static final List<String> METRICS = List.of("jvm.memory.used", "jvm.classes.loaded", "jvm.threads.live");

    private final MeterRegistry registry;

    StartupMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @EventListener(ApplicationReadyEvent.class)
    void log() {
        METRICS.forEach(name -> LOG.info("Startup Metric >> {}={}", name, total(name)));
    }

    /**
     * Returns the sum over all meters of one name, because {@code jvm.memory.used} has one meter for each memory pool.
     */
    private long total(String name) {
        return Math.round(registry.find(name).meters().stream()
                .map(Meter::measure)
                .flatMap(measurements -> StreamSupport.stream(measurements.spliterator(), false))
                .mapToDouble(measurement -> measurement.getValue())
                .sum());
    }
}
