package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * An arm of a comparison.
 *
 * @param name in files and options
 * @param spec including the settings that all arms share; it has a label, and the name of the arm that it is compared with (its own
 *     if it is a baseline)
 * @param line of Spring Boot; empty for an application of the user's own and for nginx
 */
public record NamedArm(String name, ArmSpec spec, String line) {

    /** Container of the reference server, which is not ranked and has no JVM. */
    static final String REFERENCE = "nginx";

    /** Returns the name of the arm that it is compared with. */
    @JsonIgnore
    public String against() {
        return spec.against();
    }

    @JsonIgnore
    public boolean isReference() {
        return REFERENCE.equals(spec.container());
    }
}
