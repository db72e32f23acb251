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
import org.servletbench.bench.model.Mark;

/** Turns the recorded data into figures: the step after the pass. */
final class Measuring {
    /** Least number of slices without a request that separate two runs. */
    private static final int LEAST_GAP = 3;
    /** Least number of requests missing in the gap between two runs, by the mean rate of the others. */
    private static final double MISSED = 30;
    /** Least delay of an answer after the last request was sent with which it counts as hung, ms. */
    private static final int LATE_MS = 1000;
    /** Most requests of a name from one user who counts as a visitor, one of those who come and go. */
    private static final int VISITORS = 2;
    /** Most runs: with more gaps than this, users pause. */
    private static final int MOST_RUNS = 20;

    private final Recorder recorder;
    private final long records;
    private final LogSource source;
    private final long widthMs;
    private final Map<String, Users> underWay = new HashMap<>();
    /** Users by the populations that send requests of a cell. */
    private final Map<List<Users.Population>, Users> users = new HashMap<>();

    private final Map<List<Users.Population>, Boolean> visitors = new HashMap<>();
    /** Slices with a request of any cell under way, from the first one on. */
    private final BitSet busy = new BitSet();

    private final long firstSlice;
    /** By the cell's number. */
    private final long[] requests;
    /** The cells of each journey. */
    private final Map<String, List<CellSeries>> journeys = new HashMap<>();

    Measuring(Recorder recorder, long records) {
        this.recorder = recorder;
        this.records = records;
        this.source = recorder.source();
        this.widthMs = recorder.widthMs();
        firstSlice = recorder.cells().stream()
                .filter(cell -> cell.tallies.length() > 0)
                .mapToLong(cell -> cell.tallies.first())
                .min()
                .orElse(0);
        requests = new long[recorder.cells().size()];
        for (CellSeries cell : recorder.cells()) {
            Users waiting = Users.underWay(cell.tallies, widthMs);
            underWay.put(cell.name, waiting);
            for (int i = 0; i < cell.tallies.length(); i++) {
                long slice = cell.tallies.first() + i;
                if (cell.tallies.get(slice) != null || waiting.mean(slice) > 0) {
                    busy.set(Math.toIntExact(slice - firstSlice));
                }
            }
            cell.tallies.each(tally -> requests[cell.number] += tally.count());
            Load.journey(cell.name).ifPresent(journey -> journeys.computeIfAbsent(journey, none -> new ArrayList<>())
                    .add(cell));
        }
    }

    LogMeasurement measure() {
        List<WindowResult> cells = new ArrayList<>();
        long counted = 0;
        long first = Long.MAX_VALUE;
        for (CellSeries cell : recorder.cells()) {
            if (cell.tallies.length() > 0) {
                WindowResult measured = measure(cell);
                cells.add(measured);
                counted += measured.whole().count();
                first = Math.min(first, measured.whole().fromMs());
                if (recorder.hasManyCells()) {
                    cell.forget();
                }
            }
        }
        cells.sort(Comparator.comparing((WindowResult cell) -> Recorder.isOthers(cell.name()))
                .thenComparing(cell -> Records.Role.of(cell.name()))
                .thenComparing(WindowResult::load)
                .thenComparing(WindowResult::name));
        List<Mark> checks = Audit.ofLog(recorder, records, counted);
        return new LogMeasurement(
                source, records, widthMs, cells.isEmpty() ? 0 : first, List.copyOf(cells), List.copyOf(checks));
    }

