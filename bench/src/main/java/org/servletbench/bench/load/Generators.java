package org.servletbench.bench.load;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.load.tool.ApacheBench;
import org.servletbench.bench.load.tool.Siege;
import org.servletbench.bench.load.tool.Wrk;
import org.servletbench.bench.model.UsageException;

/** All generators. New ones are registered here. */
public final class Generators {

    private static final List<Generator> ALL = new CopyOnWriteArrayList<>(
            List.of(new Gatling(), new JMeterGenerator(), new Wrk(), new ApacheBench(), new Siege()));

    private Generators() {}

    /** Returns all generators in the order in which they are listed. */
    public static List<Generator> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** Adds a generator; {@link #remove} removes it again. */
    static void add(Generator generator) {
        ALL.add(generator);
    }

    static void remove(Generator generator) {
        ALL.remove(generator);
    }

    /**
     * Returns the generator with this name; empty if there is none, because a file may name a generator that this
     * version does not know.
     */
    public static Optional<Generator> find(String name) {
        return ALL.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    public static String names(Predicate<Generator> which) {
        return ALL.stream().filter(which).map(Generator::name).collect(Collectors.joining(", "));
    }

    public static String titles(Predicate<Generator> which) {
        return ALL.stream().filter(which).map(Generator::title).collect(Collectors.joining(" and "));
    }

    /**
     * @throws UsageException if no generator has this name
     */
    public static Generator named(String name) {
        return find(name)
                .orElseThrow(
                        () -> new UsageException("no generator '" + name + "': choose from " + names(one -> true)));
    }
}
