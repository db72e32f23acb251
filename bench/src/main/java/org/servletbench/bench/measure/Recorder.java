package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.Load;

/**
 * Takes the records of one log, in any order, and measures it. Not thread-safe.
 *
 * <p>Its memory does not depend on the number of requests, because it keeps one tally per load and second. If these
 * would take more than {@value #MEMORY} bytes, all seconds are joined in pairs, then again, and so on. How often this
 * happens depends only on the records, not on their order.
 *
 * <p>With more than {@value #FEW_LOADS} names, most of them are rare. Their tallies are small and may take
 * {@value #MEMORY_OF_LOAD} bytes more for each name. Of the audit, only failed checks are kept, and slices are not
 * joined to fewer than {@value #LEAST_SLICES} for the whole log. All names after the first {@value #MAX_LOADS} form one
 * load.
 */
public final class Recorder implements Records {
    /** Kind of error of a request that did not fail. */
    public static final int OK = -1;
    /** A number that is not in the log. */
    public static final int UNKNOWN = -1;
    /** Maximum number of names whose slices are as narrow as the memory allows. */
    public static final int FEW_LOADS = 300;
    /** Maximum number of distinct names. All others form one load. */
    public static final int MAX_LOADS = 10_000;
    /** Maximum number of further names that are counted. */
    static final int MOST_OTHERS = 100_000;
    /** Maximum length of a name that is kept as it is. Longer ones are {@link #shortened}. */
    static final int LONGEST_NAME = 500;
    /** Number of characters kept of a long name. */
    private static final int KEPT_NAME = 200;
    /** Numbers at the end of the names of a request's parts, and of the parts of these. */
    private static final Pattern NUMBERS = Pattern.compile("(-[0-9]+)+$");

    private static final int LONGEST_NUMBERS = 40;
    /** Maximum number of kinds of error. Further kinds are counted together. */
    public static final int MAX_KINDS = 128;

    public static final int OTHER_KIND = MAX_KINDS;

    /** Distance from all others from which on requests belong to another run, or have an unset clock, ms. */
    public static final long FAR_MS = OutlierFilter.FAR_MS;

    static final long FIRST_WIDTH_MS = 1000;
    /** Maximum duration of a request, ms. No request takes 34 years. The limit keeps all sums far from overflow. */
    static final long LONGEST_MS = 1L << 40;

    private static final long MEMORY = 12 << 20;
    private static final long MEMORY_OF_LOAD = 1 << 10;
    private static final int LEAST_SLICES = 4;
    private static final int WIDEST = 48;

    private final LogSource source;
    /** Offset from the log's times to our clock, ms. */
    private long laterMs;
    /** Number of generators that share the load; this log is from one of them. */
    private int generators = 1;

    private String logName = "";
    /** Maps request names of the log to names of loads. */
    private final UnaryOperator<String> naming;

    private final OutlierFilter nearby = new OutlierFilter();
    private final Map<String, Integer> loadNumbers = new HashMap<>();
    private final Tally.Kinds kinds = new Tally.Kinds();
    private final Map<Integer, Long> generatorErrors = new HashMap<>();
    private final Users.Populations populations = new Users.Populations();
    private LoadSeries[] loads = new LoadSeries[16];
    private int loadCount;
    /** True if there are more loads than {@link #FEW_LOADS}. */
    private boolean many;
    /** Load of all names after {@link #MAX_LOADS}; null if there are none. */
    private LoadSeries rest;
    /** Hashes of the names after {@link #MAX_LOADS}. */
    private final Set<Long> otherHashes = new HashSet<>();

    private long widthMs = FIRST_WIDTH_MS;
    private int widened;
    private long memory;
    /** Memory limit, bytes. */
    private long limit = MEMORY;

    private int waiting;
    private long impossible;
    private long repeated;
    private String broken;
    private String truncation;

    /**
     * @param source description of the log; its origin is added to all times in the measurement
     */
    public Recorder(LogSource source) {
        this(source, UnaryOperator.identity());
    }

    private Recorder(LogSource source, UnaryOperator<String> naming) {
        this.source = source;
        this.naming = naming;
    }

    /** Returns the name of the load that stands for all names after the first {@link #MAX_LOADS}. */
    private static String others(int names) {
        return text(
                names > MOST_OTHERS ? "(more than %,d other names)" : "(%,d other names)",
                Math.min(names, MOST_OTHERS));
    }

    static boolean isOthers(String name) {
        return name.endsWith(" other names)");
    }

    /** Returns a new recorder that renames requests. */
    public Recorder naming(UnaryOperator<String> names) {
        return new Recorder(source, names);
    }

    /**
     * Sets the log to which the following records belong, one of several logs of the same load. Users of different logs
     * are different users.
     *
     * @param name name for people, as prefix of messages about this log alone; may be empty
     */
    public Recorder of(LogSource log, int logs, String name) {
        settle();
        laterMs = log.originMs() - source.originMs();
        generators = logs;
        logName = name;
        loads().forEach(load -> load.starts = evenStarts(load));
        return this;
    }

