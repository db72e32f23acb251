package org.servletbench.bench.server.proof;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UserSession;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.http.RowCounters;
import org.servletbench.bench.server.http.Visitor;

/**
 * A server's answers to each workload, as far as all arms must agree before any load: status, body, headers and whether
 * the connection stays open. Containers that do different work cannot be compared.
 */
public final class Parity {

    private static final String LOCATION = "location";

    /**
     * Headers that differ by nature, or that HTTP/1.1 implies: the date, the container's name, and that the connection
     * stays open.
     */
    private static final Set<String> FREE = Set.of("date", "server", "connection", "keep-alive");
    /** Headers that identify a created resource, for requests that change state. */
    private static final Set<String> OF_CHANGES = Set.of(LOCATION, "etag", "last-modified");
    /** Headers that depend on a body's length, for bodies whose length may differ. */
    private static final Set<String> OF_LENGTH = Set.of("content-length", "transfer-encoding");

    /** Key of the JDK in {@link #of(Map, Map, List)}. Arms may have JDKs of their own. */
    public static final String JDK = "the server's JDK";

    /** Key of the class archive with which the server starts. */
    public static final String WARM_START = "the server's warm start";

    /** Key in a settings set that says whether limits of requests served at once {@link #MAY_DIFFER}. */
    public static final String LIMITS = "bench.limits";

    public static final String MAY_DIFFER = "may-differ";
    public static final String AT_ONCE = "the number of requests served at once (with " + LIMITS + "=" + MAY_DIFFER
            + " in the settings set it may differ)";

    /** Key of the encoding of answers, if requests accept gzip. */
    public static final String ENCODING = "the encoding of answers";

    private static final String PLAIN = "plain";
    /** Headers of answers that may be compressed. Containers announce compression differently. */
    private static final Set<String> OF_ENCODING =
            Set.of("content-encoding", "content-length", "transfer-encoding", "vary", "etag", "accept-ranges");
    /** Key of a server that has to compress. */
    public static final String COMPRESSES = "compresses";

    private static final String IGNORED =
            "; with virtual threads Tomcat has no limit, whatever server.tomcat.threads.max is, and"
                    + " Jetty limits its tasks, in some releases to 200 whatever server.jetty.threads.max is";

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LONGEST = 60;
    private static final long AGAIN_NANOS = 500_000_000L;
    /** Status of a server fault. Only such a wrong answer may change on repetition. */
    private static final int FAULT = 500;

    private static final int LEAST_REDIRECT = 300;
    private static final int LEAST_WRONG = 400;
    private static final int UNAUTHORISED = 401;
    private static final int FORBIDDEN = 403;

    private static final String NONE = "(none)";
    private static final String BODY = ": body";
    private static final String LENGTH = ": length";
    private static final String COOKIE = "set-cookie";
    private static final String VARY = "vary";
    private static final String A_TIME = "(a time)";
    /**
     * Headers that come with a new cookie. Jetty forbids caches to keep such an answer by {@code Expires}; others leave
     * that to the application. Spring Security then finds caching settled, and writes none of the three.
     */
    private static final Set<String> BESIDE_COOKIES = Set.of("expires", "cache-control", "pragma");

    private static final String VARIES = "varies from answer to answer";
    /**
     * Number of answers that show whether an unspecified length is constant. One time in ten ends with a zero, which is
     * not written.
     */
    private static final int MOST_LEARNT = 50;

    /** Minimum number of answers for each workload, unless it takes longer than {@link #LEARNING}. */
    private static final int LEAST_ASKED = 5;

    private static final Duration LEARNING = Duration.ofSeconds(2);

    private Parity() {}

    /**
     * Returns everything in which all servers that are ranked together must agree: their answers and their runtime.
     *
     * @param answers the server's answers, from {@link #of(URI, List)}
     * @param runtime facts about its runtime
     * @throws TargetException if the arm asks for compression, and nothing is compressed
     */
    public static Map<String, String> of(
            Map<String, String> answers, Map<String, String> runtime, List<Workload> workloads) {
        Map<String, String> facts = new TreeMap<>(answers);
        facts.putAll(runtime);
        if (facts.remove(COMPRESSES) != null
                && !workloads.isEmpty()
                && !facts.getOrDefault(ENCODING, "").contains(" gzip")) {
            throw TargetException.refusal(
                    TargetException.Refusal.WORK,
                    "server.compression.enabled=true changes nothing: no answer is compressed (" + facts.get(ENCODING)
                            + "): see server.compression.min-response-size and server.compression.mime-types");
        }
        return facts;
    }

