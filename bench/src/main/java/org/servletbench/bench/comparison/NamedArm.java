package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * An arm of a comparison.
 *
 * @param name name in files and options
 * @param spec its settings, including those that all arms share. It has a label and the name of its baseline, which is
 *     its own if it is a baseline
 * @param line version of Spring Boot; empty for a user's own application and for nginx
 */
public record NamedArm(String name, ArmSpec spec, String line) {

    /** Container of the reference server, which is not ranked and has no JVM. */
    static final String REFERENCE = "nginx";

    /** Returns the name of the arm with which it is compared. */
    @JsonIgnore
    public String against() {
        return spec.against();
    }

    @JsonIgnore
    public boolean isReference() {
        return REFERENCE.equals(spec.container());
    }
}
