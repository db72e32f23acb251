package org.servletbench.bench.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.Load;

/**
 * Takes the records of one log, in any order, and gives its measurement. Not thread-safe.
 *
 * <p>Memory is constant in the number of requests: it holds one tally per cell and second. When these would take more
 * than {@value #MEMORY} bytes all seconds are joined two by two, then again, and so on: how often depends on what was
 * recorded, not on its order.
 */
public final class Recorder implements Records {
    /** The kind of error of a request that did not fail. */
    public static final int OK = -1;
    /** A number that the log does not tell. */
    public static final int UNKNOWN = -1;
    /** More names than this are no cells: a log that puts the id of every item in its request names, say. */
    public static final int MAX_CELLS = 300;
    /** Further kinds of error are counted together. */
    public static final int MAX_KINDS = 128;

    public static final int OTHER_KIND = MAX_KINDS;

    static final String OTHER = "(other kinds of error)";
    static final long FIRST_WIDTH_MS = 1000;
    /** No request takes 34 years. The limit keeps every sum far from overflow. */
    static final long LONGEST_MS = 1L << 40;

    private static final long MEMORY = 12 << 20;
    private static final int WIDEST = 48;

    private final LogSource source;
    /** Added to the log's times to give those on our clock, ms. */
    private final long laterMs;
    /** How many generators share the load, of which this log is one's. */
    private final int generators;

    private final Map<String, Integer> cellNumbers = new HashMap<>();
    private final List<String> kinds = new ArrayList<>();
    private final Map<String, Integer> kindNumbers = new HashMap<>();
    private final Map<Integer, Long> generatorErrors = new HashMap<>();
    private final List<Users.Population> populations = new ArrayList<>();
    private CellSeries[] cells = new CellSeries[16];
    private int cellCount;
    private long widthMs = FIRST_WIDTH_MS;
    private int widened;
    private long memory;
    private int waiting;
    private long impossible;
    private String truncation;

    /** @param source what the log is; its origin is added to all times when the measurement is made */
    public Recorder(LogSource source) {
        this(source, 0, 1);
    }

    private Recorder(LogSource source, long laterMs, int generators) {
        this.source = source;
        this.laterMs = laterMs;
        this.generators = generators;
    }

    /** A recorder for one of so many logs of the same load, for any thread; it can be {@link #merge merged} into this one. */
    public Recorder beside(LogSource other, int generators) {
        return new Recorder(source, other.originMs() - source.originMs(), generators);
    }

    /**
     * Adds what a recorder {@link #beside} this one has taken; that one is of no use afterwards. The sum is what one recorder would
     * have made of both logs, but users of different logs are different users.
     *
     * @param name of the other log, for people
     * @throws UnreadableLogException for more than {@value #MAX_CELLS} names in both
     */
    public void merge(Recorder other, String name) throws UnreadableLogException {
        other.settle(Long.MAX_VALUE, 1);
        for (CellSeries cell : other.cells()) {
            cell(cell.name);
        }
        for (Users.Population population : other.populations) {
            if (populations.stream().noneMatch(own -> own.name.equals(population.name))) {
                population(population.name);
            }
        }
        while (widthMs != other.widthMs || memory + missing(other) * Series.PLACE_BYTES > MEMORY && widened < WIDEST) {
            (other.widthMs < widthMs ? other : this).widenOnce();
        }
        int[] kinds = other.kinds.stream().mapToInt(this::errorKind).toArray();
        for (CellSeries cell : other.cells()) {
            cells[cellNumbers.get(cell.name)].merge(cell, kinds, source.users() == LogSource.Users.SAMPLES);
        }
        for (Users.Population population : other.populations) {
            changes(population.name).merge(population.changes);
        }
        memory = footprint();
        widen();
        other.generatorErrors.forEach((kind, times) ->
                generatorErrors.merge(kind == OTHER_KIND ? OTHER_KIND : kinds[kind], times, Long::sum));
        impossible += other.impossible;
        if (other.truncation != null) {
            truncated(name + " " + other.truncation);
        }
    }

    private Series<UserBucket> changes(String population) {
        return populations.stream()
                .filter(one -> one.name.equals(population))
                .findFirst()
                .orElseThrow()
                .changes;
    }