    /** Returns the facts without headers: bodies, connections that stay open, and the JDK. */
    public static Map<String, String> withoutHeaders(Map<String, String> facts) {
        Map<String, String> rest = new TreeMap<>(facts);
        rest.keySet().removeIf(key -> key.contains(": ") && !key.endsWith(BODY) && !key.endsWith(": keep-alive"));
        return rest;
    }

    /**
     * Sends each workload to a server, twice on one connection, and its warm-up workload as well. All requests of a
     * list are sent in order, as users do, at least twice; only those that change nothing are repeated on one
     * connection.
     *
     * @return the relevant parts of its answers, by {@code workload: what}, for example {@code hello: content-type}
     * @throws TargetException if it does not answer, or answers with another status or length than the workload
     *     specifies
     */
    public static Map<String, String> of(URI server, List<Workload> workloads) {
        return of(server, workloads, new RowCounters());
    }

    /**
     * Sends each workload to a server. Requests with rows of data use the next rows.
     *
     * @param rows counters of the workloads' rows sent to the server so far; they are increased
     */
    public static Map<String, String> of(URI server, List<Workload> workloads, RowCounters rows) {
        Map<String, String> facts = new TreeMap<>();
        // Answers name created resources or count them. Such parts differ between servers and change over time.
        boolean changes = workloads.stream().anyMatch(Workload::changesEachPass);
        for (Workload workload : workloads) {
            List<Workload> parts = workload.parts();
            List<List<HttpWire.Answer>> rounds = rounds(server, workload, facts, rows.of(workload.name()));
            for (int i = 0; i < parts.size(); i++) {
                int index = i;
                Workload part = parts.get(i);
                describe(
                        server,
                        facts,
                        part,
                        rounds.stream().map(round -> round.get(index)).toList(),
                        changes
                                || part.sending().changesState()
                                || part.sending().varies());
            }
            if (workload.hasOwnWarmUp()) {
                round(server, learnt(List.of(workload), facts).get(0).ofWarmUp(), rows.of(workload.name()));
            }
        }
        return facts;
    }

    /** Returns enough rounds of answers to show what varies from one answer to the next. */
    private static List<List<HttpWire.Answer>> rounds(
            URI server, Workload workload, Map<String, String> facts, AtomicLong rows) {
        List<Workload> parts = workload.parts();
        Visitor visitor = new Visitor(server, workload, rows);
        List<List<HttpWire.Answer>> rounds = new ArrayList<>();
        rounds.add(pass(server, workload, part -> first(server, visitor, part, parts.size() > 1, facts)));
        boolean changes = workload.changesEachPass();
        boolean known = parts.stream().allMatch(Workload::hasLength);
        int most = changes ? 2 : known ? LEAST_ASKED : MOST_LEARNT;
        long begin = System.nanoTime();
        while (rounds.size() < 2
                || rounds.size() < most
                        && (rounds.size() < LEAST_ASKED && !known || System.nanoTime() - begin < LEARNING.toNanos())) {
            rounds.add(round(server, workload, rows));
        }
        return rounds;
    }

    /** Runs one pass of a new user, with each request on a connection of its own. */
    private static List<HttpWire.Answer> round(URI server, Workload workload, AtomicLong rows) {
        Visitor visitor = new Visitor(server, workload, rows);
        return pass(server, workload, part -> {
            try (HttpWire.Connection connection = HttpWire.connect(server, TIMEOUT_MILLIS)) {
                return required(visitor.ask(connection));
            } catch (IOException e) {
                throw wrong(server, part, e);
            }
        });
    }

