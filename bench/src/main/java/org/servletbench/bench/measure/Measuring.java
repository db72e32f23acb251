package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Warning;

/** Turns the recorded data into figures, after the pass through the log. */
final class Measuring {
    /** Minimum number of slices without a request between two runs. */
    private static final int LEAST_GAP = 3;
    /**
     * Minimum number of requests that are missing in the gap between two runs, according to the mean rate of the rest.
     */
    private static final double MISSED = 30;
    /** Minimum delay of an answer after the last request was sent for it to count as hung, ms. */
    private static final int LATE_MS = 1000;
    /**
     * Maximum number of requests with one name from a user who counts as a visitor, that is, one who comes and goes.
     */
    private static final int VISITORS = 2;
    /** Maximum number of runs. If there are more gaps, users pause. */
    private static final int MOST_RUNS = 20;

    private final Recorder recorder;
    private final long records;
    private final LogSource source;
    private final long widthMs;
    private final Map<String, Users> underWay = new HashMap<>();
    /** Users by the populations that send requests of a load. */
    private final Map<List<Users.Population>, Users> users = new HashMap<>();

    private final Map<List<Users.Population>, Boolean> visitors = new HashMap<>();
    /** Slices in which requests of any load were in flight, counted from the first one. */
    private final BitSet busy = new BitSet();

    private final long firstSlice;
    /** Number of requests of each load, by the load's number. */
    private final long[] requests;
    /** The loads of each journey. */
    private final Map<String, List<LoadSeries>> journeys = new HashMap<>();

    Measuring(Recorder recorder, long records) {
        this.recorder = recorder;
        this.records = records;
        this.source = recorder.source();
        this.widthMs = recorder.widthMs();
        firstSlice = recorder.loads().stream()
                .filter(load -> load.tallies.length() > 0)
                .mapToLong(load -> load.tallies.first())
                .min()
                .orElse(0);
        requests = new long[recorder.loads().size()];
        for (LoadSeries load : recorder.loads()) {
            Users waiting = Users.underWay(load.tallies, widthMs);
            underWay.put(load.name, waiting);
            for (int i = 0; i < load.tallies.length(); i++) {
                long slice = load.tallies.first() + i;
                if (load.tallies.get(slice) != null || waiting.mean(slice) > 0) {
                    busy.set(Math.toIntExact(slice - firstSlice));
                }
            }
            load.tallies.each(tally -> requests[load.number] += tally.count());
            Load.journey(load.name).ifPresent(journey -> journeys.computeIfAbsent(journey, none -> new ArrayList<>())
                    .add(load));
        }
    }

    LogMeasurement measure() {
        List<WindowResult> loads = new ArrayList<>();
        long counted = 0;
        long first = Long.MAX_VALUE;
        for (LoadSeries load : recorder.loads()) {
            if (load.tallies.length() > 0) {
                WindowResult measured = measure(load);
                loads.add(measured);
                counted += measured.whole().count();
                first = Math.min(first, measured.whole().fromMs());
                if (recorder.hasManyLoads()) {
                    load.forget();
                }
            }
        }
        loads.sort(Comparator.comparing((WindowResult load) -> Recorder.isOthers(load.name()))
                .thenComparing(load -> Records.Role.of(load.name()))
                .thenComparing(WindowResult::load)
                .thenComparing(WindowResult::name));
        List<Warning> checks = Audit.ofLog(recorder, records, counted);
        return new LogMeasurement(
                source, records, widthMs, loads.isEmpty() ? 0 : first, List.copyOf(loads), List.copyOf(checks));
    }

