package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of request with the length of its answer, which is known beforehand or learned from the first answers. Or a
 * list of requests, with the path and sending of its first one.
 *
 * @param name name in requests and reports
 * @param handler handler that answers it; in files, its keys are on the same level as the others
 * @param sending method, headers and body of the request, and the status of its answer
 * @param reset request that is sent once to each server before its load; null if there is none
 * @param requests requests that each user sends in order, again and again, named as by {@link Load#step}; empty for a
 *     single request
 * @param simulation class of the user's own Gatling simulation that applies the load; the parity check and the warm-up
 *     then send {@code requests}. Empty if there is none
 */
public record Workload(
        String name,
        @JsonUnwrapped Handler handler,
        RequestSpec sending,
        @JsonInclude(JsonInclude.Include.NON_NULL) Workload reset,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Workload> requests,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String simulation)
        implements Serializable {

    /**
     * The handler of the application that answers a request.
     *
     * @param path path, with a leading slash
     * @param minBytes minimum length of the body, bytes
     * @param maxBytes maximum length of the body, bytes; equal to the minimum if all containers agree;
     *     {@link #ANY_LENGTH} if it is not known
     * @param blocks true if the handler waits for something
     * @param with Maven profile that adds what it needs to the application; empty if it needs nothing
     * @param warmUpPath path for warming up a server; users who wait for a slow handler would call it too rarely for a
     *     JIT compiler
     */
    public record Handler(String path, int minBytes, int maxBytes, boolean blocks, String with, String warmUpPath)
            implements Serializable {

        /**
         * Returns a handler that does not wait, needs nothing, and has no separate path for warm-up. The length of its
         * answers is unknown.
         */
        static Handler of(String path) {
            return new Handler(path, 0, ANY_LENGTH, false, "", path);
        }

        private Handler at(String otherPath, String otherWarmUpPath) {
            return new Handler(otherPath, minBytes, maxBytes, blocks, with, otherWarmUpPath);
        }

        private Handler ofLength(int bytes) {
            return new Handler(path, bytes, bytes, blocks, with, warmUpPath);
        }
    }

    /** Name of the workload whose path ends with a time in ms, and of the option that sets this time. */
    public static final String DELAY = "delay";

    /** Name of the workload that queries a database. {@link #DATABASE} selects another database. */
    private static final String QUERY = "query";

    public static final String DATABASE = "db.url";

    /** Suffixes of a workload's keys in a file, after its name. */
    private static final List<String> KEYS = List.of(".path", ".bytes", ".blocks", ".with", ".warmup.path");

    private static final int MOST_DELAY_MILLIS = 30_000;

    private static final Pattern BYTES = Pattern.compile("(\\d{1,9})(?:\\.\\.(\\d{1,9}))?");

    /** Upper limit of the length of a body if the length is not known. */
    public static final int ANY_LENGTH = 999_999_999;

    /** A path with an optional query, as it may be in the first line of a request. */
    private static final Pattern PATH = Pattern.compile("/(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]++|%[0-9A-Fa-f]{2})*+");

    /** Maximum length of a path that servers accept by default, characters. */
    private static final int LONGEST_PATH = 4000;

    public Workload {
        requests = requests == null ? List.of() : List.copyOf(requests);
        simulation = simulation == null ? "" : simulation;
    }

    /** Creates a plain GET. */
    public Workload(
            String name, String path, int minBytes, int maxBytes, boolean blocks, String with, String warmUpPath) {
        this(
                name,
                new Handler(path, minBytes, maxBytes, blocks, with, warmUpPath),
                RequestSpec.GET,
                null,
                List.of(),
                "");
    }

    /** Creates a workload whose handler does not wait and needs nothing. */
    public Workload(String name, String path, int minBytes, int maxBytes) {
        this(name, path, minBytes, maxBytes, false, "", path);
    }

    /** Creates a list of requests, of which there must be at least one. */
    public static Workload list(String name, List<Workload> requests) {
        Workload first = requests.get(0);
        return new Workload(name, Handler.of(first.path()), first.sending, first.reset, requests, "");
    }

    /**
     * Creates the workload of a user's own simulation.
     *
     * @param checked requests for the parity check and the warm-up; may be empty
     */
    public static Workload simulation(String name, String simulation, List<Workload> checked) {
        return new Workload(name, Handler.of("/"), RequestSpec.GET, null, checked, simulation);
    }

    public String path() {
        return handler.path;
    }

    public int minBytes() {
        return handler.minBytes;
    }

    public int maxBytes() {
        return handler.maxBytes;
    }

    public boolean blocks() {
        return handler.blocks;
    }

    public String with() {
        return handler.with;
    }

    public String warmUpPath() {
        return handler.warmUpPath;
    }

    /** True if a user's own simulation applies the load. */
    @JsonIgnore
    public boolean isSimulation() {
        return !simulation.isEmpty();
    }

    /** True if servlet-bench knows requests that it can send itself. */
    @JsonIgnore
    public boolean isKnown() {
        return !isSimulation() || !requests.isEmpty();
    }

    /** Returns the requests that are sent in order; the workload itself if it is not a list. */
    public List<Workload> parts() {
        return requests.isEmpty() ? List.of(this) : requests;
    }

    /** Returns this workload with a change applied to each of its {@link #parts}. */
    public Workload each(UnaryOperator<Workload> change) {
        if (requests.isEmpty()) {
            return isSimulation() ? this : change.apply(this);
        }
        List<Workload> changed = requests.stream().map(change).toList();
        return (isSimulation() ? simulation(name, simulation, changed) : list(name, changed)).resetBy(reset);
    }

    /** True if a server has more work after each pass. */
    public boolean changesEachPass() {
        return parts().stream().anyMatch(part -> part.sending.changesEachPass());
    }

    /** Returns this workload with a new user in every pass: {@link RequestSpec#ofNewUsers}. */
    public Workload ofNewUsers() {
        return each(part -> part.sending(part.sending().ofNewUsers()));
    }

    /** Returns the name of a request within its list. */
    public String labelIn(Workload list) {
        return name.substring(Load.step(list.name, "").length());
    }

    /** Returns this workload with the same path, but with another method, headers, body or status. */
    public Workload sending(RequestSpec other) {
        return new Workload(name, handler, other, reset, requests, simulation);
    }

    /** Returns this workload with other paths, in which values are filled in. */
    public Workload at(String otherPath, String otherWarmUpPath) {
        return with(handler.at(otherPath, otherWarmUpPath));
    }

    /** Returns this workload with another request that is sent before the load. */
    public Workload resetBy(Workload other) {
        return new Workload(name, handler, sending, other, requests, simulation);
    }

    private Workload with(Handler other) {
        return new Workload(name, other, sending, reset, requests, simulation);
    }

    /** Returns the method and path: {@code POST /owners}. */
    public String request() {
        return sending.method() + " " + path();
    }

    /**
     * The workloads that a run asks for.
     *
     * @param names names of these workloads
     * @param delay delay of the workload {@code delay}; empty for that of the profiles
     * @param database database of the workload {@code query}; empty for a database in each server
     */
    public record Asked(List<String> names, Optional<Time> delay, Optional<String> database) {}

    /**
     * Returns the requested workloads, with the requested delay.
     *
     * @param file name of the file that lists all workloads, for messages
     * @throws UsageException if a name is unknown, the delay is more than 30 s, or an option belongs to a workload that
     *     was not requested
     */
    public static List<Workload> chosen(Asked asked, List<Workload> known, String file) {
        List<Workload> chosen = asked.names.stream()
                .map(name -> known.stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new UsageException("no workload '" + name + "': choose from "
                                + known.stream().map(Workload::name).collect(Collectors.joining(",")) + file)))
                .map(one ->
                        one.name().equals(DELAY) ? asked.delay.map(one::delayed).orElse(one) : one)
                .toList();
        asked.delay.ifPresent(delay -> requireChosen(DELAY, delay.text(), DELAY, chosen));
        if (known.stream().anyMatch(one -> one.name().equals(QUERY))) {
            asked.database.ifPresent(url -> requireChosen(DATABASE, url, QUERY, chosen));
        }
        return chosen;
    }

    /** Rejects an option of a workload that was not requested, because it would have no effect. */
    private static void requireChosen(String option, String value, String workload, List<Workload> chosen) {
        if (chosen.stream().noneMatch(one -> one.name().equals(workload))) {
            throw new UsageException(
                    option + "=" + value + " is for the workload " + workload + ": add workloads=" + workload);
        }
    }

    /**
     * Returns this workload with the requested delay.
     *
     * @throws UsageException if the delay is more than 30 s, which is half of the generators' timeout
     */
    private Workload delayed(Time delay) {
        long millis = delay.duration().toMillis();
        if (millis > MOST_DELAY_MILLIS) {
            throw new UsageException("delay=" + delay + " is more than " + MOST_DELAY_MILLIS / 1000 + " s");
        }
        return at(path().substring(0, path().lastIndexOf('/') + 1) + millis, warmUpPath());
    }

    /** Returns how long the handler waits at least, ms; 0 if it does not wait, or if this is not known beforehand. */
    public long waitMs() {
        return name.equals(DELAY) ? Long.parseLong(path().substring(path().lastIndexOf('/') + 1)) : 0;
    }

    /** Returns this workload with values from the environment. It is for sending, and must not be recorded. */
    public Workload resolved() {
        Workload own = each(one -> Secrets.resolved(
                one.at(
                                Secrets.resolved(one.path(), RequestSpec::escaped),
                                Secrets.resolved(one.warmUpPath(), RequestSpec::escaped))
                        .sending(one.sending.resolved()),
                Workload.class));
        return reset == null ? own : own.resetBy(reset.resolved());
    }

    /** Returns the workload that warms up a server. */
    public Workload ofWarmUp() {
        return at(warmUpPath(), warmUpPath());
    }

    /** True if the warm-up sends another request than the measurement. */
    public boolean hasOwnWarmUp() {
        return !warmUpPath().equals(path());
    }

    /** True if the length of a body is known beforehand, at least roughly. */
    public boolean hasLength() {
        return maxBytes() != ANY_LENGTH;
    }

    /** True if every body must have the same length, which is known beforehand. */
    public boolean hasOneLength() {
        return minBytes() == maxBytes();
    }

    /** Returns this workload with this length of the body, unless it already has one. */
    public Workload ofLength(int bytes) {
        return hasLength() ? this : with(handler.ofLength(bytes));
    }

    /** Returns the length of the body in words: {@code 5 bytes}, {@code 100 to 140 bytes}. */
    public String lengthWords() {
        return !hasLength()
                ? "as many bytes as the first answers, or any number where requests change the service"
                : hasOneLength() ? minBytes() + " bytes" : minBytes() + " to " + maxBytes() + " bytes";
    }

    public boolean accepts(int bytes) {
        return bytes >= minBytes() && bytes <= maxBytes();
    }

    /** Returns all workloads of a file, which is in the form of {@code profiles/workloads.properties}. */
    public static List<Workload> all(Map<String, String> values, Path file) {
        List<Workload> all = Stream.concat(
                        usual(values, file).stream(), names(values.getOrDefault("workloads.more", "")))
                .map(name -> of(name, values, file))
                .toList();
        if (all.stream().map(Workload::name).distinct().count() < all.size()) {
            throw new UsageException("'workloads' in " + file + " has a duplicate");
        }
        Set<String> known = new TreeSet<>(List.of("workloads", "workloads.more"));
        all.forEach(one -> KEYS.forEach(key -> known.add(one.name() + key)));
        values.keySet().stream().filter(key -> !known.contains(key)).findFirst().ifPresent(key -> {
            throw new UsageException("'" + key + "' in " + file + " is not understood: the keys of a workload are NAME"
                    + String.join(", NAME", KEYS) + ", and 'workloads' or 'workloads.more' lists its name");
        });
        return all;
    }

    /** Returns the names of the workloads that run by default. */
    static List<String> usual(Map<String, String> values, Path file) {
        return names(ContainerProfile.required(values, "workloads", file)).toList();
    }

    private static Stream<String> names(String list) {
        return Arrays.stream(list.split(",")).map(String::strip).filter(name -> !name.isEmpty());
    }

    private static Workload of(String name, Map<String, String> values, Path file) {
        String path = path(name + ".path", ContainerProfile.required(values, name + ".path", file), file);
        String warmUpPath = path(name + ".warmup.path", values.getOrDefault(name + ".warmup.path", path), file);
        String bytes = values.getOrDefault(name + ".bytes", "0.." + ANY_LENGTH);
        Matcher matcher = BYTES.matcher(bytes);
        if (!matcher.matches()) {
            throw new UsageException(
                    "'" + name + ".bytes=" + bytes + "' in " + file + " is neither a number nor LOW..HIGH");
        }
        int min = Integer.parseInt(matcher.group(1));
        int max = matcher.group(2) == null ? min : Integer.parseInt(matcher.group(2));
        if (min > max) {
            throw new UsageException("'" + name + ".bytes=" + bytes + "' in " + file + " ends before it begins");
        }
        return new Workload(
                name,
                path,
                min,
                max,
                values.getOrDefault(name + ".blocks", "false").equals("true"),
                values.getOrDefault(name + ".with", ""),
                warmUpPath);
    }

    private static String path(String key, String path, Path file) {
        if (!path.startsWith("/")) {
            throw new UsageException("'" + key + "' in " + file + " must start with /");
        }
        if (path.length() > LONGEST_PATH) {
            throw new UsageException("'" + key + "' in " + file + " is longer than " + LONGEST_PATH + " characters");
        }
        if (!PATH.matcher(path).matches()) {
            throw new UsageException("'" + key + "=" + Secrets.ofPath(path) + "' in " + file
                    + " cannot be requested: write blanks and other characters as %20");
        }
        return path;
    }
}