    /**
     * Returns the answer to each request in turn. If an answer is wrong, the redirect of an earlier login may show why,
     * for example to the login form with an error.
     */
    private static List<HttpWire.Answer> pass(
            URI server, Workload workload, Function<Workload, HttpWire.Answer> asked) {
        List<HttpWire.Answer> answers = new ArrayList<>();
        String led = "";
        for (Workload part : workload.parts()) {
            try {
                answers.add(asked.apply(part));
            } catch (TargetException e) {
                throw led.isEmpty() ? e : e.saying(e.getMessage() + "; before it " + led);
            }
            String location = answers.get(answers.size() - 1).header(LOCATION);
            if (part.sending().isOnce() && location != null) {
                led = Text.begin(
                        part.labelIn(workload) + " led to " + within(server, location), UserSession.MOST_SHOWN);
            }
        }
        return answers;
    }

    /**
     * Returns the body sizes of a server's correct answers to requests that change nothing, bytes, by request. Each
     * request is sent several times, by new users, who log in if the login is sent once. Requests that need the answer
     * to a change are left out.
     *
     * @param rows number of the pass that is sent, by workload
     * @throws TargetException if it does not answer
     */
    public static Map<String, List<Long>> sizes(URI server, List<Workload> workloads, Map<String, Long> rows) {
        Map<String, List<Long>> sizes = new TreeMap<>();
        for (Workload workload : workloads) {
            List<Workload> reads = reads(workload.parts());
            long begin = System.nanoTime();
            for (int asked = 0;
                    !reads.isEmpty()
                            && (asked < 2 || asked < LEAST_ASKED && System.nanoTime() - begin < LEARNING.toNanos());
                    asked++) {
                read(server, reads, rows.getOrDefault(workload.name(), 0L), sizes);
            }
        }
        return sizes;
    }

    private static List<Workload> reads(List<Workload> parts) {
        Set<String> known = new TreeSet<>(Set.of(RequestSpec.SEQUENCE));
        List<Workload> reads = new ArrayList<>();
        for (Workload part : parts) {
            if (!part.sending().changesEachPass()
                    && known.containsAll(part.sending().uses())) {
                reads.add(part);
                part.sending().extracts().forEach(one -> known.add(one.name()));
            }
        }
        return reads;
    }

    /** Runs one pass of a new user. */
    private static void read(URI server, List<Workload> reads, long row, Map<String, List<Long>> sizes) {
        Visitor visitor = new Visitor(server, Workload.list("", reads), new AtomicLong(row));
        for (Workload part : reads) {
            try (HttpWire.Connection connection = HttpWire.connect(server, TIMEOUT_MILLIS)) {
                Visitor.Answered answered = visitor.ask(connection);
                if (!part.sending().changesState()) {
                    List<Long> own = sizes.computeIfAbsent(part.name(), none -> new ArrayList<>());
                    if (answered.isRight()) {
                        own.add((long) answered.answer().body().length);
                    }
                }
            } catch (IOException e) {
                throw wrong(server, part, e);
            }
        }
    }

    private static HttpWire.Answer required(Visitor.Answered answered) {
        require(answered.request(), answered.answer());
        answered.missing().ifPresent(missing -> {
            throw TargetException.refusal(
                    TargetException.Refusal.WORK,
                    "workload " + answered.request().name() + ": "
                            + answered.request().request() + ": " + missing);
        });
        return answered.answer();
    }

    private static HttpWire.Answer first(
            URI server, Visitor visitor, Workload part, boolean ofList, Map<String, String> facts) {
        try (HttpWire.Connection connection = HttpWire.connect(server, TIMEOUT_MILLIS)) {
            Visitor.Answered answered = visitor.ask(connection);
            if (answered.answer().status() != part.sending().status()
                    && !part.sending().changesState()) {
                // A server that has just started may soon answer differently.
                LockSupport.parkNanos(AGAIN_NANOS);
                try (HttpWire.Connection another = HttpWire.connect(server, TIMEOUT_MILLIS)) {
                    Visitor.Answered next = visitor.again(another);
                    boolean same = next.answer().status() == answered.answer().status();
                    try {
                        return kept(another, visitor, next, ofList, facts);
                    } catch (TargetException e) {
                        throw same && e.refusal().isEmpty()
                                ? TargetException.refusal(
                                        TargetException.Refusal.WORK,
                                        e.getMessage() + "; asked again it answered the same")
                                : e;
                    }
                }
            }
            return kept(connection, visitor, answered, ofList, facts);
        } catch (IOException e) {
            throw wrong(server, part, e);
        }
    }

