package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Metric.Part;

/** A quantity that may differ between two arms and be a reason for their difference. */
public sealed interface Cause {

    Part part();

    /**
     * Returns the cause as part of a sentence: what there is more or less of ("read calls per request"), or where CPU
     * time is used ("in the kernel").
     */
    String words();

    /** A counter, which is a figure of the catalogue. */
    record Counter(Metric metric) implements Cause {
        @Override
        public Part part() {
            return metric.part();
        }

        @Override
        public String words() {
            return metric.cause();
        }
    }

    /** A part of the CPU time of a request, from the stacks of a profile. */
    record Layer(String name) implements Cause {
        @Override
        public Part part() {
            return Part.ROLE;
        }

        @Override
        public String words() {
            return "in " + name;
        }
    }

    /** True if its figures are CPU time, µs per request. */
    default boolean isTime() {
        return part() != Part.COUNT;
    }
}