    private WindowResult measure(CellSeries cell) {
        Load load = Load.parse(cell.name);
        Users waiting = underWay.get(cell.name);
        List<Users.Population> own = recorder.populations().of(cell);
        Users users = usersOf(cell, own, waiting);
        Tally all = merged(cell, cell.tallies.first(), cell.tallies.first() + cell.tallies.length());
        Summary whole = summary(cell.firstStart, cell.lastEnd + 1, all, doNamesOverlap(own) ? Double.NaN : all.users());
        Run run = largestRun(cell);
        WindowFinder.Found found = all.hasOnlySums()
                ? WindowFinder.Found.NOTHING
                : new WindowFinder(
                                cell.tallies,
                                waiting,
                                widthMs,
                                run.firstStart,
                                Math.min(run.lastEnd, cell.lastStart),
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
        Tally steadyTally = merged(cell, first, end);
        // All users stay until the end of a slice of which only a part is in the window.
        long wholeSlices = Math.max(first + 1, Math.floorDiv(to, widthMs));
        Summary steady = summary(
                from,
                to,
                steadyTally,
                uncut && !doNamesOverlap(own) ? steadyTally.users() : users.mean(first, wholeSlices, steadyTally));
        SteadyWindow window = new SteadyWindow(epoch(from), epoch(to), found.cut(), found.target());
        List<Slice> slices = slices(cell, users);
        List<Mark> checks = Audit.ofCell(new Audit.Facts(
                cell.shown(),
                load,
                whole,
                all,
                window,
                steady,
                steadyTally,
                waiting.mean(first, end, steadyTally) * (end - first) * widthMs / (to - from),
                ofJourney(cell, first, end).map(sum -> sum * (end - first) * widthMs / (to - from)),
                slices,
                trend(cell, from, to),
                standstill(cell, waiting, from, to, whole.latency().p50()),
                areKnown(own),
                doNamesOverlap(own),
                isAlone(cell, own),
                run.others,
                all.hasOnlySums() ? "" : answeredLate(cell, end, whole.latency().p50())));
        return new WindowResult(
                cell.shown(),
                load,
                new WindowResult.Counted(
                        steady, Optional.of(steadyTally.histogram(recorder.hasManyCells())), List.of()),
                new WindowResult.Course(whole, window, slices, Optional.empty()),
                WindowResult.Monitored.NOT,
                new WindowResult.Findings(
                        checks.stream()
                                .filter(check -> check.failed() || !recorder.hasManyCells())
                                .toList(),
                        List.of(),
                        List.of()));
    }

    /** Returns the mean number of requests under way in slices {@code [first, end)} of all cells that share this one's users. */
    private Optional<Double> ofJourney(CellSeries cell, long first, long end) {
        return Load.journey(cell.name).map(journey -> journeys.get(journey).stream()
                .mapToDouble(one -> underWay.get(one.name).mean(first, end, new Tally()))
                .sum());
    }

    /**
     * A part of a cell without a gap.
     *
     * @param others description of the other parts, which are left out; empty if there are none
     */
    private record Run(long firstStart, long lastEnd, String others) {}

    /** Two runs are separated by a stretch in which nothing was under way in the whole log, although it would have had many requests. */
    private Run largestRun(CellSeries cell) {
        long first = cell.tallies.first();
        List<Long> busy = LongStream.range(first, first + cell.tallies.length())
                .filter(slice -> this.busy.get((int) (slice - firstSlice)))
                .boxed()
                .toList();
        long all = requests[cell.number];
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
            return new Run(cell.firstStart, cell.lastEnd, "");
        }
        long[] largest = Collections.max(runs, Comparator.comparingLong(run -> merged(cell, run[0], run[1])
                .count()));
        // Ends of inner runs are not known to the ms: such runs are cut to whole slices.
        return new Run(
                Math.max(cell.firstStart, largest[0] * widthMs + (largest[0] == first ? 0 : 1)),
                Math.min(cell.lastEnd, largest[1] * widthMs - 2),
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
                        all - merged(cell, largest[0], largest[1]).count(),
                        all));
    }

    /** True if most users sent few requests and left: an open model whose rate is not in the name. */
    private boolean areVisitors(List<Users.Population> own) {
        return visitors.computeIfAbsent(own, this::sendFew);
    }

    private boolean sendFew(List<Users.Population> own) {
        List<Users.Population> users = own.isEmpty() ? recorder.populations().all : own;
        long came = users.stream().mapToLong(one -> one.came).sum();
        long sent = recorder.cells().stream()
                .filter(cell -> own.isEmpty() || own.stream().anyMatch(one -> one.sends(cell)))
                .mapToLong(cell -> requests[cell.number])
                .max()
                .orElse(0);
        return VISITORS * came >= sent && sent > 0;
    }

    /**
     * Describes requests that hung until long after the load, for people; empty if there are none.
     *
     * @param end of the window, as a slice: requests that end in it are in the figures
     */
    private String answeredLate(CellSeries cell, long end, double medianMs) {
        double usual = Math.max(LATE_MS, WindowFinder.LONG * medianMs);
        long first = Math.max(end, (long) Math.ceil((cell.lastStart + usual) / widthMs));
        Tally late = merged(cell, first, cell.tallies.first() + cell.tallies.length());
        return late.count() == 0
                ? ""
                : text(
                        "answers to %d of its requests came up to %.0f s after the last one was sent; the slowest took %.0f ms",
                        late.count(),
                        (cell.lastEnd - cell.lastStart) / 1000.0,
                        late.latency().max());
    }

    /** True if its users send no other requests. */
    private boolean isAlone(CellSeries cell, List<Users.Population> own) {
        return recorder.cells().size() == 1 || !own.isEmpty() && own.stream().allMatch(one -> one.sendsOnly(cell));
    }

    private boolean areKnown(List<Users.Population> own) {
        return source.users() != LogSource.Users.UNKNOWN && !doNamesOverlap(own);
    }

    private boolean doNamesOverlap(List<Users.Population> own) {
        return (own.isEmpty() ? recorder.populations().all : own).stream().anyMatch(one -> one.isUnknown);
    }

    private Users usersOf(CellSeries cell, List<Users.Population> own, Users waiting) {
        if (doNamesOverlap(own)) {
            return Users.UNKNOWN;
        }
        if (source.users() != LogSource.Users.RECORDS) {
            return Users.ofSamples(cell.tallies, waiting, source.users() == LogSource.Users.SAMPLES);
        }
        return users.computeIfAbsent(
                own, few -> Users.ofRecords(few.isEmpty() ? recorder.populations().all : few, widthMs));
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

    /** Returns the trend over the whole slices within a span, or over their quarters if there are too few slices. */
    private Optional<Trend> trend(CellSeries cell, long from, long to) {
        long first = -Math.floorDiv(-from, widthMs);
        int slices = (int) Math.max(0, Math.floorDiv(to, widthMs) - first);
        int parts = slices < Trend.LEAST_POINTS ? Tally.QUARTERS : 1;
        double[] rates = new double[slices * parts];
        for (int i = 0; i < rates.length; i++) {
            Tally tally = cell.tallies.get(first + i / parts);
            long ended = tally == null ? 0 : parts == 1 ? tally.count() : tally.endedIn(i % parts);
            rates[i] = ended * 1000.0 * parts / widthMs;
        }
        return parts == 1 ? Trend.of(rates) : Trend.ofQuarters(rates);
    }

    /** Finds it within the whole slices of a span; without a request under way there is nothing to answer. */
    private Optional<Standstill> standstill(CellSeries cell, Users waiting, long from, long to, double medianMs) {
        long first = -Math.floorDiv(-from, widthMs);
        int slices = (int) Math.max(0, Math.floorDiv(to, widthMs) - first);
        long[] answers = new long[slices * Tally.QUARTERS];
        for (int i = 0; i < answers.length; i++) {
            long slice = first + i / Tally.QUARTERS;
            Tally tally = cell.tallies.get(slice);
            long ended = tally == null ? 0 : tally.endedIn(i % Tally.QUARTERS);
            // Pausing users do not wait for an answer.
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
