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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Options of a server JVM, in the order of its command line, before {@code -jar}.
 *
 * @param first options before the heap's
 * @param heap initial and maximum size of the heap; null if the options determine it
 * @param last options after the heap's
 * @param source file with the options of all servers
 */
public record JvmOptions(List<String> first, Size heap, List<String> last, Path source) implements Serializable {

    /** Name of the environment variable whose options a JVM reads after its command line. */
    public static final String LAST_OF_ENVIRONMENT = "_JAVA_OPTIONS";

    /**
     * Names of environment variables that pass options to a JVM outside its command line, in the order in which it
     * reads them.
     */
    public static final List<String> ENVIRONMENT =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", LAST_OF_ENVIRONMENT);

    /**
     * Returns the name of an environment variable as Spring reads it: {@code server_port} and {@code server.port} are
     * SERVER_PORT.
     */
    public static String strict(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    /** Options with which a profile shows inlined methods. */
    public static final List<String> OF_PROFILES = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

    private static final String PRE_TOUCH = "AlwaysPreTouch";

    private static final String HUGE_PAGES = "UseTransparentHugePages";
    /** Options that limit the whole heap. They make any other heap size of the profile ineffective. */
    private static final Pattern OF_WHOLE_HEAP = Pattern.compile(
            "-Xmx.*|-XX:MaxHeapSize=.*" + "|-XX:(MaxRAM|(Max|Min)RAM(Percentage|Fraction))=.*|-XX:[+]AggressiveHeap");

    /** Options for the initial size, below which a heap never shrinks. A soft limit replaces it, too. */
    private static final Pattern OF_FIRST_HEAP =
            Pattern.compile("-Xms.*|-XX:(Initial|Min|SoftMax)HeapSize=.*|-XX:InitialRAM(Percentage|Fraction)=.*");

    private static final Pattern OF_YOUNG_SIZE = Pattern.compile("-Xmn.*|-XX:(Max)?NewSize=.*");
    /** Options that are valid for a heap of any size. */
    private static final Pattern OF_YOUNG_SHARE = Pattern.compile("-XX:(NewRatio|G1(Max)?NewSizePercent)=.*");

    private static final Pattern OF_YOUNG_HEAP = Pattern.compile(OF_YOUNG_SIZE + "|" + OF_YOUNG_SHARE);
    /** A flag and its value. */
    private static final Pattern FLAG = Pattern.compile("-XX:(?:([+-])(\\w+)|(\\w+)=(.*))");

    private static final Pattern COLLECTOR = Pattern.compile("Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC=\\+");
    private static final String COMPACT_HEADERS = "UseCompactObjectHeaders";
    /** First feature release with the flag, which was experimental then. */
    private static final int FIRST_COMPACT_HEADERS = 24;
    /**
     * Expressions for flags that HotSpot ignores, and the flags next to which it does so. Without an initial size,
     * {@code MaxRAM} determines that one.
     */
    private static final Map<String, List<String>> IGNORED = Map.of(
            "(Max|Min)RAM(Percentage|Fraction)", List.of("MaxHeapSize"),
            "InitialRAM(Percentage|Fraction)", List.of("InitialHeapSize"),
            "MaxRAM", List.of("MaxHeapSize", "InitialHeapSize"),
            "NewRatio", List.of("NewSize"));
    /** Short names of the flags in {@link #IGNORED}. */
    private static final Map<String, String> SHORT =
            Map.of("MaxHeapSize", "-Xmx", "InitialHeapSize", "-Xms", "NewSize", "-Xmn");

    private static final String SOFT_LIMIT = "SoftMaxHeapSize";
    /** Collectors that observe a soft limit, by their options, up to the JDK of {@link #KNOWN_JDK}. */
    private static final List<String> WITH_SOFT_LIMIT = List.of("UseZGC=+", "UseShenandoahGC=+");

    private static final int KNOWN_JDK = 25;
    /** Divisor of the memory for the default maximum heap. */
    private static final double USUAL_FRACTION = 4;
    /** Divisor of a small memory for the default maximum heap. */
    private static final double USUAL_FRACTION_OF_SMALL = 2;
    /** Default maximum heap of HotSpot, bytes. The percentage for small memories applies only if it gives less. */
    private static final long SMALL_MEMORY_HEAP = 96 * 13 / 10 << 20;
    /**
     * Form of a JVM option. Rejected are options of the java command that run something other than the service, or
     * nothing, or that come from a file that no record shows: -version, -cp, -jar, @file, -XX:VMOptionsFile.
     */
    private static final Pattern OPTION =
            Pattern.compile("-D[^=]+(=.*)?|-X(?!X:(Flags|VMOptionsFile)=|share:dump|diag)\\S+"
                    + "|-(ea|da|enableassertions|disableassertions)(:.*)?|-(esa|dsa|enablesystemassertions|disablesystemassertions)"
                    + "|-(server|client)|-(javaagent|agentlib|agentpath):.+|-verbose(:.+)?"
                    + "|--(add-(opens|exports|modules|reads)|enable-native-access|limit-modules|patch-module|illegal-access"
                    + "|illegal-native-access|sun-misc-unsafe-memory-access|finalization)=.+|--enable-preview");

    private static final String OPTIONS =
            "options start with -X, -D, -ea, -javaagent:, -agentlib:, --add-opens= and the like";

    private static final Pattern DASH_FORGOTTEN = Pattern.compile("[XD][A-Za-z0-9:+.=-]{1,40}");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmgt]?)");

    /** Creates options that set the heap themselves, or leave it to the JVM. */
    public JvmOptions(List<String> values, Path source) {
        this(values, null, List.of(), source);
    }

    /** Returns all options as on the command line. */
    public List<String> values() {
        Stream<String> sizes = Stream.ofNullable(heap).flatMap(size -> Stream.of("-Xms" + size, "-Xmx" + size));
        return Stream.of(first.stream(), sizes, last.stream())
                .flatMap(part -> part)
                .toList();
    }

    /** Returns these options with a change applied to each. */
    public JvmOptions each(UnaryOperator<String> change) {
        return new JvmOptions(
                first.stream().map(change).toList(),
                heap,
                last.stream().map(change).toList(),
                source);
    }

    /**
     * Reads options from a file with one or more per line; {@code #} starts a comment. Throws a UsageException for
     * anything else.
     */
    public static JvmOptions read(Path file) {
        List<String> values = ProfilesFolder.words(file);
        values.stream()
                .filter(value -> !OPTION.matcher(value).matches())
                .findFirst()
                .ifPresent(value -> {
                    // The content must not be shown, because a comparison file may name any file.
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

    /** Returns why one of these texts is not an option; empty if all are. A text may contain several options. */
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
     * Returns these options and those with which the heap has all of its memory, in huge pages, before the application
     * starts, unless they decide that themselves. Without touching, the first use of each page costs time, and the arm
     * that allocates less pays for a longer time. With small pages, the JVMs that start first may be slower on a
     * virtual machine.
     */
    public JvmOptions preTouched() {
        JvmOptions touched = turnedOn(PRE_TOUCH);
        return isPreTouched(touched.values()) ? touched.turnedOn(HUGE_PAGES) : touched;
    }

    /** Returns these options with a flag turned on, unless they contain it. */
    private JvmOptions turnedOn(String flag) {
        boolean said = texts().anyMatch(value -> value.endsWith(flag));
        return said ? this : followedBy(List.of("-XX:+" + flag));
    }

    /** Returns these options followed by others. A text may contain several, separated by blanks. */
    public JvmOptions with(List<String> more) {
        return followedBy(more.stream().flatMap(JvmOptions::words).toList());
    }

    /** Returns these options followed by others, which are not split. */
    public JvmOptions followedBy(List<String> more) {
        return heap == null
                ? new JvmOptions(Stream.concat(texts(), more.stream()).toList(), source)
                : new JvmOptions(
                        first, heap, Stream.concat(last.stream(), more.stream()).toList(), source);
    }

    /** Returns all options except the heap. */
    private Stream<String> texts() {
        return Stream.concat(first.stream(), last.stream());
    }

    /** Returns these options with this heap instead of all heap sizes; the young generation keeps its share. */
    public JvmOptions withHeap(Size size) {
        List<Pattern> sizes = List.of(OF_WHOLE_HEAP, OF_FIRST_HEAP, OF_YOUNG_SIZE);
        return new JvmOptions(without(texts(), sizes), size, List.of(), source);
    }

    /** Returns these options combined with those of one server. */
    public JvmOptions with(Size ownHeap, List<String> own) {
        return ownHeap == null ? replacedBy(own) : withHeap(ownHeap).replaced(List.of(OF_YOUNG_HEAP), own);
    }

    /**
     * Returns these options followed by others. If the others limit the whole heap, by a size or by a share of the
     * memory, which HotSpot would ignore next to -Xmx, they replace all heap sizes. Otherwise they replace only sizes
     * of the same part of the heap.
     */
    public JvmOptions replacedBy(List<String> more) {
        JvmOptions rest = isSaid(OF_WHOLE_HEAP, more) ? withHeap(null) : this;
        return rest.replaced(List.of(OF_FIRST_HEAP, OF_YOUNG_HEAP), more);
    }

    /** Returns these options followed by others, without those that set the same of these parts of the heap. */
    private JvmOptions replaced(List<Pattern> parts, List<String> more) {
        List<Pattern> said = parts.stream().filter(part -> isSaid(part, more)).toList();
        return new JvmOptions(without(first.stream(), said), heap, without(last.stream(), said), source).with(more);
    }

    private static boolean isSaid(Pattern part, List<String> options) {
        return options.stream().flatMap(JvmOptions::words).anyMatch(word -> part.matcher(word)
                .matches());
    }

    /** Returns the options that limit the whole heap, by a size or by a share of the memory. */
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
     * Returns the options that have an effect, for comparison. If two set the same flag, the last one counts, and flags
     * that HotSpot ignores next to others are left out. Options that are not flags keep their order.
     */
    public List<String> effective() {
        List<String> others = new ArrayList<>();
        Map<String, String> flags = flags(others);
        flags.keySet().removeAll(ignored(flags).keySet());
        return Stream.concat(flags.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()), others.stream())
                .toList();
    }

    /** Returns the {@link #effective} options that set the size of the heap. */
    public List<String> effectiveOfHeap() {
        return effective().stream()
                .filter(flag -> Stream.of(OF_WHOLE_HEAP, OF_FIRST_HEAP, OF_YOUNG_HEAP)
                        .anyMatch(part -> part.matcher("-XX:" + flag).matches()))
                .toList();
    }

    /**
     * Returns an error for a heap option that has no effect next to the others, or on this JDK; empty if all have an
     * effect.
     *
     * @param jdk feature version of the JDK
     */
    public Optional<String> withoutEffect(int jdk) {
        List<String> effective = effective();
        boolean soft = effective.stream().anyMatch(flag -> flag.startsWith(SOFT_LIMIT + "="));
        return ignored().or(this::replacedHeap).or(() -> Optional.of(
                        "-XX:" + SOFT_LIMIT + " has no effect with this collector: add -XX:+UseZGC or"
                                + " -XX:+UseShenandoahGC, or leave it out")
                .filter(why ->
                        soft && jdk <= KNOWN_JDK && WITH_SOFT_LIMIT.stream().noneMatch(effective::contains)));
    }

    /**
     * Returns an error for a share of the memory that the JVM does not use for its maximum heap: it uses
     * {@code MinRAMPercentage} while that share is small, and {@code MaxRAMPercentage} otherwise. Empty if there is
     * none, or it has an effect.
     *
     * @param memory memory of its machine or container, bytes
     */
    public Optional<String> unusedShare(long memory) {
        Map<String, String> flags = flags(new ArrayList<>());
        boolean isSmall = shareOfSmall(flags, memory) < SMALL_MEMORY_HEAP;
        String unused = isSmall ? "MaxRAM" : "MinRAM";
        String used = isSmall ? "MinRAM" : "MaxRAM";
        return flags.keySet().stream()
                .filter(flag -> flag.matches(unused + "(Percentage|Fraction)"))
                .findFirst()
                .map(flag -> "-XX:" + flag + " has no effect with " + (memory(flags, memory) >> 20)
                        + " MiB of memory, because "
                        + (isSmall
                                ? "the share of -XX:MinRAMPercentage is less than "
                                : "its share would be more than ")
                        + (SMALL_MEMORY_HEAP >> 20) + " MiB: give -XX:" + used + "Percentage, or leave it out");
    }

    private Optional<String> ignored() {
        return ignored(flags(new ArrayList<>())).entrySet().stream()
                .map(one -> "-XX:" + one.getKey() + " has no effect next to " + one.getValue()
                        + ", or a key or flag that sets the same: give one of them")
                .findFirst();
    }

    /** Returns the flags that HotSpot ignores, with the short names of those next to which it does so. */
    private static Map<String, String> ignored(Map<String, String> flags) {
        Map<String, String> ignored = new TreeMap<>();
        IGNORED.forEach((expression, others) -> flags.keySet().stream()
                .filter(flag -> flag.matches(expression) && flags.keySet().containsAll(others))
                .forEach(flag ->
                        ignored.put(flag, others.stream().map(SHORT::get).collect(Collectors.joining(" and ")))));
        return ignored;
    }

    /** Returns an error for a heap whose size an option of its server replaces; empty if no option does. */
    private Optional<String> replacedHeap() {
        return last.stream()
                .filter(value -> value.matches("-Xmx.*|-XX:MaxHeapSize=.*"))
                .reduce((before, after) -> after)
                .filter(value -> heap != null
                        && !flags(new ArrayList<>()).get("MaxHeapSize").equals(Long.toString(heap.bytes())))
                .map(value -> "heap: " + heap + " has no effect next to " + value + ": give one of them");
    }

    /** @param others receives the options that are not flags */
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

    /**
     * Returns why a JVM of this feature release, such as 17, cannot start with these options; empty if no reason is
     * known.
     */
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

    /** Returns the size in an option such as {@code -Xmx1g}. */
    private static String shortSize(String option) {
        return plain(option.substring("-Xmx".length()));
    }

    /** Returns a size in bytes, a share without trailing zeros, and any other value unchanged. */
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
     * @throws UsageException if it is not a size
     */
    public static long bytes(String size) {
        return bytes(size, "'" + size + "'");
    }

    /**
     * True if the JVM touches its whole heap before the application starts. If options contradict each other, the last
     * one counts.
     */
    public static boolean isPreTouched(List<String> values) {
        return values.stream()
                .filter(value -> value.endsWith(PRE_TOUCH))
                .reduce((first, last) -> last)
                .filter(value -> value.equals("-XX:+" + PRE_TOUCH))
                .isPresent();
    }

    /**
     * Returns the memory that the JVM may use, bytes: the maximum heap and {@code -XX:MaxMetaspaceSize}, if options set
     * these as sizes.
     */
    public long memoryBytes() {
        return memoryBytes(0);
    }

    /**
     * Returns the memory that the JVM may use, bytes: the maximum heap and {@code -XX:MaxMetaspaceSize}.
     *
     * @param memory memory of its machine or container, bytes, which determines a heap without a size; 0 to ignore such
     *     a heap
     */
    public long memoryBytes(long memory) {
        long largest = heap == null
                ? size(texts(), "-Xmx")
                        .orElseGet(() -> size(texts(), "-XX:MaxHeapSize=").orElseGet(() -> shareOf(memory)))
                : size(last.stream(), "-Xmx").orElseGet(heap::bytes);
        return largest + size(texts(), "-XX:MaxMetaspaceSize=").orElse(0);
    }

    /** Returns the maximum heap if no option sets its size, bytes. */
    private long shareOf(long memory) {
        if (memory == 0) {
            return 0;
        }
        Map<String, String> flags = flags(new ArrayList<>());
        double ofSmall = shareOfSmall(flags, memory);
        return Math.round(
                ofSmall < SMALL_MEMORY_HEAP
                        ? ofSmall
                        : Math.max(SMALL_MEMORY_HEAP, share(flags, "MaxRAM", USUAL_FRACTION, memory)));
    }

    /** Returns the share of a small memory. HotSpot takes it for the heap only if it is small itself. */
    private static double shareOfSmall(Map<String, String> flags, long memory) {
        return share(flags, "MinRAM", USUAL_FRACTION_OF_SMALL, memory);
    }

    private static double share(Map<String, String> flags, String name, double usualFraction, long memory) {
        double percent = number(flags, name + "Percentage")
                .orElseGet(() -> 100 / number(flags, name + "Fraction").orElse(usualFraction));
        return percent / 100 * memory(flags, memory);
    }

    /** Returns the memory of which a heap is a share, bytes: that of its machine or container, or {@code MaxRAM}. */
    private static long memory(Map<String, String> flags, long memory) {
        return (long) number(flags, "MaxRAM").orElse(memory);
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
