package org.servletbench.bench.model;

import static org.servletbench.bench.model.Capability.*;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Facts about a load generator. Running and recorded campaigns are both evaluated by this catalogue, so that reading a
 * record does not need a generator.
 *
 * @param name name in options and records: {@code gatling}, {@code jmeter}, {@code wrk}, {@code ab}, {@code siege}
 * @param title name in sentences
 * @param fidelity precision and validity of its figures
 */
public record GeneratorFacts(String name, String title, MeasurementQuality fidelity, Set<Capability> capabilities) {

    public static final GeneratorFacts GATLING = new GeneratorFacts(
            "gatling",
            "Gatling",
            new MeasurementQuality(1, true),
            Set.of(
                    FIXED_RATES,
                    SEARCHES_RATES,
                    INTERLEAVES,
                    WARMS_UP,
                    LOAD_HOSTS,
                    SENDS_ALL,
                    SESSIONS,
                    SIMULATIONS,
                    KEEPS_COOKIES,
                    PAUSES,
                    HTTP_2,
                    ACCEPTS_GZIP));

    public static final GeneratorFacts JMETER = new GeneratorFacts(
            "jmeter",
            "JMeter",
            new MeasurementQuality(1, true),
            Set.of(INTERLEAVES, FALLS_SHORT, WARMS_UP, SENDS_ALL, KEEPS_COOKIES, PAUSES));

    /**
     * wrk measures in whole µs. Only wrk accepts compressed answers: ab speaks HTTP/1.0, siege adds a header of its own
     * to ours, and JMeter records the compressed length.
     */
    public static final GeneratorFacts WRK =
            new GeneratorFacts("wrk", "wrk", new MeasurementQuality(0.001, false), Set.of(ACCEPTS_GZIP));

    /** ab's percentile file has µs, its console output only whole ms. */
    public static final GeneratorFacts AB =
            new GeneratorFacts("ab", "ab", new MeasurementQuality(0.001, true), Set.of());

    /** siege's clock has steps of 10 ms. */
    public static final GeneratorFacts SIEGE =
            new GeneratorFacts("siege", "siege", new MeasurementQuality(10, true), Set.of());

    private static final List<GeneratorFacts> ALL =
            new CopyOnWriteArrayList<>(List.of(GATLING, JMETER, WRK, AB, SIEGE));

    /** Returns all generators, in the order of lists. */
    public static List<GeneratorFacts> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** Adds a generator; {@link #remove} removes it again. */
    static void add(GeneratorFacts generator) {
        ALL.add(generator);
    }

    static void remove(GeneratorFacts generator) {
        ALL.remove(generator);
    }

    /**
     * Returns the generator with this name; empty if there is none, because a file may name one that this version does
     * not know.
     */
    public static Optional<GeneratorFacts> find(String name) {
        return ALL.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    public boolean has(Capability capability) {
        return capabilities.contains(capability);
    }

    /** True if there is a generator with this name and it has this capability. */
    public static boolean has(String name, Capability capability) {
        return find(name).filter(one -> one.has(capability)).isPresent();
    }
}
