package org.servletbench.bench.load;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.load.tool.ToolGenerator;
import org.servletbench.bench.model.UsageException;

/** All generators: a new one is registered here. */
public final class Generators {

    private static final List<Generator> ALL = Stream.concat(
                    Stream.of(new Gatling(), new JMeterGenerator()), ToolGenerator.all())
            .toList();

    private Generators() {}

    /** Each with its plain name. */
    public static List<Generator> all() {
        return ALL;
    }

    /**
     * The one of this name, perhaps with a setting after a dash: {@code siege-d1}.
     *
     * @return empty where there is none: a file may name one that this version does not know
     */
    public static Optional<Generator> find(String name) {
        return ALL.stream().filter(one -> one.name().equals(name)).findFirst().or(() -> ToolGenerator.paused(name));
    }

    /**
     * The one of this name.
     *
     * @throws UsageException if there is none
     */
    public static Generator named(String name) {
        return find(name)
                .orElseThrow(() -> new UsageException("no generator '" + name + "': choose from "
                        + ALL.stream().map(Generator::name).collect(Collectors.joining(", "))));
    }
}
