package org.servletbench.bench.host;

import java.util.Optional;
import org.servletbench.bench.model.UsageException;

/**
 * The java of another machine.
 *
 * @param home home of its JDK there; empty: the java that ssh's shell finds
 */
public record HostJava(Optional<String> home) {

    /** @throws UsageException if the home contains characters with a meaning for a shell */
    public HostJava {
        home.filter(path -> !path.matches("[\\w/.+-]+")).ifPresent(path -> {
            throw new UsageException("'" + path + "' is not a valid folder of a JDK on another host");
        });
    }

    String command() {
        return home.map(folder -> folder + "/bin/java").orElse("java");
    }
}
