package org.servletbench.bench.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.Load;

/** Turns what was recorded into figures: the step after the pass. */
final class Measuring {
    private final Recorder recorder;
    private final long records;
    private final Optional<Map<String, NativeCount>> nativeCounts;
    private final LogSource source;
    private final long widthMs;
    private final Map<String, List<Users.Population>> populations = new HashMap<>();
    private Users everybody;

    Measuring(Recorder recorder, long records, Optional<Map<String, NativeCount>> nativeCounts) {
        this.recorder = recorder;
        this.records = records;
        this.nativeCounts = nativeCounts;
        this.source = recorder.source();
        this.widthMs = recorder.widthMs();
        for (Users.Population population : recorder.populations()) {
            populations
                    .computeIfAbsent(population.name, name -> new ArrayList<>())
                    .add(population);
        }
    }

    LogMeasurement measure() {
        List<CellMeasurement> cells = new ArrayList<>();
        long counted = 0;
        long first = Long.MAX_VALUE;
        for (CellSeries cell : recorder.cells()) {
            if (cell.tallies.length() > 0) {
                CellMeasurement measured = measure(cell);
                cells.add(measured);
                counted += measured.whole().count();
                first = Math.min(first, measured.whole().fromMs());
            }
        }
        cells.sort(Comparator.comparing(CellMeasurement::load).thenComparing(CellMeasurement::name));
        List<Check> checks = Audit.ofLog(recorder, records, counted, nativeCounts, cells);
        return new LogMeasurement(
                source, records, widthMs, cells.isEmpty() ? 0 : first, List.copyOf(cells), List.copyOf(checks));
    }

    private CellMeasurement measure(CellSeries cell) {
        Load load = Load.parse(cell.name);
        Users users = usersOf(cell);
        Tally all = merged(cell, cell.tallies.first(), cell.tallies.first() + cell.tallies.length());
        Summary whole = summary(cell.firstStart, cell.lastEnd + 1, all, all.users());
        WindowFinder.Found found = new WindowFinder(cell, widthMs)
                .find(load, users, whole.latency().p50());
        SteadyWindow window;
        Tally steadyTally;
        Summary steady;
        if (found.nothing()) {
            window = new SteadyWindow(whole.fromMs(), whole.toMs(), SteadyWindow.Cut.NONE, Double.NaN);
            steadyTally = all;
            steady = whole;
        } else {
            long from = found.from() * widthMs;
            long to = found.to() * widthMs;
            window = new SteadyWindow(epoch(from), epoch(to), found.cut(), found.target());
            steadyTally = merged(cell, found.from(), found.to());
            steady = summary(from, to, steadyTally, users.mean(found.from(), found.to(), steadyTally));
        }
        List<Slice> slices = slices(cell, users);
        boolean ownUsers =
                populations.containsKey(cell.name) || recorder.cells().size() == 1;
        boolean usersKnown = source.users() != LogSource.Users.UNKNOWN;
        List<Check> checks = Audit.ofCell(new Audit.Facts(
                cell.name, load, whole, all, window, steady, steadyTally, slices, usersKnown, ownUsers, nativeCounts));
        return new CellMeasurement(
                cell.name, load, whole, window, steady, steadyTally, slices, List.copyOf(checks), Optional.empty());
    }

    private Users usersOf(CellSeries cell) {
        if (source.users() != LogSource.Users.RECORDS) {
            return Users.ofSamples(cell.tallies);
        }
        if (populations.containsKey(cell.name)) {
            return Users.ofRecords(populations.get(cell.name), widthMs);
        }
        if (everybody == null) {
            everybody = Users.ofRecords(recorder.populations(), widthMs);
        }
        return everybody;
    }

    private static Tally merged(CellSeries cell, long from, long to) {
        Tally merged = new Tally();
        for (long bucket = from; bucket < to; bucket++) {
            Tally tally = cell.tallies.get(bucket);
            if (tally != null) {
                merged.merge(tally);
            }
        }
        return merged;
    }

    private Summary summary(long from, long to, Tally tally, double users) {
        return new Summary(
                epoch(from),
                epoch(to),
                tally.count(),
                tally.errors(),
                recorder.errorKinds(tally),
                users,
                source.bytes() ? tally.bytes() : Recorder.UNKNOWN,
                source.sentBytes() ? tally.sentBytes() : Recorder.UNKNOWN,
                tally.latency());
    }

    private List<Slice> slices(CellSeries cell, Users users) {
        List<Slice> slices = new ArrayList<>(cell.tallies.length());
        Tally nothing = new Tally();
        for (int i = 0; i < cell.tallies.length(); i++) {
            long bucket = cell.tallies.first() + i;
            Tally tally = cell.tallies.get(bucket) == null ? nothing : cell.tallies.get(bucket);
            slices.add(new Slice(
                    epoch(bucket * widthMs),
                    epoch((bucket + 1) * widthMs),
                    tally.started(),
                    tally.count(),
                    tally.errors(),
                    users.mean(bucket),
                    source.bytes() ? tally.bytes() : Recorder.UNKNOWN,
                    tally.latency()));
        }
        return List.copyOf(slices);
    }

    private long epoch(long logMs) {
        return source.originMs() + logMs;
    }
}
