package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.Times;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.WarmUp.Burst;

/** Tests the warm-up with the default options of a campaign. Servers are simulated, and bursts take no time. */
class GroupWarmUpTest {

    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("..", "profiles"));

    private final List<String> progress = new ArrayList<>();

    /** Names of the servers, in the order of their bursts. */
    private final List<String> order = new ArrayList<>();

    /** A running server that is only warmed up. */
    private interface Fake extends Target {

        @Override
        default URI url() {
            return URI.create("http://127.0.0.1:1");
        }

        @Override
        default String description() {
            return "played";
        }

        @Override
        default Optional<String> death() {
            return Optional.empty();
        }

        @Override
        default Path folder() {
            return Path.of("played");
        }

        @Override
        default void note(String key, Object value) {
            throw new IllegalStateException("nothing is noted here");
        }

        @Override
        default void close(String how) {
            throw new IllegalStateException("not stopped here");
        }
    }

    /**
     * A simulated server.
     *
     * @param bursts its bursts by number, from 1
     * @param looks how often the compiler's queue is found busy after each burst
     */
    private record Played(
            IntFunction<Burst> bursts, int looks, AtomicInteger looked, List<Burst> had, List<String> order)
            implements Fake {

        @Override
        public Burst burst(String name, List<Workload> workloads, int users, Duration length) {
            assertThat(length).isEqualTo(Duration.ofSeconds(1));
            order.add(name);
            looked.set(0);
            had.add(bursts.apply(had.size() + 1));
            return had.get(had.size() - 1);
        }

        @Override
        public OptionalInt compilerBacklog() {
            return OptionalInt.of(!had.isEmpty() && looked.incrementAndGet() <= looks ? 7 : 0);
        }
    }

    /** A server whose code is visible: returns the code that its threads ran, by the number of the burst. */
    private static final class Seen implements Fake {
        private final IntFunction<CodeTiers> code;
        private final boolean refuses;
        private CodeTiers sum = CodeTiers.NONE;
        private int bursts;
        private int started;
        private int stopped;

        Seen(IntFunction<CodeTiers> code, boolean refuses) {
            this.code = code;
            this.refuses = refuses;
        }

        @Override
        public void startCode() throws IOException {
            if (refuses) {
                throw new IOException("attaching is disabled");
            }
            started++;
        }

        @Override
        public CodeTiers code() {
            CodeTiers since = sum;
            sum = CodeTiers.NONE;
            return since;
        }

        @Override
        public void stopCode() {
            stopped++;
        }

        @Override
        public Burst burst(String name, List<Workload> workloads, int users, Duration length) {
            bursts++;
            sum = sum.plus(code.apply(bursts));
            // A machine that keeps slowing down.
            return GroupWarmUpTest.burst(10_000 - 50 * bursts, 50);
        }
    }

    private static RunningServer running(String name, Target target) {
        return new RunningServer(name, target, List.of(new Workload("hello", "/hello", 5, 5)), Set.of());
    }

    private GroupWarmUp.Ended seen(boolean again, RunningServer... servers) {
        Planner.Draft draft = PlannerTest.draft("quick", Map.of("set", "measure.warmup=2m"));
        return GroupWarmUp.run(
                List.of(servers), Session.warmUpPlan(draft.plan(), draft.procedure()), again, progress::add);
    }

    /** 200 samples per burst, hardly any of them below C2 from the fifth burst on. */
    @Test
    void aServerIsWarmOnceItRunsCompiledCodeWhateverItsThroughput() {
        IntFunction<CodeTiers> code = number -> number < 5 ? new CodeTiers(50, 100, 50) : new CodeTiers(0, 1, 199);
        Seen sure = new Seen(code, false);
        GroupWarmUp.Ended ended = seen(false, running("sure", sure));
        assertThat(ended.unseen()).isEmpty();
        assertThat(ended.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.settled()).isTrue();
            assertThat(outcome.bursts())
                    .as("three windows of 200 samples make 600")
                    .hasSize(7);
            assertThat(outcome.code()).isEqualTo(new CodeTiers(0, 3, 597));
            assertThat(outcome.reason()).startsWith("0.5 % of 600 samples");
        });
        assertThat(sure.started).isEqualTo(1);
        assertThat(sure.stopped).isEqualTo(1);
        assertThat(seen(true, running("again", new Seen(code, false)))
                        .outcomes()
                        .get(0)
                        .bursts())
                .as("the rest comes from the load")
                .hasSize(5);
        assertThat(progress).anyMatch(line -> line.endsWith("sure 9950/s, 25 % of its time in code of C2"));
    }

    @Test
    void aServerThatNeverRunsCompiledCodeEndsAtTheLimitAndSaysSo() {
        GroupWarmUp.Ended ended = seen(true, running("cold", new Seen(number -> new CodeTiers(0, 20, 180), false)));
        assertThat(ended.outcomes().get(0).settled()).isFalse();
        assertThat(ended.outcomes().get(0).reason()).startsWith("10.0 % of 200 samples");
    }

    /** Two criteria at once would compare servers of different warmth. */
    @Test
    void whereOneServersCodeCannotBeSeenThroughputDecidesForAll() {
        Seen able = new Seen(number -> new CodeTiers(0, 0, 200), false);
        GroupWarmUp.Ended ended =
                seen(true, running("able", able), running("refuses", new Seen(number -> CodeTiers.NONE, true)));
        assertThat(ended.unseen()).contains("refuses: attaching is disabled");
        assertThat(ended.outcomes())
                .allSatisfy(outcome -> assertThat(outcome.code()).isNull());
        assertThat(able.stopped).isPositive();
    }

    private RunningServer server(String name, int looks, IntFunction<Burst> bursts) {
        return new RunningServer(
                name,
                new Played(bursts, looks, new AtomicInteger(), new ArrayList<>(), order),
                List.of(new Workload("hello", "/hello", 5, 5)),
                Set.of());
    }

    private RunningServer server(String name, IntFunction<Burst> bursts) {
        return server(name, 0, bursts);
    }

    private static Burst burst(double rate, double backlog) {
        return new Burst(1, rate, Double.NaN, backlog);
    }

    private List<WarmUp.Outcome> run(Map<String, String> given, RunningServer... servers) {
        Planner.Draft draft = PlannerTest.draft("quick", Map.of("set", "measure.warmup=2m"));
        Map<String, String> all = new TreeMap<>(draft.spec().texts().all());
        all.putAll(given);
        WarmUpPlan plan = Session.warmUpPlan(draft.plan(), PlannerTest.procedure(all));
        return GroupWarmUp.run(List.of(servers), plan, false, progress::add).outcomes();
    }

    private List<WarmUp.Outcome> run(RunningServer... servers) {
        return run(Map.of(), servers);
    }

    /** The first service has much to compile and gains 6 % per burst, for 38 bursts; the second is warm after 6. */
    @Test
    void oneWhoseRateRisesSlowlyIsWarmedOnAndOneThatIsWarmStopsAtOnce() {
        List<WarmUp.Outcome> outcomes = run(
                server(
                        "slow",
                        number -> burst(250 * Math.pow(1.06, Math.min(38, number)), 60 - Math.min(60, number * 2))),
                server("hello", number -> burst(Math.min(4, number) * 2500, number < 5 ? 50 : 3)));
        assertThat(outcomes.get(0).settled()).isTrue();
        assertThat(outcomes.get(0).bursts()).hasSizeBetween(39, 41);
        assertThat(outcomes.get(1).settled()).isTrue();
        assertThat(outcomes.get(1).bursts()).hasSize(6);
        assertThat(progress)
                .startsWith(
                        "warm-up, 0 of 2 servers warm: slow 265/s, 58 methods to compile",
                        "warm-up, 0 of 2 servers warm: hello 2500/s, 50 methods to compile")
                .contains("warm-up, 1 of 2 servers warm: hello 10000/s, 3 methods to compile")
                .endsWith("warm-up, 2 of 2 servers warm: slow 2289/s, 0 methods to compile");
    }

    /** At a fixed rate, logins are counted, so that each user is new. */
    @Test
    void usersAreNewWhereAllLoadsOfAWorkloadHaveRates() {
        RequestSpec login =
                new RequestSpec("POST", Map.of(), "", 302, List.of(), List.of(), List.of(), List.of(), Times.ONCE);
        List<Workload> lists = Stream.of("rates", "both")
                .map(name -> Workload.list(
                        name,
                        List.of(
                                new Workload(name + " / login", "/login", 0, 9).sending(login),
                                new Workload(name + " / page", "/", 0, 9))))
                .toList();
        RunningServer server = new RunningServer(
                "jetty", server("jetty", number -> burst(1, 0)).target(), lists, Set.of("both"));

        RunningServer warmed = GroupWarmUp.underNewUsers(
                        List.of(server),
                        List.of(
                                new MeasuredLoad("rates", 0, 50, "gatling"),
                                new MeasuredLoad("rates", 0, 90, "gatling"),
                                new MeasuredLoad("both", 0, 50, "gatling"),
                                new MeasuredLoad("both", 20, 0, "gatling")))
                .get(0);

        assertThat(warmed.workloads()).containsExactly(lists.get(0).ofNewUsers(), lists.get(1));
        assertThat(warmed.workloads().get(0)).isNotEqualTo(lists.get(0));
        assertThat(warmed.settingCookies()).containsExactly("both");
    }

    /** A steady rate alone proves nothing: all compilations may finish at once, later. */
    @Test
    void oneThatStillCompilesIsWarmedOnUpToTheLimit() {
        WarmUp.Outcome quietLate =
                run(server("slow", number -> burst(1000, number < 45 ? 40 : 0))).get(0);
        assertThat(quietLate.settled()).isTrue();
        assertThat(quietLate.bursts()).hasSize(46);

        WarmUp.Outcome never = run(server("never", number -> burst(1000, 40))).get(0);
        assertThat(never.settled()).isFalse();
        assertThat(never.bursts()).hasSize(120);
        assertThat(never.reason()).isEqualTo("not settled within 120 s");
    }

    /** A server's compiler catches up during the bursts of the other servers. */
    @Test
    void aServerWhoseCompilerHasWorkLosesItsPlaceToTheNext() {
        run(
                server("busy", 2, number -> burst(1000, number < 3 ? 40 : 0)),
                server("idle", number -> burst(1000, number < 5 ? 40 : 0)));
        assertThat(order.subList(0, 5)).containsExactly("busy", "idle", "idle", "idle", "busy");
        assertThat(order.stream().filter("busy"::equals)).hasSize(4);
        assertThat(order.stream().filter("idle"::equals)).hasSize(6);
    }

    @Test
    void aQueueThatIsNeverEmptyIsWaitedForNoLongerThanAPause() {
        WarmUp.Outcome outcome = run(
                        Map.of("warmup.pause", "100ms"),
                        server("busy", Integer.MAX_VALUE, number -> burst(1000, number < 3 ? 40 : 0)))
                .get(0);
        assertThat(outcome.settled()).isTrue();
        assertThat(outcome.bursts()).hasSize(4);
    }
}