    /**
     * {@inheritDoc} More than {@value #MAX_LOADS} names occur, for example, in a log with the id of every item in its
     * request names.
     */
    @Override
    public int load(String inLog) {
        String name = shortened(naming.apply(inLog));
        Integer known = loadNumbers.get(name);
        if (known != null) {
            return known;
        }
        if (isFull()) {
            return other(name);
        }
        if (loadCount > FEW_LOADS) {
            growMany();
        }
        loadNumbers.put(name, loadCount);
        return add(name).number;
    }

    @Override
    public boolean isFull() {
        return loadNumbers.size() == MAX_LOADS;
    }

    private int other(String name) {
        if (otherHashes.size() <= MOST_OTHERS) {
            otherHashes.add(hash(name));
        }
        if (rest == null) {
            rest = add(others(0));
        }
        return rest.number;
    }

    /**
     * Returns a name as it appears in figures. A long one, such as an address that contains a whole document, is
     * replaced by its beginning, its length, and a checksum. Numbers of parts at its end ({@code -0}) remain.
     */
    public static String shortened(String name) {
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        Matcher numbers = NUMBERS.matcher(name.substring(name.length() - LONGEST_NUMBERS));
        String end = numbers.find() ? numbers.group() : "";
        String whole = name.substring(0, name.length() - end.length());
        return whole.length() <= LONGEST_NAME
                ? name
                : text("%s… (%d characters, %016x)%s", whole.substring(0, KEPT_NAME), whole.length(), hash(whole), end);
    }

