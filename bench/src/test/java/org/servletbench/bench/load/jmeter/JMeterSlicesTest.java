package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.generator.jmeter.JMeterUsers;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.SliceReader;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.RequestSpec;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class JMeterSlicesTest {

    private static final List<Schedule.Endpoint> ENDPOINTS = List.of(
            new Schedule.Endpoint("a hello 3 users", "http://127.0.0.1:8081", "/hello", 5, 5),
            new Schedule.Endpoint("b hello 3 users", "http://127.0.0.1:8082", "/hello", 5, 5));

    private static final Schedule.Window WINDOW = new Schedule.Window(
            new Schedule.Endpoint("b round 1 hello 2 users", "http://127.0.0.1:8082", "/hello", 5, 5), 2, 0, 20, 80);

    private static Schedule schedule(long warmUpMs, String... loads) {
        List<Schedule.InterleavedLoad> timeSlices = new ArrayList<>();
        for (String load : loads) {
            timeSlices.add(new Schedule.InterleavedLoad(load, ENDPOINTS, 3, 0, 40, 40, 100, 10, 5, 0));
        }
        return new Schedule(
                new Schedule.WarmUp(warmUpMs, 7, 1000, 5, 2),
                List.of("http://127.0.0.1:8081", "http://127.0.0.1:8082"),
                List.of(WINDOW),
                timeSlices,
                List.of(),
                "test");
    }

    private static List<String> groups(Document plan, String tag) {
        List<String> groups = new ArrayList<>();
        NodeList all = plan.getElementsByTagName(tag);
        for (int i = 0; i < all.getLength(); i++) {
            Element group = (Element) all.item(i);
            String users = group.getElementsByTagName("stringProp").item(1).getTextContent();
            groups.add(group.getAttribute("testname") + ": " + users);
        }
        return groups;
    }

    private static Document plan(Schedule schedule) throws Exception {
        byte[] plan = JMeterGenerator.plan(schedule).getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(plan));
    }

    @Test
    void thePlanHasAGroupForTheWarmUpAndOneForEachLoad() throws Exception {
        Document plan = plan(schedule(9000, "hello 3 users", "a<b & \"c\" 3 users"));
        assertThat(groups(plan, "SetupThreadGroup")).containsExactly("warm-up (not counted): 7");
        assertThat(groups(plan, "ThreadGroup"))
                .containsExactly("hello 3 users: 3", "a<b & \"c\" 3 users: 3", "b round 1 hello 2 users: 2");
        assertThat(groups(plan(schedule(0, "hello 3 users")), "SetupThreadGroup"))
                .as("not wanted")
                .containsExactly("warm-up (not counted): 0");
        assertThat(JMeterGenerator.plan(schedule(9000, "hello 3 users"))).doesNotContain("@");
    }

    @Test
    void usersPauseAfterAnAnswer(@TempDir Path folder) throws Exception {
        String load = "hello 3 users pausing 20ms";
        JMeterUsers users = JMeterUsers.of(schedule(0, load), folder, load, () -> 1);
        long before = System.nanoTime();
        users.answered(users.next());
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void theWarmUpAsksEachServerAndLogsNothing() throws Exception {
        JMeterUsers users = JMeterUsers.of(schedule(9000, "hello 3 users"), Path.of("."), JMeterUsers.WARM_UP, () -> 0);
        users.lineUp(0);
        JMeterUsers.Request request = users.next();
        assertThat(request.host()).isEqualTo("127.0.0.1");
        assertThat(request.port()).isEqualTo("8081");
        assertThat(request.path()).isEqualTo("/hello");
        assertThat(users.answered(request)).isFalse();
        assertThat(users.isRunning()).isTrue();
    }

    /**
     * The servers have had different numbers of bursts and of earlier requests. Every pass is finished, and the last
     * user sends the missing ones.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterTheWarmUpEachServerHasHadAsManyChanges(boolean list) throws Exception {
        RequestSpec create = new RequestSpec("POST", Map.of(), "", 201);
        String workload = "create-" + list;
        List<Schedule.Endpoint> endpoints = ENDPOINTS.stream()
                .map(endpoint -> new Schedule.Endpoint(
                        endpoint.name(),
                        endpoint.server(),
                        "/",
                        0,
                        9,
                        create,
                        list
                                ? List.of(
                                        new Schedule.Endpoint("show", endpoint.server(), "/show", 0, 9),
                                        new Schedule.Endpoint("create", endpoint.server(), "/", 0, 9, create))
                                : List.of(),
                        new Schedule.Endpoint.Rows(workload, endpoint == ENDPOINTS.get(0) ? 1000 : 0, 0, 1)))
                .toList();
        JMeterUsers users = JMeterUsers.of(
                new Schedule(
                        new Schedule.WarmUp(50, 3, 10, 5, 2),
                        ENDPOINTS.stream().map(Schedule.Endpoint::server).toList(),
                        List.of(),
                        List.of(new Schedule.InterleavedLoad("create 3 users", endpoints, 3, 0, 40, 40, 100, 10, 5, 0)),
                        List.of(),
                        ""),
                Path.of("."),
                JMeterUsers.WARM_UP,
                () -> 0);
        Map<String, LongAdder> sent = new ConcurrentHashMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int user = 0; user < 3; user++) {
            int number = user;
            threads.add(started(() -> {
                users.lineUp(number);
                do {
                    JMeterUsers.Request request = users.next();
                    sent.computeIfAbsent(request.sending().method() + request.port(), none -> new LongAdder())
                            .increment();
                    users.answered(request);
                } while (users.isRunning());
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long behind = sent.get("POST8082").sum();
        assertThat(behind).isPositive().isEqualTo(1000 + sent.get("POST8081").sum());
        if (list) {
            assertThat(sent.get("GET8081").sum()).isEqualTo(sent.get("POST8081").sum());
            assertThat(sent.get("GET8082").sum()).isEqualTo(behind);
        }
    }

    /** Three users; each request takes 1 ms. */
    @Test
    void onlyTheRequestsOfTheTurnsAreLogged(@TempDir Path folder) throws Exception {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        JMeterUsers users = JMeterUsers.of(schedule(0, "hello 3 users"), folder, "hello 3 users", now::get);
        List<Thread> others = new ArrayList<>();
        for (int user = 0; user < 2; user++) {
            others.add(lineUp(users, user));
        }
        users.lineUp(2);
        Set<String> unlogged = new HashSet<>();
        Set<String> logged = new HashSet<>();
        Path file = Schedule.interleavingFile(folder, "hello 3 users");
        Interleaving interleaving =
                new Interleaving(ENDPOINTS.stream().map(Schedule.Endpoint::name).toList(), now.get() + 200, 30, 6, 5);
        while (users.isRunning()) {
            JMeterUsers.Request request = users.next();
            now.incrementAndGet();
            boolean counted = users.answered(request);
            assertThat(counted && !Files.exists(file))
                    .as("logged before the time slices are known")
                    .isFalse();
            if (now.get() == interleaving.originMs() - 100) {
                Json.write(file, interleaving);
                awaitRead();
            }
            (counted ? logged : unlogged).add(request.label());
        }
        for (Thread other : others) {
            other.join();
        }
        assertThat(unlogged).containsExactlyInAnyOrder("a hello 3 users", "b hello 3 users");
        assertThat(logged).containsExactlyInAnyOrder("a hello 3 users", "b hello 3 users");
    }

    /** Waits until the generator has seen the time slices that servlet-bench has set. */
    private static void awaitRead() throws InterruptedException {
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("servlet-bench-slices"))) {
            Thread.sleep(5);
        }
    }

    @Test
    void eachServerGetsAllRowsInTheirOrder() {
        List<Schedule.Endpoint> endpoints = ENDPOINTS.stream()
                .map(endpoint -> new Schedule.Endpoint(
                        endpoint.name(),
                        endpoint.server(),
                        "/${id}",
                        5,
                        5,
                        new RequestSpec(
                                "PUT", Map.of(), "<${id}>", 200, List.of(Map.of("id", "1"), Map.of("id", "2 ")))))
                .toList();
        for (Schedule.Endpoint endpoint : endpoints) {
            JMeterUsers users = JMeterUsers.of(
                    new Schedule(
                            schedule(0).warmUp(),
                            List.of(),
                            List.of(new Schedule.Window(endpoint, 1, 0, 0, 10)),
                            List.of(),
                            List.of(),
                            ""),
                    Path.of("."),
                    endpoint.name(),
                    () -> 0);
            assertThat(Stream.generate(users::next).limit(3))
                    .extracting(JMeterUsers.Request::path, one -> one.sending().body())
                    .containsExactly(tuple("/1", "<1>"), tuple("/2%20", "<2 >"), tuple("/1", "<1>"));
        }
    }

    /** At each server a user continues where it stopped there, and its passes there have their own rows. */
    @Test
    void eachUserSendsTheRequestsOfAListInTheirOrderToEachServer(@TempDir Path folder) throws Exception {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        RequestSpec row = new RequestSpec("GET", Map.of(), "", 200, List.of(Map.of("id", "1"), Map.of("id", "2")));
        List<Schedule.Endpoint> endpoints = ENDPOINTS.stream()
                .map(endpoint -> new Schedule.Endpoint(
                        endpoint.name(),
                        endpoint.server(),
                        "/",
                        0,
                        9,
                        RequestSpec.GET,
                        Stream.of("x", "y", "z")
                                .map(label -> new Schedule.Endpoint(
                                        label, endpoint.server(), "/" + label + "${id}", 0, 9, row))
                                .toList(),
                        null))
                .toList();
        Schedule.InterleavedLoad load =
                new Schedule.InterleavedLoad("shop 1 users", endpoints, 1, 0, 100, 100, 100, 7, 1, 0);
        JMeterUsers users = JMeterUsers.of(
                new Schedule(schedule(0).warmUp(), List.of(), List.of(), List.of(load), List.of(), ""),
                folder,
                load.name(),
                now::get);
        users.lineUp(0);
        Map<String, List<String>> sent = new TreeMap<>();
        Interleaving interleaving =
                new Interleaving(endpoints.stream().map(Schedule.Endpoint::name).toList(), now.get() + 200, 31, 6, 5);
        while (users.isRunning()) {
            JMeterUsers.Request request = users.next();
            now.incrementAndGet();
            users.answered(request);
            sent.computeIfAbsent(request.port(), port -> new ArrayList<>()).add(request.label() + request.path());
            if (now.get() == interleaving.originMs() - 100) {
                Json.write(Schedule.interleavingFile(folder, load.name()), interleaving);
                awaitRead();
            }
        }
        assertThat(sent).hasSize(2);
        sent.values().forEach(ofServer -> {
            assertThat(ofServer).hasSizeGreaterThan(200);
            for (int i = 0; i + 2 < ofServer.size(); i += 3) {
                String id = ofServer.get(i).endsWith("1") ? "1" : "2";
                assertThat(ofServer.get(i)).endsWith(" hello 3 users / x/x" + id);
                assertThat(ofServer.get(i + 1)).endsWith(" / y/y" + id);
                assertThat(ofServer.get(i + 2)).endsWith(" / z/z" + id);
            }
        });
    }

    @Test
    void inAWindowAllUsersStayAtOneServerToItsEnd() throws Exception {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        JMeterUsers users = JMeterUsers.of(schedule(0, "hello 3 users"), Path.of("."), WINDOW.name(), now::get);
        Thread other = lineUp(users, 0);
        users.lineUp(1);
        other.join();
        for (int ms = 0; ms < 100; ms++) {
            assertThat(users.isRunning()).isTrue();
            JMeterUsers.Request request = users.next();
            assertThat(request.label()).isEqualTo(WINDOW.name());
            assertThat(request.port()).isEqualTo("8082");
            assertThat(users.answered(request)).as("logged").isTrue();
            now.incrementAndGet();
        }
        assertThat(users.isRunning()).isFalse();
    }

    private static Thread lineUp(JMeterUsers users, int user) {
        return started(() -> users.lineUp(user));
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Thread started(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    /** Server a answers one request every 2 ms, b one every 4 ms. Every tenth request to b fails. */
    @Test
    void turnsAreReadFromJMetersLog(@TempDir Path folder) throws Exception {
        Interleaving interleaving =
                new Interleaving(List.of("a hello 3 users", "b hello 3 users"), 1_700_000_000_000L, 200, 20, 3);
        StringBuilder csv =
                new StringBuilder("timeStamp,elapsed,label,responseCode,success,bytes,sentBytes,grpThreads\n");
        int[] order = interleaving.order();
        int failures = 0;
        for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
            int step = order[timeSlice] == 0 ? 2 : 4;
            for (long ms = interleaving.fromMs(timeSlice); ms < interleaving.toMs(timeSlice); ms += step) {
                boolean failed = order[timeSlice] == 1 && ++failures % 10 == 0;
                csv.append(ms - 1)
                        .append(",1,")
                        .append(interleaving.names().get(order[timeSlice]))
                        .append(failed ? ",500,false" : ",200,true")
                        .append(",160,120,3\n");
            }
        }
        Path log = Files.writeString(folder.resolve("results.csv"), csv);

        SliceReader.Result result = SliceReader.read(interleaving, List.of(), 3, List.of(), 0, RawLog.of(log)::read);

        assertThat(result.checks()).isEmpty();
        WindowResult fast = result.servers().get(0);
        WindowResult slow = result.servers().get(1);
        assertThat(fast.throughput()).isBetween(495.0, 505.0);
        assertThat(slow.throughput()).isBetween(245.0, 255.0);
        assertThat(fast.errors()).isZero();
        assertThat(slow.errors()).isBetween(slow.requests() / 10 - 20, slow.requests() / 10 + 20);
        assertThat(slow.timeSlices().orElseThrow().errorKinds()).containsOnlyKeys("500");
        assertThat(fast.histogram().orElseThrow().getValueAtPercentile(99)).isEqualTo(1);
    }
}