    /**
     * Requires a correct answer, and checks immediately whether the connection stays open. Later it might have been
     * closed as idle.
     */
    private static HttpWire.Answer kept(
            HttpWire.Connection connection,
            Visitor visitor,
            Visitor.Answered answered,
            boolean ofList,
            Map<String, String> facts) {
        HttpWire.Answer answer = required(answered);
        Workload part = answered.request();
        boolean once =
                ofList && (part.sending().changesState() || part.sending().isOfSession());
        String open = !answer.staysOpen() || !once && !staysOpen(connection, visitor, part, ofList) ? "no" : "yes";
        facts.put(part.name() + ": keep-alive", open);
        return answer;
    }

    private static boolean staysOpen(HttpWire.Connection connection, Visitor visitor, Workload part, boolean ofList) {
        try {
            Visitor.Answered next = ofList ? visitor.again(connection) : visitor.ask(connection);
            return next.answer().status() == part.sending().status();
        } catch (IOException e) {
            return false;
        }
    }

    private static TargetException wrong(URI server, Workload request, IOException why) {
        if (why instanceof SocketTimeoutException) {
            return TargetException.refusal(
                    TargetException.Refusal.WORK,
                    "workload " + request.name() + ": " + request.path() + " has not answered within "
                            + TIMEOUT_MILLIS / 1000 + " s: give another url");
        }
        return new TargetException(server + request.path() + " does not answer as it should: " + why.getMessage());
    }

    /**
     * Returns the workloads with the length of a server's answers filled in if it was unknown. This length is then
     * checked under load.
     *
     * @param facts result of {@link #of}
     */
    public static List<Workload> learnt(List<Workload> workloads, Map<String, String> facts) {
        return workloads.stream()
                .map(workload -> workload.each(one -> {
                    String length = facts.getOrDefault(one.name() + LENGTH, VARIES);
                    return length.equals(VARIES) ? one : one.ofLength(Integer.parseInt(length));
                }))
                .toList();
    }

    /**
     * Returns the names of workloads whose answers set cookies.
     *
     * @param facts result of {@link #of}
     */
    public static Set<String> settingCookies(List<Workload> workloads, Map<String, String> facts) {
        return workloads.stream()
                .filter(workload ->
                        workload.parts().stream().anyMatch(part -> facts.containsKey(part.name() + ": " + COOKIE)))
                .map(Workload::name)
                .collect(Collectors.toSet());
    }

    /**
     * Sends a workload once.
     *
     * @throws TargetException if the server does not answer as it should
     */
    public static void send(URI server, Workload workload) {
        round(server, workload, new AtomicLong());
    }

    private static void require(Workload workload, HttpWire.Answer answer) {
        int status = answer.status();
        if (status != workload.sending().status()) {
            String said = "workload " + workload.name() + ": "
                    + workload.sending().method() + " " + workload.path() + " answered " + status + " and not "
                    + workload.sending().status() + " (" + body(answer) + ")";
            if (status == FAULT) {
                throw new TargetException(said);
            }
            throw TargetException.refusal(
                    TargetException.Refusal.WORK,
                    said + ": "
                            + (status == UNAUTHORISED || status == FORBIDDEN || leadsAway(status)
                                    ? "what is behind a login needs headers, such as Authorization or Cookie, or a list of requests"
                                            + " that logs in (docs/login.md); if this answer is to be measured, give expect:"
                                            + " {status: " + status + "}"
                                    : "give " + (status < LEAST_REDIRECT ? "" : "another url, or ")
                                            + "expect: {status: " + status + "}"));
        }
        if (!workload.accepts(answer.body().length)) {
            throw TargetException.refusal(
                    TargetException.Refusal.WORK,
                    "workload " + workload.name() + ": the body of " + workload.path() + " has " + answer.body().length
                            + " bytes and should have " + workload.lengthWords() + " (" + body(answer) + ")");
        }
    }

    private static boolean leadsAway(int status) {
        return status >= LEAST_REDIRECT && status < LEAST_WRONG;
    }