    private long missing(Recorder other) {
        long places = 0;
        for (CellSeries cell : other.cells()) {
            places += cells[cellNumbers.get(cell.name)].tallies.missing(cell.tallies);
        }
        for (Users.Population population : other.populations) {
            places += changes(population.name).missing(population.changes);
        }
        return places;
    }

    /** {@inheritDoc} At most {@value #MAX_CELLS} names. */
    @Override
    public int cell(String name) throws UnreadableLogException {
        Integer known = cellNumbers.get(name);
        if (known != null) {
            return known;
        }
        if (cellCount == MAX_CELLS) {
            throw new UnreadableLogException("more than " + MAX_CELLS + " request names: give requests that belong"
                    + " together one name in the load script");
        }
        if (cellCount == cells.length) {
            cells = Arrays.copyOf(cells, 2 * cellCount);
        }
        cells[cellCount] = new CellSeries(name, evenStarts(name));
        cellNumbers.put(name, cellCount);
        return cellCount++;
    }

    private EvenStarts evenStarts(String name) {
        double rate = Load.parse(name).rate() / generators;
        boolean own = populations.stream().anyMatch(one -> one.name.equals(name));
        return source.evenStarts() && own && rate >= EvenStarts.LEAST_RATE ? new EvenStarts(rate) : null;
    }

    /** {@inheritDoc} The number is {@link #OTHER_KIND} for all that come after {@value #MAX_KINDS}. */
    @Override
    public int errorKind(String message) {
        Integer known = kindNumbers.get(message);
        if (known != null) {
            return known;
        }
        if (kinds.size() == MAX_KINDS) {
            return OTHER_KIND;
        }
        kinds.add(message);
        kindNumbers.put(message, kinds.size() - 1);
        return kinds.size() - 1;
    }

    /** {@inheritDoc} Where it is the name of a cell, its users are those of that cell. */
    @Override
    public int population(String scenario) {
        populations.add(new Users.Population(scenario));
        return populations.size() - 1;
    }

    @Override
    public void request(int cell, long startMs, long endMs, int kind) {
        request(cell, startMs, endMs, kind, UNKNOWN, 0, 0);
    }

    /** {@inheritDoc} One that ends before it starts, or takes more than 2^40 ms, enters no figure; the audit then fails. */
    @Override
    public void request(int cell, long start, long end, int kind, int users, long bytes, long sentBytes) {
        long startMs = start + laterMs;
        long endMs = end + laterMs;
        long response = end - start;
        if (response < 0 || response > LONGEST_MS) {
            impossible++;
            return;
        }
        CellSeries series = cells[cell];
        if (endMs > series.lastEnd) {
            series.lastEnd = endMs;
        }
        Tally tally = tally(series, endMs);
        if (series.starts != null) {
            tally.end(kind, users, bytes, sentBytes);
            series.starts.ended(start, response);
            if (++waiting > EvenStarts.MOST_WAITING) {
                settle(end - EvenStarts.LONGEST_ANSWER_MS, 0);
                settle(Long.MIN_VALUE, waiting > EvenStarts.MOST_WAITING / 2 ? 0.5 : 0);
            }
            return;
        }
        if (startMs < series.firstStart) {
            series.firstStart = startMs;
        }
        memory += tally.end(response, kind, users, bytes, sentBytes);
        // The start last, and without moving the place: a request that began in the second before would else move it
        // there and back.
        if (startMs >= series.currentFrom && startMs < series.currentTo) {
            series.current.start();
        } else {
            earlier(series, startMs).start();
        }
        if (memory > MEMORY) {
            widen();
        }
    }

    private void settle(long beforeMs, double share) {
        waiting = 0;
        for (CellSeries cell : cells()) {
            if (cell.starts != null) {
                waiting += cell.starts.settle(beforeMs, share, (due, sent, end) -> due(cell, due, sent, end));
            }
        }
    }

    private void due(CellSeries cell, long dueMs, long sentMs, long endMs) {
        long at = dueMs + laterMs;
        cell.firstStart = Math.min(cell.firstStart, at);
        memory += earlier(cell, at).due(endMs - dueMs, endMs - sentMs);
        if (memory > MEMORY) {
            widen();
        }
    }

