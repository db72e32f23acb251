package org.servletbench.bench.model;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Options of a server JVM, in the order of its command line, before {@code -jar}.
 *
 * @param first options before the heap's
 * @param heap its first and largest size; null: the options say it
 * @param last options after the heap's
 * @param source file of the options of all servers
 */
public record JvmOptions(List<String> first, Size heap, List<String> last, Path source) implements Serializable {

    /** Name of the environment variable whose options a JVM reads after those of its command line. */
    public static final String LAST_OF_ENVIRONMENT = "_JAVA_OPTIONS";

    /** Names of environment variables with which options reach any JVM from outside its command line, in the order of reading. */
    public static final List<String> ENVIRONMENT =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", LAST_OF_ENVIRONMENT);

    /** Returns a name of an environment variable as Spring understands it: {@code server_port} and {@code server.port} are SERVER_PORT. */
    public static String strict(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    /** With these a profile knows inlined methods. */
    public static final List<String> OF_PROFILES = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

    private static final String PRE_TOUCH = "AlwaysPreTouch";
    /** Options that limit the whole heap: next to one of them, no other heap size of the profile has an effect. */
    private static final Pattern OF_WHOLE_HEAP = Pattern.compile(
            "-Xmx.*|-XX:MaxHeapSize=.*" + "|-XX:(MaxRAM|(Max|Min)RAM(Percentage|Fraction))=.*|-XX:[+]AggressiveHeap");

    /** Options of the size at the start, below which no heap shrinks: a soft limit replaces it, too. */
    private static final Pattern OF_FIRST_HEAP =
            Pattern.compile("-Xms.*|-XX:(Initial|Min|SoftMax)HeapSize=.*|-XX:InitialRAM(Percentage|Fraction)=.*");

    private static final Pattern OF_YOUNG_SIZE = Pattern.compile("-Xmn.*|-XX:(Max)?NewSize=.*");
    /** Options that hold for a heap of any size. */
    private static final Pattern OF_YOUNG_SHARE = Pattern.compile("-XX:(NewRatio|G1(Max)?NewSizePercent)=.*");

    private static final Pattern OF_YOUNG_HEAP = Pattern.compile(OF_YOUNG_SIZE + "|" + OF_YOUNG_SHARE);
    /** A flag and its value. */
    private static final Pattern FLAG = Pattern.compile("-XX:(?:([+-])(\\w+)|(\\w+)=(.*))");

    private static final Pattern COLLECTOR = Pattern.compile("Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC=\\+");
    private static final String COMPACT_HEADERS = "UseCompactObjectHeaders";
    /** Feature release that first knew the flag, as an experiment. */
    private static final int FIRST_COMPACT_HEADERS = 24;
    /** Flags, each with the options that HotSpot ignores next to it. */
    private static final Map<String, Pattern> IGNORED = Map.of(
            "MaxHeapSize", Pattern.compile("(Max|Min)RAM(Percentage|Fraction)"),
            "InitialHeapSize", Pattern.compile("InitialRAM(Percentage|Fraction)"),
            "NewSize", Pattern.compile("NewRatio"));
    /** Short names of these flags. */
    private static final Map<String, String> SHORT =
            Map.of("MaxHeapSize", "-Xmx", "InitialHeapSize", "-Xms", "NewSize", "-Xmn");

    private static final String SOFT_LIMIT = "SoftMaxHeapSize";
    /** Collectors that observe a soft limit, by their options; up to the JDK of {@link #KNOWN_JDK}. */
    private static final List<String> WITH_SOFT_LIMIT = List.of("UseZGC=+", "UseShenandoahGC=+");

    private static final int KNOWN_JDK = 25;
    /** Without an option the largest heap is the memory divided by this. */
    private static final double USUAL_FRACTION = 4;
    /** HotSpot's own largest heap, bytes: of a memory whose smallest share is no less, the smallest share does not count. */
    private static final long SMALL_MEMORY_HEAP = 96 * 13 / 10 << 20;
    /**
     * Options of a JVM. Others of the java command run something else than the service, or nothing, or are in a file that no record shows:
     * -version, -cp, -jar, @file, -XX:VMOptionsFile.
     */
    private static final Pattern OPTION =
            Pattern.compile("-D[^=]+(=.*)?|-X(?!X:(Flags|VMOptionsFile)=|share:dump|diag)\\S+"
                    + "|-(ea|da|enableassertions|disableassertions)(:.*)?|-(esa|dsa|enablesystemassertions|disablesystemassertions)"
                    + "|-(server|client)|-(javaagent|agentlib|agentpath|verbose):.+"
                    + "|--(add-(opens|exports|modules|reads)|enable-native-access|limit-modules|patch-module|illegal-access"
                    + "|illegal-native-access|sun-misc-unsafe-memory-access|finalization)=.+|--enable-preview");

    private static final String OPTIONS =
            "options start with -X, -D, -ea, -javaagent:, -agentlib:, --add-opens= and the like";

    private static final Pattern DASH_FORGOTTEN = Pattern.compile("[XD][A-Za-z0-9:+.=-]{1,40}");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmgt]?)");

    /** Creates options that say the heap themselves, or leave it to the JVM. */
    public JvmOptions(List<String> values, Path source) {
        this(values, null, List.of(), source);
    }

    /** Returns them as on the command line. */
    public List<String> values() {
        Stream<String> sizes = Stream.ofNullable(heap).flatMap(size -> Stream.of("-Xms" + size, "-Xmx" + size));
        return Stream.of(first.stream(), sizes, last.stream())
                .flatMap(part -> part)
                .toList();
    }

    /** Returns these options, each changed. */
    public JvmOptions each(UnaryOperator<String> change) {
        return new JvmOptions(
                first.stream().map(change).toList(),
                heap,
                last.stream().map(change).toList(),
                source);
    }

    /** Reads options from a file: one or more a line, {@code #} starts a comment. Throws a UsageException if it holds anything else. */
    public static JvmOptions read(Path file) {
        List<String> values = ProfilesFolder.lines(file);
        values.stream()
                .filter(value -> !OPTION.matcher(value).matches())
                .findFirst()
                .ifPresent(value -> {
                    // A comparison file may name any file, so that its content must not be shown.
                    String shown = DASH_FORGOTTEN.matcher(value).matches()
                            ? "'" + value + "' in " + file
                            : "a word in " + file;
                    throw new UsageException(shown + " is not a JVM option: " + OPTIONS);
                });
        JvmOptions read = new JvmOptions(List.copyOf(values), file);
        read.ignored().ifPresent(why -> {
            throw new UsageException(file + ": " + why);
        });
        return read;
    }

    /** Returns why one of these texts, which may hold several options, is no option; empty if all are. */
    public static Optional<String> wrong(List<String> texts) {
        return texts.stream()
                .flatMap(JvmOptions::words)
                .filter(word -> !OPTION.matcher(word).matches())
                .findFirst()
                .map(word -> "'" + Text.shown(word) + "' is not a JVM option: " + OPTIONS);
    }

    private static Stream<String> words(String text) {
        return Stream.of(text.strip().split("\\s+"));
    }

    /**
     * Returns these options, with the whole heap touched before the application starts, unless they already say so or not.
     * Otherwise a page costs time at its first use, and the arm that allocates less pays for longer.
     */
    public JvmOptions preTouched() {
        boolean said = texts().anyMatch(value -> value.endsWith(PRE_TOUCH));
        return said ? this : followedBy(List.of("-XX:+" + PRE_TOUCH));
    }

    /** Returns these options followed by more; a text may hold several, separated by blanks. */
    public JvmOptions with(List<String> more) {
        return followedBy(more.stream().flatMap(JvmOptions::words).toList());
    }

    /** Returns these options followed by more, as they are. */
    public JvmOptions followedBy(List<String> more) {
        return heap == null
                ? new JvmOptions(Stream.concat(texts(), more.stream()).toList(), source)
                : new JvmOptions(
                        first, heap, Stream.concat(last.stream(), more.stream()).toList(), source);
    }

    /** Returns all but the heap's. */
    private Stream<String> texts() {
        return Stream.concat(first.stream(), last.stream());
    }

    /** Returns these options with this heap instead of all heap sizes; the young generation keeps its share. */
    public JvmOptions withHeap(Size size) {
        List<Pattern> sizes = List.of(OF_WHOLE_HEAP, OF_FIRST_HEAP, OF_YOUNG_SIZE);
        return new JvmOptions(without(texts(), sizes), size, List.of(), source);
    }

    /** Returns these options with those of one server. */
    public JvmOptions with(Size ownHeap, List<String> own) {
        return ownHeap == null ? replacedBy(own) : withHeap(ownHeap).replaced(List.of(OF_YOUNG_HEAP), own);
    }

    /**
     * Adds options, which replace heap sizes here: all sizes if they limit the whole heap by a size or by a share of the memory,
     * which HotSpot would ignore next to -Xmx; otherwise only sizes of the same part of it.
     */
    public JvmOptions replacedBy(List<String> more) {
        JvmOptions rest = isSaid(OF_WHOLE_HEAP, more) ? withHeap(null) : this;
        return rest.replaced(List.of(OF_FIRST_HEAP, OF_YOUNG_HEAP), more);
    }

    /** Adds options, which replace those here that set the same of these parts of the heap. */
    private JvmOptions replaced(List<Pattern> parts, List<String> more) {
        List<Pattern> said = parts.stream().filter(part -> isSaid(part, more)).toList();
        return new JvmOptions(without(first.stream(), said), heap, without(last.stream(), said), source).with(more);
    }

    private static boolean isSaid(Pattern part, List<String> options) {
        return options.stream().flatMap(JvmOptions::words).anyMatch(word -> part.matcher(word)
                .matches());
    }

    /** Returns which of some options limit the whole heap, by a size or by a share of the memory. */
    public static List<String> ofWholeHeap(List<String> options) {
        return options.stream()
                .flatMap(JvmOptions::words)
                .filter(word -> OF_WHOLE_HEAP.matcher(word).matches())
                .toList();
    }

    private static List<String> without(Stream<String> values, List<Pattern> parts) {
        return values.filter(value ->
                        parts.stream().noneMatch(part -> part.matcher(value).matches()))
                .toList();
    }

    /**
     * Lists the options that have an effect, for comparison: the last of two that set one flag, without flags that HotSpot ignores next to
     * others. Options that are no flags keep their order.
     */
    public List<String> effective() {
        List<String> others = new ArrayList<>();
        Map<String, String> flags = flags(others);
        List<Pattern> ignored = IGNORED.entrySet().stream()
                .filter(one -> flags.containsKey(one.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        flags.keySet().removeIf(name -> ignored.stream()
                .anyMatch(one -> one.matcher(name).matches()));
        return Stream.concat(flags.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()), others.stream())
                .toList();
    }

    /** Returns which of {@link #effective} size the heap. */
    public List<String> effectiveOfHeap() {
        return effective().stream()
                .filter(flag -> Stream.of(OF_WHOLE_HEAP, OF_FIRST_HEAP, OF_YOUNG_HEAP)
                        .anyMatch(part -> part.matcher("-XX:" + flag).matches()))
                .toList();
    }

    /**
     * Returns the error for an option of the heap that has no effect next to the others, or on this JDK; empty if all have one.
     *
     * @param jdk feature version of the JDK
     */
    public Optional<String> withoutEffect(int jdk) {
        List<String> effective = effective();
        boolean soft = effective.stream().anyMatch(flag -> flag.startsWith(SOFT_LIMIT + "="));
        return ignored().or(() -> Optional.of(
                        "-XX:" + SOFT_LIMIT + " has no effect with this collector: add -XX:+UseZGC or"
                                + " -XX:+UseShenandoahGC, or leave it out")
                .filter(why ->
                        soft && jdk <= KNOWN_JDK && WITH_SOFT_LIMIT.stream().noneMatch(effective::contains)));
    }

    /**
     * Returns the error for a share of a small memory, which the JVM does not use with more of it; empty if there is none, or it has an
     * effect.
     *
     * @param memory of its machine or container, bytes
     */
    public Optional<String> unusedMinimum(long memory) {
        Map<String, String> flags = flags(new ArrayList<>());
        OptionalDouble percent = number(flags, "MinRAMPercentage");
        double share = percent.isPresent()
                ? percent.getAsDouble() / 100
                : 1 / number(flags, "MinRAMFraction").orElse(Double.POSITIVE_INFINITY);
        return share > 0 && share * memory >= SMALL_MEMORY_HEAP
                ? Optional.of("-XX:MinRAM" + (percent.isPresent() ? "Percentage" : "Fraction")
                        + " has no effect with " + (memory >> 20)
                        + " MiB of memory, because its share would be more than "
                        + (SMALL_MEMORY_HEAP >> 20) + " MiB: give -XX:MaxRAMPercentage, or leave it out")
                : Optional.empty();
    }

    private Optional<String> ignored() {
        Map<String, String> flags = flags(new ArrayList<>());
        return IGNORED.entrySet().stream()
                .filter(one -> flags.containsKey(one.getKey()))
                .flatMap(one -> flags.keySet().stream()
                        .filter(flag -> one.getValue().matcher(flag).matches())
                        .map(flag -> "-XX:" + flag + " has no effect next to " + SHORT.get(one.getKey())
                                + ", or a key or flag that sets the same: give one of them"))
                .sorted()
                .findFirst();
    }

    /** @param others gets the options that are no flags */
    private Map<String, String> flags(List<String> others) {
        Map<String, String> flags = new TreeMap<>();
        first.forEach(value -> add(value, flags, others));
        if (heap != null) {
            flags.put("MaxHeapSize", Long.toString(heap.bytes()));
            flags.put("InitialHeapSize", Long.toString(heap.bytes()));
        }
        last.forEach(value -> add(value, flags, others));
        return flags;
    }

    private static void add(String value, Map<String, String> flags, List<String> others) {
        Matcher flag = FLAG.matcher(value);
        if (value.startsWith("-Xmx")) {
            flags.put("MaxHeapSize", shortSize(value));
        } else if (value.startsWith("-Xms")) {
            flags.put("InitialHeapSize", shortSize(value));
        } else if (value.startsWith("-Xmn")) {
            flags.put("NewSize", shortSize(value));
            flags.put("MaxNewSize", shortSize(value));
        } else if (value.startsWith("-Xss")) {
            flags.put("-Xss", shortSize(value));
        } else if (flag.matches()) {
            flags.put(
                    flag.group(2) == null ? flag.group(3) : flag.group(2),
                    flag.group(1) == null ? plain(flag.group(4)) : flag.group(1));
        } else if (value.startsWith("-D")) {
            String[] property = value.split("=", 2);
            flags.put(property[0], property.length == 1 ? "" : property[1]);
        } else {
            others.add(value);
        }
    }

    /** Returns why no JVM of this feature release, such as 17, starts with these options; empty if nothing known forbids it. */
    public Optional<String> impossible(int feature) {
        List<String> effective = effective();
        List<String> collectors = effective.stream()
                .filter(flag -> COLLECTOR.matcher(flag).matches())
                .map(flag -> "-XX:+" + flag.replace("=+", ""))
                .toList();
        if (collectors.size() > 1) {
            return Optional.of("a JVM has one collector, not " + Text.list(collectors));
        }
        return effective.contains(COMPACT_HEADERS + "=+") && feature > 0 && feature < FIRST_COMPACT_HEADERS
                ? Optional.of("-XX:+" + COMPACT_HEADERS + " needs JDK 25 or newer")
                : Optional.empty();
    }

    /** Returns the value of an option such as {@code -Xmx1g}. */
    private static String shortSize(String option) {
        return plain(option.substring("-Xmx".length()));
    }

    /** Returns a size in bytes, a share without trailing zeros; other values unchanged. */
    private static String plain(String value) {
        try {
            return Long.toString(bytes(value));
        } catch (UsageException e) {
            // Not a size, or one that is rejected elsewhere.
            return value.replaceFirst("(\\d)\\.0+$", "$1");
        }
    }

    /**
     * Returns a size such as {@code 512m} or {@code 2g} in bytes.
     *
     * @throws UsageException if it is no size
     */
    public static long bytes(String size) {
        return bytes(size, "'" + size + "'");
    }

    /** True if the JVM touches its whole heap before the application starts; of two contradicting options the last counts. */
    public static boolean isPreTouched(List<String> values) {
        return values.stream()
                .filter(value -> value.endsWith(PRE_TOUCH))
                .reduce((first, last) -> last)
                .filter(value -> value.equals("-XX:+" + PRE_TOUCH))
                .isPresent();
    }

    /** Returns the memory that the JVM may take, bytes: the largest heap and {@code -XX:MaxMetaspaceSize}, as far as sizes set them. */
    public long memoryBytes() {
        return memoryBytes(0);
    }

    /**
     * Returns the memory that the JVM may take, bytes: the largest heap and {@code -XX:MaxMetaspaceSize}.
     *
     * @param memory of its machine or container, bytes: without a size the heap is a share of it; 0: that does not count
     */
    public long memoryBytes(long memory) {
        long largest = heap == null
                ? size(texts(), "-Xmx")
                        .orElseGet(() -> size(texts(), "-XX:MaxHeapSize=").orElseGet(() -> shareOf(memory)))
                : size(last.stream(), "-Xmx").orElseGet(heap::bytes);
        return largest + size(texts(), "-XX:MaxMetaspaceSize=").orElse(0);
    }

    /** Returns the largest heap without a size, bytes. */
    private long shareOf(long memory) {
        Map<String, String> flags = flags(new ArrayList<>());
        double percent = number(flags, "MaxRAMPercentage")
                .orElseGet(() -> 100 / number(flags, "MaxRAMFraction").orElse(USUAL_FRACTION));
        double whole = memory == 0 ? 0 : number(flags, "MaxRAM").orElse(memory);
        return Math.round(percent / 100 * whole);
    }

    private static OptionalDouble number(Map<String, String> flags, String name) {
        return Stream.ofNullable(flags.get(name))
                .filter(value -> value.matches("\\d{1,18}(\\.\\d{1,9})?"))
                .mapToDouble(Double::parseDouble)
                .filter(value -> value > 0)
                .findFirst();
    }

    private OptionalLong size(Stream<String> values, String option) {
        return values.filter(value -> value.startsWith(option))
                .mapToLong(value -> bytes(value.substring(option.length()), "'" + value + "' in " + source))
                .reduce((before, after) -> after);
    }

    private static long bytes(String size, String named) {
        Matcher matcher = SIZE.matcher(size.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new UsageException(named + " has no size such as 512m or 2g");
        }
        int shift =
                switch (matcher.group(2)) {
                    case "k" -> 10;
                    case "m" -> 20;
                    case "g" -> 30;
                    case "t" -> 40;
                    default -> 0;
                };
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> shift + 1) {
            throw new UsageException(named + " is more than any machine has");
        }
        return number << shift;
    }
}
