package org.servletbench.bench.model;

import java.util.Optional;

/**
 * What the figures of a generator are worth, the same for all of its runs.
 *
 * @param resolutionMs the step of its response times, ms, above 0: a percentile is good to ± so much
 * @param latencyMeasured whether its response times are those of the requests that were sent. Where it is false they take part
 *     in no verdict, and are labelled wherever they are shown
 */
public record Fidelity(double resolutionMs, boolean latencyMeasured) {

    /** What stands beside response times that were not measured, wherever they are shown. */
    public static final String NOT_MEASURED = "corrected for coordinated omission by the tool, not a measurement";

    /** That of the generator with this name; empty where there is none: see {@link GeneratorFacts#find}. */
    public static Optional<Fidelity> of(String generator) {
        return GeneratorFacts.find(generator).map(GeneratorFacts::fidelity);
    }
}
