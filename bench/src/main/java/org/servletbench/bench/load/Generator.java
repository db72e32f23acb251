package org.servletbench.bench.load;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.ToolSettings;

/**
 * A load generator of a campaign: it works through a {@link Batch} of loads on servers that are up and warm. Anything that only one
 * tool needs is up to its implementation. {@link Generators} has all generators, {@link GeneratorFacts} what is known about them
 * without running one.
 */
public interface Generator {

    /** Its names, its capabilities, and the fidelity of its figures. */
    GeneratorFacts facts();

    /** Returns its name on command lines: {@code gatling}, {@code jmeter}, {@code wrk}, {@code ab}, {@code siege}. */
    default String name() {
        return facts().name();
    }

    /** Returns its name in sentences. */
    default String title() {
        return facts().title();
    }

    default MeasurementQuality fidelity() {
        return facts().fidelity();
    }

    default boolean has(Capability capability) {
        return facts().has(capability);
    }

    /**
     * Returns a hint on what to install or build; empty if nothing is missing.
     *
     * @param root of the repository; programs of the system do not need it
     */
    default Optional<String> missing(Path root) {
        try {
            version(root);
            return Optional.empty();
        } catch (LoadException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Returns its version; empty if the tool does not report it.
     *
     * @throws LoadException if it is not there
     */
    Optional<String> version(Path root);

    /** Returns how it logs every request; empty if it reports only sums, and checks no answer. */
    default Optional<LogFormat> log() {
        return Optional.empty();
    }

    /** Returns the most processors that it can keep busy. */
    default int mostProcessors(ToolSettings settings, int users) {
        return Integer.MAX_VALUE;
    }

    /** Returns how this repository builds it; empty for a program of the system. */
    default Optional<Build> build() {
        return Optional.empty();
    }

    /**
     * A build that provides a generator.
     *
     * @param file built, below the repository's root
     * @param what the purpose of the build, for people
     */
    record Build(String file, String what, List<String> maven) {}

    /** Returns a hint on what to install; empty if nothing is missing, or {@link #build} provides it. */
    default Optional<String> notInstalled() {
        return build().isPresent() ? Optional.empty() : missing(Path.of(""));
    }

    /**
     * Applies all loads of a batch, to their end. Raw output is kept in the folder, also when this fails.
     *
     * @param batch loads and the servers to which they are applied
     * @param folder gets all files; it exists and is empty
     * @param watch knows the servers
     * @return at least one result for each load and server of the batch
     * @throws LoadException if the generator is missing or failed, its output makes no sense, a server died, or this thread was
     *     interrupted; no process is left then
     */
    Results run(Batch batch, Path folder, Watch watch);

    /**
     * Results of a batch.
     *
     * @param results in any order
     * @param warmUpSeconds time in which the generator warmed itself up, s
     * @param loadSeconds time of the loads, s
     * @param senders hosts that sent the load; empty: this machine
     */
    record Results(List<LoadResult> results, double warmUpSeconds, double loadSeconds, Optional<Senders> senders) {}

    /**
     * Load hosts.
     *
     * @param processors number of processors of the smallest
     * @param monitors resource use of the generator on each, by this machine's clock; that of a larger host as a share of the
     *     smallest
     */
    record Senders(int processors, List<MonitorSeries> monitors) {}

    /** Callbacks about the servers while a batch runs. Methods are called from any thread. */
    interface Watch extends ToolWatch {

        /** The generator's process is warm: from now on it gets the generator's processors only. */
        void pin();

        /** A load of this server begins. */
        void begins(String server);

        /** Adds a row, the edge of a window, to a monitor. Returns its time, ms since the epoch; empty if the server is not monitored. */
        OptionalLong mark(String server);

        /**
         * Returns the CPU time of a server's JIT compiler since the last call, in percent of the server's own CPU time; NaN if not
         * known.
         */
        default double compilerPercent(String server) {
            return Double.NaN;
        }

        /**
         * Starts to sample the servers' code: nothing is counted for now.
         *
         * @param load name of the load; empty if several loads share one look
         */
        default void startCode(String load) {}

        /** Takes the samples of a server's code since {@link #startCode}; empty if it is not visible. */
        default Optional<WarmCode> code(String server) {
            return Optional.empty();
        }

        /**
         * Stops sampling: counting starts in a moment, or the load is over.
         *
         * @param task during which the code was sampled
         * @param after true if its counted slices are over
         */
        default void stopCode(Batch.Task task, boolean after) {}

        /** The first of these time slices begins in a moment: CPU times must be read at their edges. */
        void timeSlices(Batch.Task task, Interleaving interleaving);

        /** The CPU times at the edges of the time slices of this load, as far as they were read. */
        List<SliceUsage> uses(Batch.Task task);

        /**
         * The generator has sent rows of a workload's data to a server.
         *
         * @param url of the server
         * @param row number of the next one
         */
        default void nextRow(String url, String workload, long row) {}

        /** Reports the current phase of a server, for people; an empty name stands for all servers. */
        void phase(String server, String what);
    }
}
