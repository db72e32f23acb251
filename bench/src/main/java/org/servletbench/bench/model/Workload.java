package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One request kind, answered with a body of a known length, or of one that first answers give; or a list of them, which has path and
 * sending of its first.
 *
 * @param name as it stands in request names and reports
 * @param path starts with a slash
 * @param minBytes the least length of the body in bytes
 * @param maxBytes the greatest length of the body in bytes; the same as the least where all containers agree;
 *     {@link #ANY_LENGTH} where it is not known
 * @param blocks whether the handler waits for something
 * @param with the Maven profile that adds what it needs to the application; empty: it needs nothing
 * @param warmUpPath what is requested instead while a server is warmed up: users who wait for a slow handler would call it too
 *     seldom for a JIT compiler
 * @param sending its method, headers and body, and the status of the answer
 * @param reset what is sent once to each server before its load; null: nothing
 * @param requests what each user sends in order, again and again, by names as {@link Load#step} makes them; empty: this one alone
 * @param simulation class of the user's own Gatling simulation, which is the load; {@code requests} are then what the parity check and
 *     the warm-up send. Empty: none
 */
public record Workload(
        String name,
        String path,
        int minBytes,
        int maxBytes,
        boolean blocks,
        String with,
        String warmUpPath,
        RequestSpec sending,
        @JsonInclude(JsonInclude.Include.NON_NULL) Workload reset,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Workload> requests,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String simulation)
        implements Serializable {

    /** The workload whose last part of the path is a time in ms, and the option that sets it. */
    private static final String DELAY = "delay";

    /** The workload that asks a database, and the option that names another one. */
    private static final String QUERY = "query";

    private static final String DATABASE = "db.url";

    /** What a file says of a workload, after its name. */
    private static final List<String> KEYS = List.of(".path", ".bytes", ".blocks", ".with", ".warmup.path");

    private static final int MOST_DELAY_MILLIS = 30_000;

    private static final Pattern BYTES = Pattern.compile("(\\d{1,9})(?:\\.\\.(\\d{1,9}))?");

    /** The greatest length of a body of which none is known. */
    public static final int ANY_LENGTH = 999_999_999;

    /** What may stand in the first line of a request, with an optional query. */
    private static final Pattern PATH = Pattern.compile("/(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]++|%[0-9A-Fa-f]{2})*+");

    /** What servers take of a first line without a setting. */
    private static final int LONGEST_PATH = 4000;

    /** Campaigns that began before there were other methods have none on record. */
    public Workload {
        sending = sending == null ? RequestSpec.GET : sending;
        requests = requests == null ? List.of() : List.copyOf(requests);
        simulation = simulation == null ? "" : simulation;
    }

    /** A plain GET. */
    public Workload(
            String name, String path, int minBytes, int maxBytes, boolean blocks, String with, String warmUpPath) {
        this(name, path, minBytes, maxBytes, blocks, with, warmUpPath, RequestSpec.GET, null, List.of(), "");
    }

    /** One that does not wait and needs nothing. */
    public Workload(String name, String path, int minBytes, int maxBytes) {
        this(name, path, minBytes, maxBytes, false, "", path);
    }

    /** A list of requests, at least one. */
    public static Workload list(String name, List<Workload> requests) {
        Workload first = requests.get(0);
        return new Workload(
                name, first.path, 0, ANY_LENGTH, false, "", first.path, first.sending, first.reset, requests, "");
    }

    /**
     * A simulation of the user's own.
     *
     * @param checked what the parity check and the warm-up send; may be empty
     */
    public static Workload simulation(String name, String simulation, List<Workload> checked) {
        return new Workload(name, "/", 0, ANY_LENGTH, false, "", "/", RequestSpec.GET, null, checked, simulation);
    }

    /** Whether a simulation of the user's own is the load. */
    @JsonIgnore
    public boolean isSimulation() {
        return !simulation.isEmpty();
    }

    /** Whether the rig itself knows something to send. */
    @JsonIgnore
    public boolean isKnown() {
        return !isSimulation() || !requests.isEmpty();
    }

    /** What is sent in order: this one alone where it is no list. */
    public List<Workload> parts() {
        return requests.isEmpty() ? List.of(this) : requests;
    }

    /** The same with each of its {@link #parts} changed. */
    public Workload each(UnaryOperator<Workload> change) {
        if (requests.isEmpty()) {
            return isSimulation() ? this : change.apply(this);
        }
        List<Workload> changed = requests.stream().map(change).toList();
        return (isSimulation() ? simulation(name, simulation, changed) : list(name, changed)).resetBy(reset);
    }

    /** Whether a server has more to do the more of its passes there were. */
    public boolean changesEachPass() {
        return parts().stream().anyMatch(part -> part.sending.changesEachPass());
    }

    /** The same where every user is new: {@link RequestSpec#ofNewUsers}. */
    public Workload ofNewUsers() {
        return each(part -> part.sending(part.sending().ofNewUsers()));
    }

    /** Of a request of a list: how it is called there. */
    public String labelIn(Workload list) {
        return name.substring(Load.step(list.name, "").length());
    }

    /** The same path with another method, headers, body or status. */
    public Workload sending(RequestSpec other) {
        return new Workload(
                name, path, minBytes, maxBytes, blocks, with, warmUpPath, other, reset, requests, simulation);
    }

    /** The same with other paths, in which values are filled. */
    public Workload at(String otherPath, String otherWarmUpPath) {
        return new Workload(
                name,
                otherPath,
                minBytes,
                maxBytes,
                blocks,
                with,
                otherWarmUpPath,
                sending,
                reset,
                requests,
                simulation);
    }

    /** The same, before whose load another request is sent. */
    public Workload resetBy(Workload other) {
        return new Workload(
                name, path, minBytes, maxBytes, blocks, with, warmUpPath, sending, other, requests, simulation);
    }

    /** Its method and path: {@code POST /owners}. */
    public String request() {
        return sending.method() + " " + path;
    }

    /**
     * Those that were asked for, or the usual ones, with the delay that was asked for.
     *
     * @param usual those that are taken where the option {@code workloads} names none
     * @throws UsageException if one is named that there is not, the delay is no time up to a minute, or an option is for a
     *     workload that was not asked for
     */
    public static List<Workload> chosen(Options options, List<Workload> known, List<String> usual, String file) {
        List<String> names = options.text("workloads").isPresent()
                ? options.requireDistinct("workloads", options.names("workloads"))
                : usual;
        List<Workload> chosen = names.stream()
                .map(name -> known.stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new UsageException("no workload '" + name + "': choose from "
                                + known.stream().map(Workload::name).collect(Collectors.joining(",")) + file)))
                .map(one -> one.delayed(options))
                .toList();
        requireChosen(options, DELAY, DELAY, chosen);
        if (known.stream().anyMatch(one -> one.name().equals(QUERY))) {
            requireChosen(options, DATABASE, QUERY, chosen);
        }
        return chosen;
    }

    /** An option of a workload that is not asked for would be ignored. */
    private static void requireChosen(Options options, String option, String workload, List<Workload> chosen) {
        if (options.isGiven(option)
                && chosen.stream().noneMatch(one -> one.name().equals(workload))) {
            throw new UsageException(option + "=" + options.required(option) + " is for the workload " + workload
                    + ": add workloads=" + workload);
        }
    }

    /**
     * The same with the delay that was asked for.
     *
     * @throws UsageException if that is no time up to 30 s, half of what generators wait for an answer
     */
    public Workload delayed(Options options) {
        if (!name.equals(DELAY) || !options.isGiven(DELAY)) {
            return this;
        }
        long millis = options.duration(DELAY).toMillis();
        if (millis > MOST_DELAY_MILLIS) {
            throw new UsageException(
                    "delay=" + options.required(DELAY) + " is more than " + MOST_DELAY_MILLIS / 1000 + " s");
        }
        return at(path.substring(0, path.lastIndexOf('/') + 1) + millis, warmUpPath);
    }

    /** How long its handler waits at least, ms: 0 where it does not, or where that is not known beforehand. */
    public long waitMs() {
        return name.equals(DELAY) ? Long.parseLong(path.substring(path.lastIndexOf('/') + 1)) : 0;
    }

    /** The same with values of the environment where it names them: for sending, not for a record. */
    public Workload resolved() {
        Workload own = each(one -> Secrets.resolved(
                one.at(
                                Secrets.resolved(one.path, RequestSpec::escaped),
                                Secrets.resolved(one.warmUpPath, RequestSpec::escaped))
                        .sending(one.sending.resolved()),
                Workload.class));
        return reset == null ? own : own.resetBy(reset.resolved());
    }

    /** What a server is warmed up with. */
    public Workload ofWarmUp() {
        return at(warmUpPath, warmUpPath);
    }

    /** Whether that is another request than those that are measured. */
    public boolean hasOwnWarmUp() {
        return !warmUpPath.equals(path);
    }

    /** Whether anything is known of the length of a body beforehand. */
    public boolean hasLength() {
        return maxBytes != ANY_LENGTH;
    }

    /** Whether every body must have one length that is known beforehand. */
    public boolean hasOneLength() {
        return minBytes == maxBytes;
    }

    /** The same with a body of this length, where none is known yet. */
    public Workload ofLength(int bytes) {
        return hasLength()
                ? this
                : new Workload(
                        name, path, bytes, bytes, blocks, with, warmUpPath, sending, reset, requests, simulation);
    }

    /** Its length in words: {@code 5 bytes}, {@code 100 to 140 bytes}. */
    public String lengthWords() {
        return !hasLength()
                ? "as many bytes as the first answers, or any number where requests change the service"
                : hasOneLength() ? minBytes + " bytes" : minBytes + " to " + maxBytes + " bytes";
    }

    public boolean accepts(int bytes) {
        return bytes >= minBytes && bytes <= maxBytes;
    }

    /** Those of a file in the form of {@code profiles/workloads.properties}. */
    public static List<Workload> all(Map<String, String> values, Path file) {
        List<Workload> all = Stream.concat(
                        usual(values, file).stream(), names(values.getOrDefault("workloads.more", "")))
                .map(name -> of(name, values, file))
                .toList();
        if (all.stream().map(Workload::name).distinct().count() < all.size()) {
            throw new UsageException("'workloads' in " + file + " names one twice");
        }
        Set<String> known = new TreeSet<>(List.of("workloads", "workloads.more"));
        all.forEach(one -> KEYS.forEach(key -> known.add(one.name() + key)));
        values.keySet().stream().filter(key -> !known.contains(key)).findFirst().ifPresent(key -> {
            throw new UsageException("'" + key + "' in " + file + " is not understood: the keys of a workload are NAME"
                    + String.join(", NAME", KEYS) + ", and 'workloads' or 'workloads.more' lists its name");
        });
        return all;
    }

    /** Those that are taken where none is named. */
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
