package org.servletbench.bench.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ToolSettings;

/**
 * What a generator does to the servers that are up: every load on every server.
 *
 * @param loads in any order
 * @param servers {@code http://host:port} of each
 * @param warmUp how the generator warms itself up; the servers are warm already
 * @param rampUpMs time within which all users start, ms
 * @param windowMs time under full load of one server, ms
 * @param rounds so many windows for each load and server
 * @param turnMs shortest turn of a load of the closed model, ms; 0: windows, one after the other
 * @param settleMs time in turns for each server before anything is counted, ms
 * @param seed of every order
 * @param description for the generator's own report
 * @param cpus processors of the generator, as {@code taskset -c} takes them; empty for all
 * @param keepRaw whether raw logs stay
 * @param root of the repository
 * @param options in force
 */
public record Batch(
        List<Load> loads,
        List<String> servers,
        Schedule.WarmUp warmUp,
        long rampUpMs,
        long windowMs,
        int rounds,
        long turnMs,
        long settleMs,
        long seed,
        String description,
        Optional<String> cpus,
        boolean keepRaw,
        Path root,
        Options options) {

    /**
     * One load.
     *
     * @param name as {@code CellName} reads it: {@code hello 100 users}
     * @param workload its name
     * @param users concurrent users of the closed model; 0 in the open one
     * @param rate requests/s of the open model; 0 in the closed one
     * @param settings of the tool, where it is a program of the system
     * @param stops the servers that take it; their names are those of the arms
     */
    public record Load(
            String name, String workload, int users, double rate, ToolSettings settings, List<Schedule.Stop> stops) {}

    /**
     * A load on one server for the length of a window.
     *
     * @param round from 1
     */
    public record Window(Load load, Schedule.Stop stop, int round) {

        /** A name that no other window has; it ends with the load's. */
        public String name() {
            return stop.name() + " round " + round + " " + load.name();
        }
    }

    /** Whether this load's users move from server to server by the clock. */
    public boolean inTurns(Load load) {
        return turnMs > 0 && load.users() > 0;
    }

    /**
     * Every load on every server once a round; in each round in a new random order.
     *
     * @param of these loads
     * @param rounds how many
     */
    public List<Window> windows(List<Load> of, int rounds, Random random) {
        List<Window> windows = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Load> shuffled = new ArrayList<>(of);
            Collections.shuffle(shuffled, random);
            for (Load load : shuffled) {
                List<Schedule.Stop> stops = new ArrayList<>(load.stops());
                Collections.shuffle(stops, random);
                for (Schedule.Stop stop : stops) {
                    windows.add(new Window(load, stop, round));
                }
            }
        }
        return windows;
    }

    /** A part of a load in turns: its name in the log. */
    static String turnName(Load load, Schedule.Stop stop) {
        return stop.name() + " " + load.name();
    }

    /** The loads that take turns, in random order. */
    List<Load> loadsInTurns(Random random) {
        List<Load> shuffled =
                new ArrayList<>(loads.stream().filter(this::inTurns).toList());
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** The turns of a load. */
    Schedule.Turns turns(Load load, long orderSeed) {
        return new Schedule.Turns(
                load.name(),
                load.stops().stream()
                        .map(stop -> new Schedule.Stop(
                                turnName(load, stop), stop.server(), stop.path(), stop.minBytes(), stop.maxBytes()))
                        .toList(),
                load.users(),
                rampUpMs,
                load.stops().size() * settleMs,
                windowMs * rounds,
                turnMs,
                orderSeed);
    }
}