    private Tally tally(CellSeries series, long at) {
        if (series.current != null && at >= series.currentFrom && at < series.currentTo) {
            return series.current;
        }
        Tally tally = earlier(series, at);
        series.current = tally;
        series.currentFrom = Math.floorDiv(at, widthMs) * widthMs;
        series.currentTo = series.currentFrom + widthMs;
        return tally;
    }

    private Tally earlier(CellSeries series, long at) {
        makeRoom(series.tallies, at);
        long bucket = Math.floorDiv(at, widthMs);
        Tally tally = series.tallies.get(bucket);
        if (tally == null) {
            memory += series.tallies.missing(bucket) * Series.PLACE_BYTES;
            tally = series.tallies.make(bucket);
            memory += tally.footprint();
        }
        return tally;
    }

    private void makeRoom(Series<?> series, long at) {
        while (memory + series.missing(Math.floorDiv(at, widthMs)) * Series.PLACE_BYTES > MEMORY && widened < WIDEST) {
            widenOnce();
        }
    }

    private void widen() {
        while (memory > MEMORY && widened < WIDEST) {
            widenOnce();
        }
    }

    private void widenOnce() {
        for (int i = 0; i < cellCount; i++) {
            cells[i].forgetCurrent();
            cells[i].tallies.widen(widthMs);
        }
        for (Users.Population population : populations) {
            population.changes.widen(widthMs);
        }
        memory = footprint();
        widthMs *= 2;
        widened++;
    }

    private long footprint() {
        return cells().stream().mapToLong(cell -> cell.tallies.footprint()).sum()
                + populations.stream().mapToLong(one -> one.changes.footprint()).sum();
    }

    @Override
    public void userStarts(int population, long atMs) {
        user(population, 1, atMs);
    }

    @Override
    public void userEnds(int population, long atMs) {
        user(population, -1, atMs);
    }

    private void user(int population, int sign, long atMs) {
        long at = atMs + laterMs;
        Series<UserBucket> changes = populations.get(population).changes;
        makeRoom(changes, at);
        long bucket = Math.floorDiv(at, widthMs);
        UserBucket users = changes.get(bucket);
        if (users == null) {
            memory += changes.missing(bucket) * Series.PLACE_BYTES;
            users = changes.make(bucket);
            memory += users.footprint();
        }
        users.change(sign, (bucket + 1) * widthMs - at);
        if (memory > MEMORY) {
            widen();
        }
    }

    /** {@inheritDoc} The audit then fails. */
    @Override
    public void generatorError(int kind) {
        generatorErrors.merge(kind, 1L, Long::sum);
    }

    @Override
    public void truncated(String what) {
        truncation = truncation == null ? what : truncation + "; " + what;
    }

    /**
     * The measurement of all that was recorded.
     *
     * @param records requests as the reader counted them, to be compared with what was counted here
     * @param nativeCounts what the generator's own report says, by request name; empty when there is no report
     */
    public LogMeasurement measure(long records, Optional<Map<String, NativeCount>> nativeCounts) {
        settle(Long.MAX_VALUE, 1);
        return new Measuring(this, records, nativeCounts).measure();
    }

    LogSource source() {
        return source;
    }

    List<CellSeries> cells() {
        return Arrays.asList(cells).subList(0, cellCount);
    }

    List<Users.Population> populations() {
        return populations;
    }

    long widthMs() {
        return widthMs;
    }

    long impossible() {
        return impossible;
    }

    Optional<String> truncation() {
        return Optional.ofNullable(truncation);
    }

    Map<String, Long> generatorErrors() {
        Map<String, Long> named = new HashMap<>();
        generatorErrors.forEach((kind, times) -> named.put(kindName(kind), times));
        return mostFrequentFirst(named);
    }

    Map<String, Long> errorKinds(Tally tally) {
        Map<String, Long> named = new HashMap<>();
        for (int kind = 0; kind <= OTHER_KIND; kind++) {
            if (tally.errorsOf(kind) > 0) {
                named.put(kindName(kind), tally.errorsOf(kind));
            }
        }
        return mostFrequentFirst(named);
    }

    private String kindName(int kind) {
        return kind == OTHER_KIND ? OTHER : kinds.get(kind);
    }

    private static Map<String, Long> mostFrequentFirst(Map<String, Long> times) {
        Map<String, Long> sorted = new LinkedHashMap<>();
        times.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(e -> sorted.put(e.getKey(), e.getValue()));
        return sorted;
    }
}