    private WindowResult measure(LoadSeries measuredLoad) {
        Load load = Load.parse(measuredLoad.name);
        Users waiting = underWay.get(measuredLoad.name);
        List<Users.Population> own = recorder.populations().of(measuredLoad);
        Users users = usersOf(measuredLoad, own, waiting);
        Tally all = merged(
                measuredLoad,
                measuredLoad.tallies.first(),
                measuredLoad.tallies.first() + measuredLoad.tallies.length());
        Summary whole = summary(
                measuredLoad.firstStart, measuredLoad.lastEnd + 1, all, doNamesOverlap(own) ? Double.NaN : all.users());
        Run run = largestRun(measuredLoad);
        WindowFinder.Found found = all.hasOnlySums()
                ? WindowFinder.Found.NOTHING
                : new WindowFinder(
                                measuredLoad.tallies,
                                waiting,
                                widthMs,
                                run.firstStart,
                                Math.min(run.lastEnd, measuredLoad.lastStart),
                                run.lastEnd)
                        .find(
                                load,
                                users,
                                areKnown(own) && areVisitors(own),
                                whole.latency().p50());
        boolean uncut = found.nothing();
        long first = uncut ? Math.floorDiv(run.firstStart, widthMs) : found.from();
        long end = uncut ? Math.floorDiv(run.lastEnd, widthMs) + 1 : found.to();
        long from = Math.max(run.firstStart, first * widthMs);
        long to = Math.min(run.lastEnd + 1, end * widthMs);
        Tally steadyTally = merged(measuredLoad, first, end);
        // All users stay until the end of a slice that is only partly in the window.
        long wholeSlices = Math.max(first + 1, Math.floorDiv(to, widthMs));
        Summary steady = summary(
                from,
                to,
                steadyTally,
                uncut && !doNamesOverlap(own) ? steadyTally.users() : users.mean(first, wholeSlices, steadyTally));
        SteadyWindow window = new SteadyWindow(epoch(from), epoch(to), found.cut(), found.target());
        List<Slice> slices = slices(measuredLoad, users);
        List<Warning> checks = Audit.ofLoad(new Audit.Facts(
                measuredLoad.shown(),
                load,
                whole,
                all,
                window,
                steady,
                steadyTally,
                waiting.mean(first, end, steadyTally) * (end - first) * widthMs / (to - from),
                ofJourney(measuredLoad, first, end).map(sum -> sum * (end - first) * widthMs / (to - from)),
                slices,
                trend(measuredLoad, from, to),
                standstill(measuredLoad, waiting, from, to, whole.latency().p50()),
                areKnown(own),
                doNamesOverlap(own),
                isAlone(measuredLoad, own),
                run.others,
                all.hasOnlySums()
                        ? ""
                        : answeredLate(measuredLoad, end, whole.latency().p50())));
        return new WindowResult(
                measuredLoad.shown(),
                load,
                new WindowResult.Counted(
                        steady, Optional.of(steadyTally.histogram(recorder.hasManyLoads())), List.of()),
                new WindowResult.Course(whole, window, slices, Optional.empty()),
                WindowResult.Monitored.NOT,
                new WindowResult.Findings(
                        checks.stream()
                                .filter(check -> check.failed() || !recorder.hasManyLoads())
                                .toList(),
                        List.of(),
                        List.of()));
    }

    /**
     * Returns the mean number of requests in flight in slices {@code [first, end)}, over all loads that share this
     * load's users.
     */
    private Optional<Double> ofJourney(LoadSeries load, long first, long end) {
        return Load.journey(load.name).map(journey -> journeys.get(journey).stream()
                .mapToDouble(one -> underWay.get(one.name).mean(first, end, new Tally()))
                .sum());
    }

    /**
     * A part of a load without a gap.
     *
     * @param others description of the other parts, which are left out; empty if there are none
     */
    private record Run(long firstStart, long lastEnd, String others) {}

    /**
     * Returns the run with the most requests. Two runs are separated by a time in which nothing was in flight in the
     * whole log, although many requests would have been expected.
     */
    private Run largestRun(LoadSeries load) {
        long first = load.tallies.first();
        List<Long> busy = LongStream.range(first, first + load.tallies.length())
                .filter(slice -> this.busy.get((int) (slice - firstSlice)))
                .boxed()
                .toList();
        long all = requests[load.number];
        double gap = Math.max(LEAST_GAP, MISSED * busy.size() / (double) all);
        List<long[]> runs = new ArrayList<>();
        for (long bucket : busy) {
            long[] last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            if (last == null || bucket - last[1] >= gap) {
                runs.add(new long[] {bucket, bucket + 1});
            } else {
                last[1] = bucket + 1;
            }
        }
        if (runs.size() < 2 || runs.size() > MOST_RUNS) {
            return new Run(load.firstStart, load.lastEnd, "");
        }
        long[] largest = Collections.max(runs, Comparator.comparingLong(run -> merged(load, run[0], run[1])
                .count()));
        // The ends of inner runs are not known to the ms, so these runs are cut to whole slices.
        return new Run(
                Math.max(load.firstStart, largest[0] * widthMs + (largest[0] == first ? 0 : 1)),
                Math.min(load.lastEnd, largest[1] * widthMs - 2),
                text(
                        "%d runs with nothing under way between them, for up to %.0f s: these figures are of the"
                                + " largest, %d of %d requests are in others. Measure each run's log by itself",
                        runs.size(),
                        IntStream.range(1, runs.size())
                                        .mapToLong(i -> runs.get(i)[0] - runs.get(i - 1)[1])
                                        .max()
                                        .orElse(0)
                                * widthMs
                                / 1000.0,
                        all - merged(load, largest[0], largest[1]).count(),
                        all));
    }

    /** True if most users sent few requests and left. This is an open model whose rate is not in the name. */
    private boolean areVisitors(List<Users.Population> own) {
        return visitors.computeIfAbsent(own, this::sendFew);
    }

    private boolean sendFew(List<Users.Population> own) {
        List<Users.Population> users = own.isEmpty() ? recorder.populations().all : own;
        long came = users.stream().mapToLong(one -> one.came).sum();
        long sent = recorder.loads().stream()
                .filter(load -> own.isEmpty() || own.stream().anyMatch(one -> one.sends(load)))
                .mapToLong(load -> requests[load.number])
                .max()
                .orElse(0);
        return VISITORS * came >= sent && sent > 0;
    }

