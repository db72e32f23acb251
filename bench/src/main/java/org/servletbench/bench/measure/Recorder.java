package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
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
    /** More names than this are told apart only where the largest are known: see {@link #naming}. */
    public static final int MAX_CELLS = 300;
    /** Further kinds of error are counted together. */
    public static final int MAX_KINDS = 128;

    public static final int OTHER_KIND = MAX_KINDS;

    /** Requests that lie this far from all others are of another run, or by a clock that was not set. */
    public static final long FAR_MS = OutlierFilter.FAR_MS;

    static final long FIRST_WIDTH_MS = 1000;
    /** No request takes 34 years. The limit keeps every sum far from overflow. */
    static final long LONGEST_MS = 1L << 40;

    private static final long MEMORY = 12 << 20;
    private static final int WIDEST = 48;

    private final LogSource source;
    /** Added to the log's times to give those on our clock, ms. */
    private long laterMs;
    /** How many generators share the load, of which this log is one's. */
    private int generators = 1;

    private String logName = "";
    /** What a request name is here. */
    private final UnaryOperator<String> naming;

    private final OutlierFilter nearby = new OutlierFilter();
    private final Map<String, Integer> cellNumbers = new HashMap<>();
    private final Tally.Kinds kinds = new Tally.Kinds();
    private final Map<Integer, Long> generatorErrors = new HashMap<>();
    private final Users.Populations populations = new Users.Populations();
    private CellSeries[] cells = new CellSeries[16];
    private int cellCount;
    private long widthMs = FIRST_WIDTH_MS;
    private int widened;
    private long memory;
    private int waiting;
    private long impossible;
    private long repeated;
    private String broken;
    private String truncation;

    /** @param source what the log is; its origin is added to all times when the measurement is made */
    public Recorder(LogSource source) {
        this(source, UnaryOperator.identity());
    }

    private Recorder(LogSource source, UnaryOperator<String> naming) {
        this.source = source;
        this.naming = naming;
    }

    /** The name of requests that have none of their own, because there are too many. */
    public static String others(int names) {
        return text("(%,d other names)", names);
    }

    static boolean isOthers(String name) {
        return name.endsWith(" other names)");
    }

    /** The same, empty, where requests have other names than in the log: of many, the rare ones share one. */
    public Recorder naming(UnaryOperator<String> names) {
        return new Recorder(source, names);
    }

    /**
     * From now on records are of this log, one of so many of the same load. Users of different logs are different users.
     *
     * @param name for people, before what is said of this log alone; may be empty
     */
    public Recorder of(LogSource log, int logs, String name) {
        settle();
        laterMs = log.originMs() - source.originMs();
        generators = logs;
        logName = name;
        cells().forEach(cell -> cell.starts = evenStarts(cell.name));
        return this;
    }

    /** More than {@value #MAX_CELLS} names: a log that puts the id of every item in its request names, say. */
    public static final class TooManyNames extends UnreadableLogException {
        private static final long serialVersionUID = 1;

        TooManyNames() {
            super("more than " + MAX_CELLS + " request names");
        }
    }

    /** {@inheritDoc} At most {@value #MAX_CELLS} names, and one for the others. */
    @Override
    public int cell(String inLog) throws TooManyNames {
        String name = naming.apply(inLog);
        Integer known = cellNumbers.get(name);
        if (known != null) {
            return known;
        }
        if (cellCount > MAX_CELLS) {
            throw new TooManyNames();
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
        boolean own = !populations.of(name).isEmpty();
        return source.evenStarts() && own && rate >= EvenStarts.LEAST_RATE ? new EvenStarts(rate) : null;
    }

    /** {@inheritDoc} The number is {@link #OTHER_KIND} for all that come after {@value #MAX_KINDS}. */
    @Override
    public int errorKind(String message) {
        return kinds.number(message);
    }

    /** {@inheritDoc} Where it is the name of a cell, its users are those of that cell. */
    @Override
    public int population(String scenario) {
        return populations.add(scenario);
    }

    @Override
    public void sends(int population, int cell) {
        populations.all.get(population).cells.add(cells[cell].name);
    }

    @Override
    public void request(int cell, long startMs, long endMs, int kind) {
        request(cell, startMs, endMs, kind, UNKNOWN, 0, 0);
    }

    /**
     * {@inheritDoc} One that ends before it starts, takes more than 2^40 ms, or lies far from all others, enters no figure; the audit then
     * fails.
     */
    @Override
    public void request(int cell, long start, long end, int kind, int seen, long bytes, long sentBytes) {
        int users = source.users() == LogSource.Users.UNKNOWN ? UNKNOWN : seen;
        long startMs = start + laterMs;
        long endMs = end + laterMs;
        if (endMs < startMs || endMs - startMs > LONGEST_MS) {
            impossible++;
        } else if (nearby.has(startMs, endMs)) {
            take(cell, startMs, endMs, kind, users, bytes, sentBytes);
        } else {
            nearby.judge(new OutlierFilter.Request(cell, startMs, endMs, kind, users, bytes, sentBytes), this::take);
        }
    }

    @Override
    public void sum(
            int cell, long start, long end, int count, int errors, int kind, long sumMs, long bytes, long sentBytes) {
        long startMs = start + laterMs;
        long endMs = end + laterMs;
        if (endMs < startMs || endMs - startMs > LONGEST_MS) {
            impossible += count;
            return;
        }
        CellSeries series = cells[cell];
        series.firstStart = Math.min(series.firstStart, startMs);
        series.lastStart = Math.max(series.lastStart, startMs);
        series.lastEnd = Math.max(series.lastEnd, endMs);
        tally(series, endMs).sum(count, errors, kind, sumMs, bytes, sentBytes);
        if (memory > MEMORY) {
            widen();
        }
    }

    @Override
    public void role(int cell, Role role) {
        cells[cell].role = role;
    }

    /** {@inheritDoc} The audit then fails. */
    @Override
    public void repeated(long rows) {
        repeated += rows;
    }

    /** {@inheritDoc} The audit then fails. */
    @Override
    public void broken(String what) {
        broken = (broken == null ? "" : broken + "; ") + logName + what;
    }

    private void take(OutlierFilter.Request one) {
        take(one.cell(), one.startMs(), one.endMs(), one.kind(), one.users(), one.bytes(), one.sentBytes());
    }

    private void take(int cell, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {
        CellSeries series = cells[cell];
        if (endMs > series.lastEnd) {
            series.lastEnd = endMs;
        }
        Tally tally = tally(series, endMs);
        tally.endIn((int) ((endMs - series.currentFrom) * Tally.QUARTERS / widthMs));
        if (series.starts != null) {
            tally.end(series.currentTo - endMs, kind, users, bytes, sentBytes);
            series.starts.ended(startMs - laterMs, endMs - startMs);
            if (++waiting > EvenStarts.MOST_WAITING) {
                settle(endMs - laterMs - EvenStarts.LONGEST_ANSWER_MS, 0);
                settle(Long.MIN_VALUE, waiting > EvenStarts.MOST_WAITING / 2 ? 0.5 : 0);
            }
            return;
        }
        if (startMs < series.firstStart) {
            series.firstStart = startMs;
        }
        if (startMs > series.lastStart) {
            series.lastStart = startMs;
        }
        memory += tally.end(endMs - startMs, series.currentTo - endMs, kind, users, bytes, sentBytes);
        // The start last, and without moving the place: a request that began in the second before would else move it
        // there and back.
        if (startMs >= series.currentFrom && startMs < series.currentTo) {
            series.current.start(series.currentTo - startMs);
        } else {
            Tally before = earlier(series, startMs);
            before.start(leftMs(startMs));
        }
        if (memory > MEMORY) {
            widen();
        }
    }

    private void settle() {
        nearby.decide(this::take);
        settle(Long.MAX_VALUE, 1);
    }

    /** From a time to the end of its slice, ms. */
    private long leftMs(long at) {
        return widthMs - Math.floorMod(at, widthMs);
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
        cell.lastStart = Math.max(cell.lastStart, at);
        Tally tally = earlier(cell, at);
        memory += tally.due(leftMs(at), endMs - dueMs, endMs - sentMs);
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
        populations.all.forEach(population -> population.changes.widen(widthMs));
        memory = footprint();
        widthMs *= 2;
        widened++;
    }

    private long footprint() {
        return cells().stream().mapToLong(cell -> cell.tallies.footprint()).sum()
                + populations.all.stream()
                        .mapToLong(one -> one.changes.footprint())
                        .sum();
    }

    @Override
    public void userStarts(int population, long atMs) {
        user(population, 1, atMs + laterMs);
    }

    @Override
    public void userEnds(int population, long atMs) {
        user(population, -1, atMs + laterMs);
    }

    private void user(int population, int sign, long at) {
        if (!nearby.isAround(at, () -> user(population, sign, at))) {
            return;
        }
        Series<Users.Bucket> changes = populations.all.get(population).changes;
        makeRoom(changes, at);
        long bucket = Math.floorDiv(at, widthMs);
        Users.Bucket users = changes.get(bucket);
        if (users == null) {
            memory += changes.missing(bucket) * Series.PLACE_BYTES;
            users = changes.make(bucket);
            memory += users.footprint();
        }
        users.change(sign, leftMs(at));
        populations.all.get(population).came += sign > 0 ? 1 : 0;
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
        truncation = (truncation == null ? "" : truncation + "; ") + logName + what;
    }

    /**
     * The measurement of all that was recorded.
     *
     * @param records requests as the reader counted them, to be compared with what was counted here
     */
    public LogMeasurement measure(long records) {
        settle();
        return new Measuring(this, records).measure();
    }

    LogSource source() {
        return source;
    }

    List<CellSeries> cells() {
        return Arrays.asList(cells).subList(0, cellCount);
    }

    Users.Populations populations() {
        return populations;
    }

    long widthMs() {
        return widthMs;
    }

    long impossible() {
        return impossible;
    }

    /** What lies far from all others and is in no cell, for people. */
    Optional<String> far() {
        return nearby.words(one -> text(
                "%s at %s%s",
                cells[one.cell()].name,
                Instant.ofEpochMilli(source.originMs() + one.startMs()),
                one.kind() == OK ? "" : ", failed: " + kinds.name(one.kind())));
    }

    /** Rows that were in the log already. */
    long repeated() {
        return repeated;
    }

    /** Lines that are no rows, for people. */
    Optional<String> broken() {
        return Optional.ofNullable(broken);
    }

    Optional<String> truncation() {
        return Optional.ofNullable(truncation);
    }

    Map<String, Long> generatorErrors() {
        return kinds.named(generatorErrors);
    }

    Map<String, Long> errorKinds(Tally tally) {
        return kinds.named(tally.errorsByKind());
    }
}
