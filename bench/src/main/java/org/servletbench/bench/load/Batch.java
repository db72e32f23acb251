package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.servletbench.bench.generator.RateSearch;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Procedure.Search;
import org.servletbench.bench.model.ToolSettings;

/**
 * The task of a generator on running servers: every load on every server.
 *
 * @param machines hosts that run servers and load
 * @param search settings for loads whose rate is to be found; empty if there are none
 */
public record Batch(Work work, Pace pace, Settling settling, Run run, Machines machines, Optional<Search> search) {

    /**
     * Loads and servers.
     *
     * @param loads in any order
     * @param servers the URL of each server, {@code http://host:port}
     */
    public record Work(List<Task> loads, List<String> servers) {}

    /**
     * Lengths of each load.
     *
     * @param rampUpMs time within which all users start, ms
     * @param windowMs time under full load for each server, ms
     * @param rounds number of windows for each load and server
     * @param timeSliceMs shortest time slice of a load of the closed model, ms; 0: windows, one after the other
     */
    public record Pace(long rampUpMs, long windowMs, int rounds, long timeSliceMs) {}

    /**
     * Settings for load that is not counted.
     *
     * @param warmUp warm-up of the generator itself; the servers are warm already
     * @param settlingMs minimum settling time of each server, in time slices before the counted part, ms
     * @param longestSettlingMs maximum settling time of all servers together, ms. Until then, settling continues while
     *     servers become faster or compile.
     * @param afterMs time in slices for each server after the counted part, ms
     */
    public record Settling(Schedule.WarmUp warmUp, long settlingMs, long longestSettlingMs, long afterMs) {}

    /**
     * Settings of the generator's run.
     *
     * @param seed seed of all random orders
     * @param description text for the generator's own report
     * @param cpus processors of the generator, in the format of {@code taskset -c}; empty for all
     * @param keepRaw true if raw logs are kept
     * @param root root of the repository
     */
    public record Run(long seed, String description, Optional<String> cpus, boolean keepRaw, Path root) {}

    /**
     * Returns this batch for servers that have just been measured, without counting. The generator need not be warm,
     * and need not wait long.
     */
    public Batch uncounted() {
        Settling brief = new Settling(warmUp().within(0), settlingMs() / 2, 0, 0);
        return new Batch(work, pace, brief, run, machines, search);
    }

    public List<Task> loads() {
        return work.loads;
    }

    public List<String> servers() {
        return work.servers;
    }

    public long rampUpMs() {
        return pace.rampUpMs;
    }

    public long windowMs() {
        return pace.windowMs;
    }

    public int rounds() {
        return pace.rounds;
    }

    public long timeSliceMs() {
        return pace.timeSliceMs;
    }

    public Schedule.WarmUp warmUp() {
        return settling.warmUp;
    }

    public long settlingMs() {
        return settling.settlingMs;
    }

    public long longestSettlingMs() {
        return settling.longestSettlingMs;
    }

    public long afterMs() {
        return settling.afterMs;
    }

    public long seed() {
        return run.seed;
    }

    public String description() {
        return run.description;
    }

    public Optional<String> cpus() {
        return run.cpus;
    }

    public boolean keepRaw() {
        return run.keepRaw;
    }

    public Path root() {
        return run.root;
    }

    /** A load, the settings of the tool that applies it, and the servers that it loads, named like the arms. */
    public record Task(Load load, ToolSettings settings, List<Schedule.Endpoint> endpoints) {

        /** True if its rate has yet to be found. */
        boolean isSearch() {
            return load.isUnknown();
        }
    }

    /**
     * A load on one server for the length of a window.
     *
     * @param round number of the round, from 1
     */
    public record TaskWindow(Task task, Schedule.Endpoint endpoint, int round) {

        /** Returns a unique name, which ends with the load's name. */
        public String name() {
            return endpoint.name() + " round " + round + " " + task.load().name();
        }
    }

    /** Deletes a log if raw logs are not kept. */
    public void deleteUnlessKept(Path log) {
        try {
            if (!keepRaw()) {
                Files.delete(log);
            }
        } catch (IOException e) {
            throw new LoadException("cannot delete " + log + " (" + e.getMessage() + ")");
        }
    }

    /** True if the users of this load move from server to server by the clock. */
    public boolean inTimeSlices(Task task) {
        return timeSliceMs() > 0 && task.load().users() > 0;
    }

    /** Returns the search for the highest rate that meets the objective. Its load has neither users nor a rate. */
    Schedule.Search search(Task task, Schedule.Endpoint endpoint, Random random) {
        Search asked = search.orElseThrow();
        // Starts differ at random, so that servers are not compared on one grid of rates.
        double first = asked.from() * Math.pow(2, random.nextDouble());
        return new Schedule.Search(
                endpoint,
                task.load().workload(),
                asked.objective(),
                new RateSearch(
                        first,
                        asked.from(),
                        asked.users() / asked.objective().secondsUnderWay(windowMs() / 1e3),
                        asked.resolution()),
                asked.users(),
                rampUpMs(),
                windowMs());
    }

    /** Returns a window for every load on every server in each round, in a new random order per round. */
    public List<TaskWindow> windows(List<Task> of, int rounds, Random random) {
        List<TaskWindow> windows = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Task> shuffled = new ArrayList<>(of);
            Collections.shuffle(shuffled, random);
            for (Task task : shuffled) {
                List<Schedule.Endpoint> endpoints = new ArrayList<>(task.endpoints());
                Collections.shuffle(endpoints, random);
                for (Schedule.Endpoint endpoint : endpoints) {
                    windows.add(new TaskWindow(task, endpoint, round));
                }
            }
        }
        return windows;
    }

    /**
     * Returns the loads in time slices, in random order. Loads whose users pause come last, because the others show
     * sooner whether servers are warm.
     */
    List<Task> interleavedLoads(Random random) {
        List<Task> shuffled =
                new ArrayList<>(loads().stream().filter(this::inTimeSlices).toList());
        Collections.shuffle(shuffled, random);
        shuffled.sort(Comparator.comparing(task -> !task.settings().pause().isNone()));
        return shuffled;
    }

    /** Returns the time slices of a load. */
    Schedule.InterleavedLoad timeSlices(Task task, long orderSeed) {
        String load = task.load().name();
        return new Schedule.InterleavedLoad(
                load,
                task.endpoints().stream()
                        .map(endpoint -> endpoint.named(endpoint.name() + " " + load))
                        .toList(),
                task.load().users(),
                rampUpMs(),
                task.endpoints().size() * settlingMs(),
                Math.max(task.endpoints().size() * settlingMs(), longestSettlingMs()),
                windowMs() * rounds(),
                task.settings().timeSlices() == ToolSettings.SliceLength.LONG ? ToolSettings.LONG_MS : timeSliceMs(),
                orderSeed,
                task.endpoints().size() * afterMs());
    }
}