    /** Returns a hash of 64 bits, so that two counted names hardly ever collide. */
    private static long hash(String name) {
        long hash = 0;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    private LoadSeries add(String name) {
        if (loadCount == loads.length) {
            loads = Arrays.copyOf(loads, 2 * loadCount);
        }
        LoadSeries load = new LoadSeries(name, loadCount, null, () -> new Tally(many));
        load.starts = evenStarts(load);
        loads[loadCount++] = load;
        return load;
    }

    private void growMany() {
        if (!many) {
            many = true;
            loads().forEach(load -> load.tallies.each(Tally::shrink));
            memory = footprint();
        }
        limit = Math.max(limit, MEMORY + (loadCount - FEW_LOADS) * MEMORY_OF_LOAD);
    }

    private EvenStarts evenStarts(LoadSeries load) {
        double rate = Load.parse(load.name).rate() / generators;
        boolean own = !populations.of(load).isEmpty();
        return source.evenStarts() && own && rate >= EvenStarts.LEAST_RATE ? new EvenStarts(rate) : null;
    }

    /** {@inheritDoc} The number is {@link #OTHER_KIND} for all kinds after {@value #MAX_KINDS}. */
    @Override
    public int errorKind(String message) {
        return kinds.number(message);
    }

    /** {@inheritDoc} If it has the name of a load, its users are those of that load. */
    @Override
    public int population(String scenario) {
        return populations.add(scenario);
    }

    @Override
    public void sends(int population, int load) {
        populations.all.get(population).loads.set(load);
    }

    @Override
    public void request(int load, long startMs, long endMs, int kind) {
        request(load, startMs, endMs, kind, UNKNOWN, 0, 0);
    }

    /**
     * {@inheritDoc} A request that ends before it starts, takes more than 2^40 ms, or lies far from all others is in no
     * figure, and the audit fails.
     */
    @Override
    public void request(int load, long start, long end, int kind, int seen, long bytes, long sentBytes) {
        int users = source.users() == LogSource.Users.UNKNOWN ? UNKNOWN : seen;
        long startMs = start + laterMs;
        long endMs = end + laterMs;
        if (endMs < startMs || endMs - startMs > LONGEST_MS) {
            impossible++;
        } else if (nearby.has(startMs, endMs)) {
            take(load, startMs, endMs, kind, users, bytes, sentBytes);
        } else {
            nearby.judge(new OutlierFilter.Request(load, startMs, endMs, kind, users, bytes, sentBytes), this::take);
        }
    }

    @Override
    public void sum(
            int load, long start, long end, int count, int errors, int kind, long sumMs, long bytes, long sentBytes) {
        long startMs = start + laterMs;
        long endMs = end + laterMs;
        if (endMs < startMs || endMs - startMs > LONGEST_MS) {
            impossible += count;
            return;
        }
        LoadSeries series = loads[load];
        series.firstStart = Math.min(series.firstStart, startMs);
        series.lastStart = Math.max(series.lastStart, startMs);
        series.lastEnd = Math.max(series.lastEnd, endMs);
        tally(series, endMs).sum(count, errors, kind, sumMs, bytes, sentBytes);
        if (memory > limit) {
            widen();
        }
    }

    @Override
    public void role(int load, Role role) {
        loads[load].role = role;
    }

    /** {@inheritDoc} This makes the audit fail. */
    @Override
    public void repeated(long rows) {
        repeated += rows;
    }

    /** {@inheritDoc} This makes the audit fail. */
    @Override
    public void broken(String what) {
        broken = (broken == null ? "" : broken + "; ") + logName + what;
    }

    private void take(OutlierFilter.Request one) {
        take(one.load(), one.startMs(), one.endMs(), one.kind(), one.users(), one.bytes(), one.sentBytes());
    }

    private void take(int load, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {
        LoadSeries series = loads[load];
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
        // The start comes last and does not change the current place. Otherwise a request that began in the second
        // before would move it there and back.
        if (startMs >= series.currentFrom && startMs < series.currentTo) {
            series.current.start(series.currentTo - startMs);
        } else {
            Tally before = earlier(series, startMs);
            before.start(leftMs(startMs));
        }
        if (memory > limit) {
            widen();
        }
    }

    private void settle() {
        nearby.decide(this::take);
        settle(Long.MAX_VALUE, 1);
    }

    /** Returns the time from a moment to the end of its slice, ms. */
    private long leftMs(long at) {
        return widthMs - Math.floorMod(at, widthMs);
    }

    private void settle(long beforeMs, double share) {
        waiting = 0;
        for (LoadSeries load : loads()) {
            if (load.starts != null) {
                waiting += load.starts.settle(beforeMs, share, (due, sent, end) -> due(load, due, sent, end));
            }
        }
    }

    private void due(LoadSeries load, long dueMs, long sentMs, long endMs) {
        long at = dueMs + laterMs;
        load.firstStart = Math.min(load.firstStart, at);
        load.lastStart = Math.max(load.lastStart, at);
        Tally tally = earlier(load, at);
        memory += tally.due(leftMs(at), endMs - dueMs, endMs - sentMs);
        if (memory > limit) {
            widen();
        }
    }

    private Tally tally(LoadSeries series, long at) {
        if (series.current != null && at >= series.currentFrom && at < series.currentTo) {
            return series.current;
        }
        Tally tally = earlier(series, at);
        series.current = tally;
        series.currentFrom = Math.floorDiv(at, widthMs) * widthMs;
        series.currentTo = series.currentFrom + widthMs;
        return tally;
    }

    private Tally earlier(LoadSeries series, long at) {
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
        while (memory + series.missing(Math.floorDiv(at, widthMs)) * Series.PLACE_BYTES > limit
                && canWiden(series.length() + series.missing(Math.floorDiv(at, widthMs)))) {
            widenOnce();
        }
    }

    private void widen() {
        while (memory > limit
                && canWiden(loads().stream()
                        .mapToLong(load -> load.tallies.length())
                        .max()
                        .orElse(0))) {
            widenOnce();
        }
        if (many && memory > limit) {
            // Response times of many classes need their memory. It is checked again after it has grown.
            limit = memory + memory / 4;
        }
    }

    /** @param slices number of slices of the longest series */
    private boolean canWiden(long slices) {
        return widened < WIDEST && (!many || slices >= 2 * LEAST_SLICES);
    }

    private void widenOnce() {
        for (int i = 0; i < loadCount; i++) {
            loads[i].forgetCurrent();
            loads[i].tallies.widen(widthMs);
        }
        populations.all.forEach(population -> population.changes.widen(widthMs));
        memory = footprint();
        widthMs *= 2;
        widened++;
    }

    private long footprint() {
        return loads().stream().mapToLong(load -> load.tallies.footprint()).sum()
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

    @Override
    public void unknownUsers(int population) {
        populations.all.get(population).isUnknown = true;
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
        if (memory > limit) {
            widen();
        }
    }

    /** {@inheritDoc} This makes the audit fail. */
    @Override
    public void generatorError(int kind) {
        generatorErrors.merge(kind, 1L, Long::sum);
    }

    @Override
    public void truncated(String what) {
        truncation = (truncation == null ? "" : truncation + "; ") + logName + what;
    }

    /**
     * Returns the measurement of all records. With many loads, it can be called only once.
     *
     * @param records number of requests that the reader counted, to be compared with the count here
     */
    public LogMeasurement measure(long records) {
        settle();
        if (rest != null) {
            rest.name = others(otherHashes.size());
        }
        return new Measuring(this, records).measure();
    }

    LogSource source() {
        return source;
    }

    /** True if there are so many loads that most are rare. */
    boolean hasManyLoads() {
        return many;
    }

    List<LoadSeries> loads() {
        return Arrays.asList(loads).subList(0, loadCount);
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

    /** Describes the requests that are far from all others and in no load, for people. */
    Optional<String> far() {
        return nearby.words(one -> text(
                "%s at %s%s",
                loads[one.load()].name,
                Instant.ofEpochMilli(source.originMs() + one.startMs()),
                one.kind() == OK ? "" : ", failed: " + kinds.name(one.kind())));
    }

    /** Returns the number of rows that occur repeatedly in the log. */
    long repeated() {
        return repeated;
    }

    /** Describes lines that are not rows, for people; empty if there are none. */
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
