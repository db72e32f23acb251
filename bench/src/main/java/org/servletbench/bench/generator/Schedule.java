package org.servletbench.bench.generator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.OwnFiles;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.UsageException;

/**
 * The work of one generator process on a campaign's running servers: it warms itself up on all of them, and then
 * applies one load after the other. It is a file, because the generator is a separate process.
 *
 * @param warmUp warm-up of the generator itself; the servers are warm already
 * @param servers URL of each server, {@code http://host:port}
 * @param windows windows in order, after the interleavings
 * @param interleavings interleavings in order
 * @param searches searches in order, after the windows
 * @param description text for the generator's own report
 */
public record Schedule(
        WarmUp warmUp,
        List<String> servers,
        List<Window> windows,
        List<InterleavedLoad> interleavings,
        List<Search> searches,
        String description) {

    /**
     * The generator's own warm-up, with bursts without pauses, each at the next server.
     *
     * @param limitMs maximum duration, ms
     * @param users number of concurrent users in a burst
     * @param burstMs length of a burst, ms
     * @param risePercent the rise, in percent, over the best burst above which a burst still counts as rising
     * @param flatBursts number of consecutive bursts that must not rise
     */
    public record WarmUp(long limitMs, int users, long burstMs, double risePercent, int flatBursts) {

        /** Returns the same warm-up with another time limit, ms. */
        public WarmUp within(long otherLimitMs) {
            return new WarmUp(otherLimitMs, users, burstMs, risePercent, flatBursts);
        }
    }

    /**
     * A load on one server for some time.
     *
     * @param endpoint the server; its name ends with the load, in the format of
     *     {@link org.servletbench.bench.model.Load#parse}
     * @param users number of concurrent users of the closed model; 0 in the open one
     * @param rate requests/s of the open model; 0 in the closed one
     * @param rampUpMs time within which all users start, ms
     * @param holdMs time under full load, ms
     */
    public record Window(Endpoint endpoint, int users, double rate, long rampUpMs, long holdMs) {

        /** Returns the request name in log and report. */
        public String name() {
            return endpoint.name();
        }

        boolean complete() {
            return endpoint != null
                    && endpoint.complete()
                    && users >= 0
                    && (users > 0 || rate > 0)
                    && holdMs > 0
                    && rampUpMs >= 0;
        }
    }

    /**
     * A server's part of a load.
     *
     * @param name name of the request in the log
     * @param server the server's URL, {@code http://host:port}
     * @param path path of the request
     * @param minBytes minimum length of a correct body, bytes
     * @param maxBytes maximum length of a correct body, bytes
     * @param sending method, headers, body and status
     * @param requests requests that each user sends in order, with their labels, instead of path and sending; empty:
     *     that single request
     * @param rows numbers of its requests, or of passes through its list; null if they are not counted
     * @param simulation class of a simulation that a user wrote, which sends everything; empty: none
     */
    public record Endpoint(
            String name,
            String server,
            String path,
            int minBytes,
            int maxBytes,
            RequestSpec sending,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Endpoint> requests,
            @JsonInclude(JsonInclude.Include.NON_NULL) Rows rows,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String simulation) {

        /**
         * Rows of data, each used by one request, or by one pass through a list.
         *
         * @param workload workload to which they belong; its loads on this server continue the series
         * @param from number of the first row; earlier rows were sent by parity check, warm-up and earlier loads
         * @param since number of the first row whose changes are still in the server; a reset has undone earlier ones
         * @param step difference to the next row: the number of generators that share the rows, at least 1
         */
        public record Rows(String workload, long from, long since, int step) {
            Rows shareOf(int host, int hosts) {
                return new Rows(workload, from + host, since, hosts);
            }
        }

        public Endpoint {
            sending = sending == null ? RequestSpec.GET : sending;
            requests = requests == null ? List.of() : List.copyOf(requests);
            simulation = simulation == null ? "" : simulation;
        }

        /** Creates the endpoint of a list, or of requests that use rows. */
        public Endpoint(
                String name,
                String server,
                String path,
                int minBytes,
                int maxBytes,
                RequestSpec sending,
                List<Endpoint> requests,
                Rows rows) {
            this(name, server, path, minBytes, maxBytes, sending, requests, rows, "");
        }

        /** True if users send a request to this server once, before all others. */
        public boolean hasOnce() {
            return requests.stream().anyMatch(request -> request.sending.isOnce());
        }

        /** True if a simulation that a user wrote sends everything. */
        @JsonIgnore
        public boolean isSimulation() {
            return !simulation.isEmpty();
        }

        /** Creates the endpoint of one kind of request. */
        public Endpoint(String name, String server, String path, int minBytes, int maxBytes, RequestSpec sending) {
            this(name, server, path, minBytes, maxBytes, sending, List.of(), null);
        }

        /** Creates the endpoint of plain GETs. */
        public Endpoint(String name, String server, String path, int minBytes, int maxBytes) {
            this(name, server, path, minBytes, maxBytes, RequestSpec.GET);
        }

        /** Returns this endpoint with another name. */
        public Endpoint named(String other) {
            return new Endpoint(other, server, path, minBytes, maxBytes, sending, requests, rows, simulation);
        }

        private Endpoint shareOf(int host, int hosts) {
            return rows == null
                    ? this
                    : new Endpoint(
                            name,
                            server,
                            path,
                            minBytes,
                            maxBytes,
                            sending,
                            requests,
                            rows.shareOf(host, hosts),
                            simulation);
        }

        /** Returns the requests that are sent in order, by their names in the log. */
        public List<Endpoint> parts() {
            return requests.isEmpty() || isSimulation()
                    ? List.of(this)
                    : requests.stream()
                            .map(one -> one.named(Load.step(name, one.name)))
                            .toList();
        }

        /** Returns the labels of the counted requests of a list; empty if it is not a list. */
        public List<String> labels() {
            return (isSimulation() ? List.<Endpoint>of() : requests)
                    .stream()
                            .filter(one -> !one.sending.isOnce())
                            .map(Endpoint::name)
                            .toList();
        }

        /** True if a user's requests differ from those of other users. */
        public boolean varies() {
            return parts().stream().anyMatch(one -> one.sending.varies());
        }

        /**
         * True if each of its passes changes the server's state, so that every server must receive the same number of
         * passes.
         */
        public boolean changesEachPass() {
            return rows != null && parts().stream().anyMatch(one -> one.sending.changesEachPass());
        }

        boolean complete() {
            return name != null
                    && server != null
                    && path != null
                    && requests.stream().allMatch(Endpoint::complete);
        }
    }

    /**
     * A load in time slices. In the closed model, all users are at one server at a time; see
     * {@link org.servletbench.bench.measure.Interleaving}.
     *
     * @param endpoints the servers, in any order
     * @param users number of concurrent users, above 0
     * @param rampUpMs time within which all users start, ms
     * @param settlingMs minimum settling time in time slices, ms; in it, connections are opened, and the length of a
     *     time slice is determined
     * @param longestSettlingMs maximum settling time, ms; until then, settling continues while servers become faster or
     *     compile
     * @param holdMs time in time slices for each server, ms
     * @param timeSliceMs minimum length of a time slice, ms
     * @param afterMs time in time slices that are not counted after the last counted one, ms
     */
    public record InterleavedLoad(
            String name,
            List<Endpoint> endpoints,
            int users,
            long rampUpMs,
            long settlingMs,
            long longestSettlingMs,
            long holdMs,
            long timeSliceMs,
            long seed,
            long afterMs) {

        /** Minimum number of rounds, however long a time slice is. */
        public static final int LEAST_ROUNDS = 6;
        /** Number of answers below which a throughput cannot be computed. */
        public static final int FEW = 30;
        /** Additional time for servers that hardly answer, as a multiple of {@code settlingMs}. */
        public static final int MOST_SETTLINGS = 3;
        /** Maximum length of a time slice, ms, however slow a server is, unless a longer one is requested. */
        public static final long LONGEST_MS = 20_000;

        /** Returns the interleaving of this load, once the length of its time slices is known. */
        public Interleaving interleaving(long timeSliceMs, long originMs) {
            return Interleaving.jittered(
                    endpoints.stream().map(Endpoint::name).toList(),
                    originMs,
                    timeSliceMs,
                    (int) Math.max(LEAST_ROUNDS, (holdMs + timeSliceMs - 1) / timeSliceMs),
                    seed);
        }

        /** Returns the length of the parts in which the settling is examined, ms. */
        public long partMs() {
            return Math.max(1, settlingMs / 2);
        }

        /** Returns the maximum time that this load should take, ms, for those who wait for it. */
        public long patienceMs() {
            return rampUpMs
                    + Math.max(longestSettlingMs, (1 + MOST_SETTLINGS) * settlingMs)
                    + endpoints.size() * (holdMs + LEAST_ROUNDS * Math.max(timeSliceMs, LONGEST_MS))
                    + afterMs;
        }

        boolean complete() {
            return name != null
                    && endpoints != null
                    && !endpoints.isEmpty()
                    && endpoints.stream().allMatch(Endpoint::complete)
                    && users > 0
                    && rampUpMs >= 0
                    && settlingMs > 0
                    && holdMs > 0
                    && timeSliceMs > 0;
        }
    }

    /** Message for searches on several hosts, which cannot be divided. */
    public static final String ONE_GENERATOR = "a search for the highest rate needs one generator: name one host";

    /** Default file name. */
    public static final String FILE = "schedule.json";

    /**
     * The search for the highest rate at which a server meets an objective.
     *
     * @param endpoint the server; its name precedes the step and its rate in the log
     * @param users number of users who send requests, which is the maximum number of requests in flight
     * @param rampUpMs time in which the rate of a step rises, ms
     * @param holdMs judged time of a step, ms
     */
    public record Search(
            Endpoint endpoint, String workload, Slo slo, RateSearch rates, int users, long rampUpMs, long holdMs) {

        /** Returns the maximum time that this search should take, ms, for those who wait for it. */
        public long patienceMs() {
            return RateSearch.MOST_TRIALS / 2 * (rampUpMs + holdMs + 2000);
        }
    }

    /** Prefix of everything that a generator of servlet-bench prints. */
    public static final String SAID = "servlet-bench: ";

    /** Prefix of a part's length in ms, the number of each server's answers in it, and the load's name. */
    public static final String PART = "servlet-bench: settling ";

    /**
     * Prefix of a line about the rows of data that were sent, printed at the end. The server, the number of its next
     * row, and the workload follow.
     */
    public static final String NEXT_ROW = "servlet-bench: next row ";

    /** Line that a warm generator prints when its first window is about to begin. */
    public static final String MEASURING = "servlet-bench: measuring";

    /** Line that a generator prints at the end of the first burst of its warm-up. */
    public static final String FIRST_BURST = "servlet-bench: generator warm-up burst 1:";

    /** Prefix of the name of each window that begins. */
    public static final String WINDOW = "servlet-bench: window ";

    /** Parts of Jackson's messages that only help programmers. */
    private static final Pattern CLASS = Pattern.compile(" \\(class [^)]*\\)| of type `[^`]*`");

    private static final ObjectReader STRICT = Json.MAPPER
            .readerFor(Schedule.class)
            .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    /** Returns the file next to a schedule with the time slices of a load; see {@link Interleaving}. */
    public static Path interleavingFile(Path folder, String name) {
        return folder.resolve("interleaving-" + name.replace(' ', '-') + ".json");
    }

    /** Prefix of the name of each step of a search that begins. */
    public static final String STEP = "servlet-bench: step ";

    /** Prefix of the name of each step of a search that ends. */
    public static final String STEP_END = "servlet-bench: end of step ";

    public static void writeInterleaving(Interleaving interleaving, Path file) throws IOException {
        Json.write(file, interleaving);
    }

    public static Interleaving readInterleaving(Path file) throws IOException {
        return Json.read(file, Interleaving.class);
    }

    /** Returns the first request of each server, which the warm-up sends. */
    public List<Endpoint> rehearsals() {
        List<Endpoint> all = new ArrayList<>();
        interleavings.forEach(timeSlices -> all.addAll(timeSlices.endpoints()));
        windows.forEach(window -> all.add(window.endpoint()));
        searches.forEach(search -> all.add(search.endpoint()));
        return servers.stream()
                .flatMap(server -> all.stream()
                        .filter(endpoint -> endpoint.server().equals(server))
                        .limit(1))
                .toList();
    }

    /** True if no two servers have the same host, so that their cookies are kept apart. */
    public boolean hasHostsOfTheirOwn() {
        return hasHostsOfTheirOwn(servers);
    }

    /** True if no two of these servers, {@code http://host:port}, have the same host. */
    public static boolean hasHostsOfTheirOwn(List<String> servers) {
        return servers.stream()
                        .map(server -> URI.create(server).getHost())
                        .distinct()
                        .count()
                == servers.size();
    }

    /**
     * Returns the share of one of several generators, which execute this schedule together. Users and rates are
     * divided.
     *
     * @throws UsageException if a load has fewer users than there are hosts
     */
    public Schedule shareOf(int host, int hosts) {
        if (!searches.isEmpty() && hosts > 1) {
            throw new UsageException("--load-hosts: " + ONE_GENERATOR);
        }
        return new Schedule(
                warmUp,
                servers,
                windows.stream()
                        .map(one -> new Window(
                                one.endpoint.shareOf(host, hosts),
                                one.users == 0 ? 0 : share(one.users, host, hosts),
                                one.rate / hosts,
                                one.rampUpMs,
                                one.holdMs))
                        .toList(),
                interleavings.stream()
                        .map(one -> new InterleavedLoad(
                                one.name,
                                one.endpoints.stream()
                                        .map(endpoint -> endpoint.shareOf(host, hosts))
                                        .toList(),
                                share(one.users, host, hosts),
                                one.rampUpMs,
                                one.settlingMs,
                                one.longestSettlingMs,
                                one.holdMs,
                                one.timeSliceMs,
                                one.seed,
                                one.afterMs))
                        .toList(),
                searches,
                description);
    }

    private static int share(int users, int host, int hosts) {
        if (users < hosts) {
            throw new UsageException(users + " users cannot be divided between " + hosts
                    + " load hosts: give larger --users, or fewer --load-hosts");
        }
        return users / hosts + (host < users % hosts ? 1 : 0);
    }

    /**
     * Writes the file without values that may be secret. These are written to another file outside the folder that only
     * its owner can read. A file next to the schedule contains its path, and {@link #deleteValues} deletes both.
     */
    public void write(Path file) throws IOException {
        Secrets secrets = new Secrets();
        Json.replace(file, Json.MAPPER.writeValueAsBytes(secrets.hidden(this)));
        deleteValues(file);
        if (!secrets.values().isEmpty()) {
            Path values = OwnFiles.file(".values");
            values.toFile().deleteOnExit();
            Files.write(values, Json.MAPPER.writeValueAsBytes(secrets.values()));
            Json.replace(values(file), values.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns the file next to a schedule that contains the path of its values. */
    private static Path values(Path schedule) {
        return schedule.resolveSibling("schedule.values");
    }

    /** Deletes the values, because the schedule will not be read again. */
    public static void deleteValues(Path schedule) throws IOException {
        Path place = values(schedule);
        if (Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS)) {
            Path values = Path.of(Files.readString(place).strip());
            if (OwnFiles.isOne(values, ".values")) {
                Files.deleteIfExists(values);
            }
            Files.delete(place);
        }
    }

    private static JsonNode whole(Path file) throws IOException {
        JsonNode tree = Json.MAPPER.readTree(Files.readAllBytes(file));
        Path place = values(file);
        if (!Files.isRegularFile(place)) {
            return tree;
        }
        Map<String, String> values = Json.MAPPER.readValue(
                Path.of(Files.readString(place).strip()).toFile(), new TypeReference<Map<String, String>>() {});
        return Secrets.each(tree, text -> Secrets.restored(text, values));
    }

    /**
     * Reads the file.
     *
     * @throws UsageException if it cannot be read, is not a schedule, or lacks something, with one line for people
     */
    public static Schedule read(Path file) {
        Schedule schedule;
        try {
            schedule = STRICT.readValue(whole(file));
        } catch (JacksonException e) {
            String why = e.getOriginalMessage().lines().findFirst().orElse("");
            throw new UsageException(
                    file + " is not a campaign schedule (" + CLASS.matcher(why).replaceAll("") + ")");
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + e.getMessage() + ")");
        }
        boolean complete = schedule != null
                && schedule.warmUp != null
                && schedule.servers != null
                && schedule.windows != null
                && schedule.interleavings != null
                && schedule.searches != null
                && schedule.interleavings.stream().allMatch(timeSlices -> timeSlices != null && timeSlices.complete())
                && schedule.windows.stream().allMatch(window -> window != null && window.complete());
        if (!complete) {
            throw new UsageException(file + " is not a campaign schedule (it lacks its warm-up, servers or windows,"
                    + " or a window lacks its name, server, path, load or time)");
        }
        return schedule;
    }
}
