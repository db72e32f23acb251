package org.servletbench.bench.comparison;

import java.util.Map;
import java.util.Optional;

/**
 * An arm as a comparison describes it.
 *
 * @param name in files and options
 * @param label for people
 * @param against name of the arm that it is compared with; its own where it is a baseline
 * @param traits what it is, by the keys of a file, those of {@code server} among them; what is usual is left out. A property is
 *     {@code properties.NAME}, a settings set {@code settings}
 * @param line of Spring Boot; empty for an application of the user's own and for nginx
 */
public record ArmSpec(String name, String label, String against, Map<String, String> traits, String line) {

    /** Of the settings set. */
    public static final String SETTINGS = "settings";

    /** Before the name of a Spring property. */
    public static final String PROPERTY = "properties.";

    /** The value of a key; empty where it is the usual one. */
    public Optional<String> trait(String key) {
        return Optional.ofNullable(traits.get(key));
    }
}
