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
 * A load generator of a campaign, which works through a {@link Batch} of loads on servers that are up and warm. Its
 * implementation contains everything that only this tool needs. {@link Generators} lists all generators, and
 * {@link GeneratorFacts} contains what is known about them without running one.
 */
public interface Generator {

    /** Returns its names, its capabilities, and the fidelity of its figures. */
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
     * @param root root of the repository; programs of the system do not need it
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
     * @throws LoadException if the tool is missing
     */
    Optional<String> version(Path root);

    /**
     * Returns the format in which it logs every request; empty if it reports only totals and does not check answers.
     */
    default Optional<LogFormat> log() {
        return Optional.empty();
    }

    /** Returns the maximum number of processors that it can keep busy. */
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
     * @param file the file that it builds, relative to the repository's root
     * @param what the purpose of the build, for people
     */
    record Build(String file, String what, List<String> maven) {}

    /** Returns a hint on what to install; empty if nothing is missing, or {@link #build} provides it. */
    default Optional<String> notInstalled() {
        return build().isPresent() ? Optional.empty() : missing(Path.of(""));
    }

    /**
     * Applies all loads of a batch, and returns when they have ended. Raw output stays in the folder, even if this
     * method fails.
     *
     * @param batch loads and the servers to which they are applied
     * @param folder folder for all files; it exists and is empty
     * @param watch receives events, and knows the servers
     * @return at least one result for each load and server of the batch
     * @throws LoadException if the generator is missing or failed, its output makes no sense, a server died, or this
     *     thread was interrupted; no process is left then
     */
    Results run(Batch batch, Path folder, Watch watch);

    /**
     * Results of a batch.
     *
     * @param results results in any order
     * @param warmUpSeconds time in which the generator warmed itself up, s
     * @param loadSeconds time of the loads, s
     * @param senders hosts that sent the load; empty: this machine
     */
    record Results(List<LoadResult> results, double warmUpSeconds, double loadSeconds, Optional<Senders> senders) {}

    /**
     * Load hosts that sent the load.
     *
     * @param processors number of processors of the smallest host
     * @param monitors the generator's resource use on each host, by this machine's clock. On a larger host, it is
     *     scaled to the processors of the smallest.
     */
    record Senders(int processors, List<MonitorSeries> monitors) {}

    /** Callbacks about the servers while a batch runs. They may be called from any thread. */
    interface Watch extends ToolWatch {

        /** Reports that the generator's process is warm. From now on, it may use only the generator's processors. */
        void pin();

        /** Reports that a load of this server begins. */
        void begins(String server);

        /**
         * Adds a row to a server's monitor, at the edge of a window. Returns its time, ms since the epoch; empty if the
         * server is not monitored.
         */
        OptionalLong mark(String server);

        /**
         * Returns the CPU time of a server's JIT compiler since the last call, in percent of the server's own CPU time;
         * NaN if it is unknown.
         */
        default double compilerPercent(String server) {
            return Double.NaN;
        }

        /**
         * Starts to sample the servers' code. Nothing is counted for now.
         *
         * @param load name of the load; empty if several loads are sampled together
         */
        default void startCode(String load) {}

        /** Returns the samples of a server's code since {@link #startCode}; empty if its code is not visible. */
        default Optional<WarmCode> code(String server) {
            return Optional.empty();
        }

        /**
         * Stops sampling, because counting starts in a moment or the load is over.
         *
         * @param task load during which the code was sampled
         * @param after true if its counted slices are over
         */
        default void stopCode(Batch.Task task, boolean after) {}

        /** Reports that the first of these time slices begins in a moment. CPU times must be read at their edges. */
        void timeSlices(Batch.Task task, Interleaving interleaving);

        /** Returns the CPU times at the edges of this load's time slices, as far as they were read. */
        List<SliceUsage> uses(Batch.Task task);

        /**
         * Reports that the generator has sent rows of a workload's data to a server.
         *
         * @param url URL of the server
         * @param row number of the next row
         */
        default void nextRow(String url, String workload, long row) {}

        /** Reports the current phase of a server, for people; an empty name stands for all servers. */
        void phase(String server, String what);
    }
}