    /** Returns the content of an unexpected answer, for people. */
    private static String body(HttpWire.Answer answer) {
        String where = answer.headers().stream()
                .map(Parity::header)
                .filter(header -> header[0].equals(LOCATION))
                .map(header -> "to " + header[1] + ", ")
                .findFirst()
                .orElse("");
        String text = Text.begin(answer.text(), UserSession.MOST_SHOWN);
        return where + (text.isEmpty() ? "no body" : "body: " + text);
    }

    private static void describe(
            URI server, Map<String, String> facts, Workload workload, List<HttpWire.Answer> answers, boolean free) {
        List<byte[]> bodies = answers.stream().map(HttpWire.Answer::body).toList();
        boolean oneLength =
                bodies.stream().mapToInt(body -> body.length).distinct().count() == 1;
        if (!free && !workload.hasLength()) {
            facts.put(workload.name() + LENGTH, oneLength ? String.valueOf(bodies.get(0).length) : VARIES);
        }
        boolean fixed = !free && (workload.hasOneLength() || !workload.hasLength() && oneLength);
        if (fixed) {
            boolean same = bodies.stream().map(Sha256::of).distinct().count() == 1;
            facts.put(
                    workload.name() + BODY,
                    same
                            ? "SHA-256 " + Sha256.of(bodies.get(0)) + ": "
                                    + Text.begin(answers.get(0).text(), UserSession.MOST_SHOWN)
                            : VARIES);
        }
        List<Map<String, String>> heads = answers.stream()
                .map(answer -> compared(server, answer.headers()))
                .toList();
        Set<String> ignored = new TreeSet<>(fixed ? Set.of() : OF_LENGTH);
        workload.sending().ignored().forEach(name -> ignored.add(name.toLowerCase(Locale.ROOT)));
        if (free) {
            ignored.addAll(OF_CHANGES);
        }
        if (workload.sending().acceptsGzip()) {
            facts.merge(
                    ENCODING,
                    workload.name() + " " + heads.get(0).getOrDefault("content-encoding", PLAIN),
                    (before, one) -> before + ", " + one);
            ignored.addAll(OF_ENCODING);
        }
        heads.stream().flatMap(head -> head.keySet().stream()).distinct().forEach(name -> {
            if (!ignored.contains(name)) {
                boolean same =
                        heads.stream().map(head -> head.get(name)).distinct().count() == 1;
                facts.put(workload.name() + ": " + name, same ? heads.get(0).get(name) : VARIES);
            }
        });
    }

    /** Returns an answer's relevant headers by name. Several with one name are in alphabetical order. */
    private static Map<String, String> compared(URI server, List<String> lines) {
        Map<String, TreeSet<String>> headers = new TreeMap<>();
        for (String line : lines) {
            String[] header = header(line);
            if (!FREE.contains(header[0])) {
                headers.computeIfAbsent(header[0], name -> new TreeSet<>())
                        .add(
                                header[0].equals(COOKIE)
                                        ? cookie(header[1])
                                        : value(header[0].equals(LOCATION) ? within(server, header[1]) : header[1]));
            }
        }
        if (headers.containsKey(COOKIE)) {
            headers.keySet().removeAll(BESIDE_COOKIES);
        }
        if (headers.containsKey(VARY)) {
            headers.put(VARY, vary(headers.get(VARY)));
            headers.values().removeIf(TreeSet::isEmpty);
        }
        Map<String, String> joined = new TreeMap<>();
        headers.forEach((name, values) -> joined.put(name, String.join(", ", values)));
        return joined;
    }

    /** Joins one or several headers, in any order. The ability to compress alone is not a relevant difference. */
    private static TreeSet<String> vary(TreeSet<String> values) {
        TreeSet<String> names = new TreeSet<>();
        values.forEach(value -> Stream.of(value.split(",")).map(String::strip).forEach(names::add));
        names.removeAll(Set.of("", "accept-encoding"));
        return names;
    }

    /** Returns the name, in lower case, and the value. */
    private static String[] header(String line) {
        int colon = Math.max(0, line.indexOf(':'));
        return new String[] {
            line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
            line.substring(colon + 1).strip()
        };
    }

