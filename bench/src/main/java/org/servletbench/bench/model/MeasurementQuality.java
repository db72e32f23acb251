package org.servletbench.bench.model;

import java.util.Optional;

/**
 * How precise and how valid a generator's figures are, in all of its runs.
 *
 * @param resolutionMs step of its response times, ms, above 0; a percentile is accurate to ± this step
 * @param latencyMeasured true if its response times are those of the requests that were sent. If false, they take part
 *     in no verdict, and are labelled wherever they are shown
 */
public record MeasurementQuality(double resolutionMs, boolean latencyMeasured) {

    /** Label of response times that were not measured. */
    public static final String NOT_MEASURED = "corrected for coordinated omission by the tool, not a measurement";

    /** Returns the quality of the generator with this name; empty if there is none: see {@link GeneratorFacts#find}. */
    public static Optional<MeasurementQuality> of(String generator) {
        return GeneratorFacts.find(generator).map(GeneratorFacts::fidelity);
    }
}
