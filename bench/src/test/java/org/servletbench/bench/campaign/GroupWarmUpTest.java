package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.campaign.GroupWarmUp.Guest;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.WarmUp.Burst;

/** Warm-up with the options of a campaign that gives none; servers are played, and bursts take no time. */
class GroupWarmUpTest {

    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("..", "profiles"));

    private final List<String> progress = new ArrayList<>();

    private final List<Long> lengths = new ArrayList<>();

    /** @param bursts by their numbers, from 1 */
    private record Played(IntFunction<Burst> bursts, List<Burst> had, List<Long> lengths) implements Target {

        @Override
        public URI url() {
            return URI.create("http://127.0.0.1:1");
        }

        @Override
        public String description() {
            return "played";
        }

        @Override
        public Optional<String> death() {
            return Optional.empty();
        }

        @Override
        public Path folder() {
            return Path.of("played");
        }

        @Override
        public Burst burst(String name, List<Workload> workloads, int users, Duration length) {
            lengths.add(length.toMillis());
            had.add(bursts.apply(had.size() + 1));
            return had.get(had.size() - 1);
        }

        @Override
        public void note(String key, Object value) {
            throw new IllegalStateException("nothing is noted here");
        }

        @Override
        public void close(String how) {
            throw new IllegalStateException("not stopped here");
        }
    }

    private Guest guest(String name, IntFunction<Burst> bursts) {
        return new Guest(
                name, new Played(bursts, new ArrayList<>(), lengths), List.of(new Workload("hello", "/hello", 5, 5)));
    }

    private List<WarmUp.Outcome> run(Guest... guests) {
        Planner.Draft draft = PlannerTest.draft("quick", Map.of("set", "measure.warmup=2m"));
        Options options =
                new Options("", Map.of("warmup.pause", "0s"), draft.options().all());
        WarmUpPlan plan = Session.warmUpPlan(draft.plan(), options);
        return GroupWarmUp.run(List.of(guests), plan, progress::add);
    }

    /** A service with much to compile: 6 % a burst, for 76 s of bursts; and one that is warm after 12 s. */
    @Test
    void oneWhoseRateRisesSlowlyIsWarmedOnAndOneThatIsWarmStopsAtOnce() {
        List<WarmUp.Outcome> outcomes = run(
                guest("slow", burst -> new Burst(250 * Math.pow(1.06, Math.min(38, burst)), 60 - Math.min(50, burst))),
                guest("hello", burst -> new Burst(Math.min(4, burst) * 2500, burst < 6 ? 50 : 5)));
        assertThat(outcomes.get(0).settled()).isTrue();
        assertThat(outcomes.get(0).bursts()).hasSizeBetween(40, 42);
        assertThat(outcomes.get(1).settled()).isTrue();
        assertThat(outcomes.get(1).bursts()).hasSize(6);
        assertThat(progress)
                .startsWith("warm-up < 240 s: 265/s, JIT 59 %, slow", "warm-up < 239 s: 2500/s, JIT 50 %, hello")
                .contains("warm-up < 110 s: 10000/s, JIT 5 %, hello", "warm-up ~ 8 s: 2289/s, JIT 22 %, slow")
                .endsWith("warm-up ~ 0 s: 2289/s, JIT 20 %, slow");
    }

    /** The rate alone proves nothing: what is compiled may come at once. */
    @Test
    void oneThatStillCompilesIsWarmedOnUpToTheLimit() {
        WarmUp.Outcome quietLate = run(guest("slow", burst -> new Burst(1000, burst < 45 ? 40 : 10)))
                .get(0);
        assertThat(quietLate.settled()).isTrue();
        assertThat(quietLate.bursts()).hasSize(45);

        WarmUp.Outcome never = run(guest("never", burst -> new Burst(1000, 40))).get(0);
        assertThat(never.settled()).isFalse();
        assertThat(never.reason()).isEqualTo("not settled within 120 s");
    }

    /** A compiler that has more to do than it can needs the processors, not more requests. */
    @Test
    void burstsAreShortWhileTheCompilerHasABacklogAndAShortOneIsNoEvidence() {
        WarmUp.Outcome outcome = run(guest("hello", burst -> new Burst(1000, burst < 5 ? 100 : burst == 6 ? 50 : 5)))
                .get(0);
        assertThat(lengths).containsExactly(500L, 500L, 500L, 500L, 500L, 2000L, 2000L);
        assertThat(outcome.settled()).isTrue();
    }
}