    /** Returns a cookie's name and attributes. The value differs in every server, and usually in every answer. */
    private static String cookie(String line) {
        String[] parts = line.split(";");
        TreeSet<String> attributes = new TreeSet<>();
        for (int i = 1; i < parts.length; i++) {
            String attribute = parts[i].strip().toLowerCase(Locale.ROOT);
            // Skips a date that repeats max-age, because some containers write both.
            if (!attribute.startsWith("expires=") && !attribute.equals("httponly")) {
                attributes.add(attribute);
            }
        }
        attributes.remove("");
        return (parts[0].split("=")[0].strip() + " " + String.join(" ", attributes)).strip();
    }

    /**
     * Returns the target of a redirect. Tomcat and Undertow write the server's own address before its path, Jetty only
     * the path.
     */
    private static String within(URI server, String location) {
        String own = server + "/";
        return location.startsWith(own) ? location.substring(own.length() - 1) : location;
    }

    /**
     * Normalises a header's value. Containers write the same media type in different cases, and with or without a
     * blank. Undertow writes a language without a country, as in the locale C, with a hyphen before it. Tomcat
     * (10.1.61) adds the charset of a file, others do not.
     */
    private static String value(String text) {
        if (isTime(text)) {
            return A_TIME;
        }
        return text.toLowerCase(Locale.ROOT)
                .replace("; ", ";")
                .replaceFirst("^(text/[a-z]+);charset=utf-8$", "$1")
                .replaceFirst("-$", "");
    }

    /** True if it is the time at which a file or an answer was created, which does not affect the work. */
    private static boolean isTime(String text) {
        try {
            DateTimeFormatter.RFC_1123_DATE_TIME.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /**
     * Compares the answers of several servers with those of the first one.
     *
     * @param answers results of {@link #of}, by name, in order
     * @param processors number of processors of the machine on which they run
     * @throws TargetException that names every difference
     */
    public static void requireSame(Map<String, Map<String, String>> answers, int processors) {
        TreeSet<String> differences = new TreeSet<>();
        String first = answers.keySet().iterator().next();
        answers.forEach((name, facts) -> {
            TreeSet<String> keys = new TreeSet<>(facts.keySet());
            keys.addAll(answers.get(first).keySet());
            for (String key : keys) {
                String expected = answers.get(first).getOrDefault(key, NONE);
                String actual = facts.getOrDefault(key, NONE);
                if (key.equals(AT_ONCE)
                        ? !ServedAtOnce.isLike(actual, expected, processors)
                        : !expected.equals(actual) && !varies(key, expected, actual)) {
                    differences.add(key + " is '" + shown(key, actual) + "' on " + name + " and '"
                            + shown(key, expected) + "' on " + first);
                }
            }
        });
        if (!differences.isEmpty()) {
            throw TargetException.refusal(
                    TargetException.Refusal.WORK,
                    "the servers do not do the same work: " + String.join("; ", differences)
                            + (headers(differences)
                                    ? "; a header that may differ is named by expect: {ignore-headers: [NAME]}"
                                    : "")
                            + (isLimitIgnored(answers) ? IGNORED : ""));
        }
    }

    /** True if one server has no limit, which is only possible with virtual threads, and another one has a limit. */
    private static boolean isLimitIgnored(Map<String, Map<String, String>> answers) {
        Set<String> limits = answers.values().stream()
                .flatMap(facts -> Stream.ofNullable(facts.get(AT_ONCE)))
                .collect(Collectors.toSet());
        return limits.size() > 1 && limits.contains(ServedAtOnce.NO_LIMIT);
    }

    private static boolean headers(Set<String> differences) {
        return differences.stream().allMatch(one -> one.matches("[^:]+: [a-z0-9-]+ is .*"))
                && differences.stream().noneMatch(one -> one.matches("[^:]+: (body|length|keep-alive) is .*"));
    }

    /**
     * True if a header varies within one server, such as a request's duration, even if another server happened to send
     * it twice alike.
     */
    private static boolean varies(String key, String expected, String actual) {
        List<String> values = List.of(expected, actual);
        return values.contains(VARIES) && !values.contains(NONE) && !key.endsWith(BODY) && !key.endsWith(LENGTH);
    }

    private static String shown(String key, String value) {
        if (key.endsWith(BODY)) {
            // The text says more than its hash.
            return value.replaceFirst("^SHA-256 \\p{XDigit}+: ", "");
        }
        String printable = new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", "?");
        return printable.length() > LONGEST ? printable.substring(0, LONGEST) + "…" : printable;
    }
}