    /**
     * Describes requests that hung until long after the load, for people; empty if there are none.
     *
     * @param end end of the window, as a slice; requests that end in it are in the figures
     */
    private String answeredLate(LoadSeries load, long end, double medianMs) {
        double usual = Math.max(LATE_MS, WindowFinder.LONG * medianMs);
        long first = Math.max(end, (long) Math.ceil((load.lastStart + usual) / widthMs));
        Tally late = merged(load, first, load.tallies.first() + load.tallies.length());
        return late.count() == 0
                ? ""
                : text(
                        "answers to %d of its requests came up to %.0f s after the last one was sent; the slowest took %.0f ms",
                        late.count(),
                        (load.lastEnd - load.lastStart) / 1000.0,
                        late.latency().max());
    }

    /** True if the load's users send no other requests. */
    private boolean isAlone(LoadSeries load, List<Users.Population> own) {
        return recorder.loads().size() == 1 || !own.isEmpty() && own.stream().allMatch(one -> one.sendsOnly(load));
    }

    private boolean areKnown(List<Users.Population> own) {
        return source.users() != LogSource.Users.UNKNOWN && !doNamesOverlap(own);
    }

    private boolean doNamesOverlap(List<Users.Population> own) {
        return (own.isEmpty() ? recorder.populations().all : own).stream().anyMatch(one -> one.isUnknown);
    }

    private Users usersOf(LoadSeries load, List<Users.Population> own, Users waiting) {
        if (doNamesOverlap(own)) {
            return Users.UNKNOWN;
        }
        if (source.users() != LogSource.Users.RECORDS) {
            return Users.ofSamples(load.tallies, waiting, source.users() == LogSource.Users.SAMPLES);
        }
        return users.computeIfAbsent(
                own, few -> Users.ofRecords(few.isEmpty() ? recorder.populations().all : few, widthMs));
    }

    private static Tally merged(LoadSeries load, long from, long to) {
        Tally merged = new Tally();
        for (long bucket = from; bucket < to; bucket++) {
            Tally tally = load.tallies.get(bucket);
            if (tally != null) {
                merged.merge(tally);
            }
        }
        return merged;
    }

    /** Returns the trend over the whole slices of a span, or over their quarters if there are too few slices. */
    private Optional<Trend> trend(LoadSeries load, long from, long to) {
        long first = -Math.floorDiv(-from, widthMs);
        int slices = (int) Math.max(0, Math.floorDiv(to, widthMs) - first);
        int parts = slices < Trend.LEAST_POINTS ? Tally.QUARTERS : 1;
        double[] rates = new double[slices * parts];
        for (int i = 0; i < rates.length; i++) {
            Tally tally = load.tallies.get(first + i / parts);
            long ended = tally == null ? 0 : parts == 1 ? tally.count() : tally.endedIn(i % parts);
            rates[i] = ended * 1000.0 * parts / widthMs;
        }
        return parts == 1 ? Trend.of(rates) : Trend.ofQuarters(rates);
    }

    /**
     * Returns the standstill within the whole slices of a span; empty if there is none. Without a request in flight,
     * there is nothing to answer.
     */
    private Optional<Standstill> standstill(LoadSeries load, Users waiting, long from, long to, double medianMs) {
        long first = -Math.floorDiv(-from, widthMs);
        int slices = (int) Math.max(0, Math.floorDiv(to, widthMs) - first);
        long[] answers = new long[slices * Tally.QUARTERS];
        for (int i = 0; i < answers.length; i++) {
            long slice = first + i / Tally.QUARTERS;
            Tally tally = load.tallies.get(slice);
            long ended = tally == null ? 0 : tally.endedIn(i % Tally.QUARTERS);
            // Users in a pause are not waiting for an answer.
            boolean nothing = tally == null && !(waiting.mean(slice) > 0);
            answers[i] = nothing ? 1 : ended;
        }
        return Standstill.of(answers, widthMs / (double) Tally.QUARTERS, medianMs);
    }

    private Summary summary(long from, long to, Tally tally, double users) {
        return new Summary(
                epoch(from),
                epoch(to),
                (to - from) / 1000.0,
                tally.count(),
                tally.errors(),
                recorder.errorKinds(tally),
                users,
                source.bytes() ? tally.bytes() : Recorder.UNKNOWN,
                source.sentBytes() ? tally.sentBytes() : Recorder.UNKNOWN,
                tally.latency());
    }

    private List<Slice> slices(LoadSeries load, Users users) {
        List<Slice> slices = new ArrayList<>(load.tallies.length());
        Tally nothing = new Tally();
        for (int i = 0; i < load.tallies.length(); i++) {
            long bucket = load.tallies.first() + i;
            Tally tally = load.tallies.get(bucket) == null ? nothing : load.tallies.get(bucket);
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
