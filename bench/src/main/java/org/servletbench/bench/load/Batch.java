package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
 * The task of a generator on servers that are up: every load on every server.
 *
 * @param machines that run servers and load
 * @param search of loads whose rate is to be found; empty where there is none
 */
public record Batch(Work work, Pace pace, Settling settling, Run run, Machines machines, Optional<Search> search) {

    /**
     * The loads.
     *
     * @param loads in any order
     * @param servers URL of each, {@code http://host:port}
     */
    public record Work(List<Task> loads, List<String> servers) {}

    /**
     * Lengths of each load.
     *
     * @param rampUpMs time within which all users start, ms
     * @param windowMs time under full load for each server, ms
     * @param rounds number of windows for each load and server
     * @param turnMs shortest time slice of a load of the closed model, ms; 0: windows, one after the other
     */
    public record Pace(long rampUpMs, long windowMs, int rounds, long turnMs) {}

    /**
     * Load that is not counted.
     *
     * @param warmUp of the generator itself; the servers are warm already
     * @param settleMs least settling time of each server, in time slices before the counted part, ms
     * @param longestSettleMs longest settling time of all servers together, ms: until then it continues while servers become faster or
     *     compile
     * @param afterMs time in slices for each server after the counted part, ms
     */
    public record Settling(Schedule.WarmUp warmUp, long settleMs, long longestSettleMs, long afterMs) {}

    /**
     * The generator's run.
     *
     * @param seed of all random orders
     * @param description for the generator's own report
     * @param cpus processors of the generator, in the format of {@code taskset -c}; empty for all
     * @param keepRaw true if raw logs are kept
     * @param root of the repository
     */
    public record Run(long seed, String description, Optional<String> cpus, boolean keepRaw, Path root) {}

    /** Returns this batch for servers that have just been measured, without counting: the generator need not be warm, nor wait long. */
    public Batch uncounted() {
        Settling brief = new Settling(warmUp().within(0), settleMs() / 2, 0, 0);
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

    public long turnMs() {
        return pace.turnMs;
    }

    public Schedule.WarmUp warmUp() {
        return settling.warmUp;
    }

    public long settleMs() {
        return settling.settleMs;
    }

    public long longestSettleMs() {
        return settling.longestSettleMs;
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

    /** A load, the settings of the tool that applies it, and the servers that take it; their names are those of the arms. */
    public record Task(Load load, ToolSettings settings, List<Schedule.Stop> stops) {

        /** True if its rate is still to be found. */
        boolean isSearch() {
            return load.isUnknown();
        }
    }

    /**
     * A load on one server for the length of a window.
     *
     * @param round from 1
     */
    public record Window(Task task, Schedule.Stop stop, int round) {

        /** Returns a name that no other window has; it ends with the load's. */
        public String name() {
            return stop.name() + " round " + round + " " + task.load().name();
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

    /** True if this load's users move from server to server by the clock. */
    public boolean inTurns(Task task) {
        return turnMs() > 0 && task.load().tier() > 0;
    }

    /** The search for the highest rate that meets the objective: a load with neither users nor a rate. */
    Schedule.Search search(Task task, Schedule.Stop stop, Random random) {
        Search asked = search.orElseThrow();
        // Starts differ at random, so that servers are not compared on one grid of rates.
        double first = asked.from() * Math.pow(2, random.nextDouble());
        return new Schedule.Search(
                stop,
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

    /** Returns every load on every server once a round; in each round in a new random order. */
    public List<Window> windows(List<Task> of, int rounds, Random random) {
        List<Window> windows = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Task> shuffled = new ArrayList<>(of);
            Collections.shuffle(shuffled, random);
            for (Task task : shuffled) {
                List<Schedule.Stop> stops = new ArrayList<>(task.stops());
                Collections.shuffle(stops, random);
                for (Schedule.Stop stop : stops) {
                    windows.add(new Window(task, stop, round));
                }
            }
        }
        return windows;
    }

    /** Returns the loads that take turns, in random order. */
    List<Task> loadsInTurns(Random random) {
        List<Task> shuffled =
                new ArrayList<>(loads().stream().filter(this::inTurns).toList());
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** Returns the turns of a load. */
    Schedule.Turns turns(Task task, long orderSeed) {
        String load = task.load().name();
        return new Schedule.Turns(
                load,
                task.stops().stream()
                        .map(stop -> stop.named(stop.name() + " " + load))
                        .toList(),
                task.load().tier(),
                rampUpMs(),
                task.stops().size() * settleMs(),
                Math.max(task.stops().size() * settleMs(), longestSettleMs()),
                windowMs() * rounds(),
                task.settings().turns() == ToolSettings.Turns.LONG ? ToolSettings.LONG_MS : turnMs(),
                orderSeed,
                task.stops().size() * afterMs());
    }
}
