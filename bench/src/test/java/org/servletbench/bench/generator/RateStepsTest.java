package org.servletbench.bench.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.generator.RateSearch.Tried;
import org.servletbench.bench.model.Slo;

/** Tests the steps with a simulated server, on their own clock. */
class RateStepsTest {

    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    private long now = 1_000 * MS;
    private long freeAt;
    /** Time that the handler waits, in addition to its other work. */
    private long waitNanos;

    private long mostUnderWay;
    private long underWay;
    private final List<Long> sent = new ArrayList<>();

    private record Event(long at, Runnable what) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::at));

    /**
     * Simulates a server that answers one request after the other, each in 1 s / limit, and every {@code fails}th with
     * an error.
     */
    private List<Tried> search(String slo, double limit, int users, int fails) throws IOException {
        Slo parsed = Slo.parse(slo);
        Schedule.Search plan = new Schedule.Search(
                new Schedule.Endpoint("arm", "http://127.0.0.1:1", "/", 1, 1),
                "hello",
                parsed,
                new RateSearch(100, 100, users / parsed.secondsUnderWay(4), 0.02),
                users,
                1000,
                4000);
        List<String> said = new ArrayList<>();
        RateSteps steps = new RateSteps(plan, folder, () -> now, said::add);
        for (int i = 0; i < users; i++) {
            events.add(new Event(now, () -> user(steps, limit, fails)));
        }
        while (!events.isEmpty()) {
            Event next = events.poll();
            now = Math.max(now, next.at);
            next.what.run();
        }
        List<Tried> tried = RateSteps.read(folder, "arm");
        assertThat(said).hasSize(2 * tried.size());
        assertThat(said.get(0)).startsWith(Schedule.STEP + "arm step 1 hello at 100/s");
        return tried;
    }

    private void user(RateSteps steps, double limit, int fails) {
        if (!steps.isRunning()) {
            return;
        }
        RateSteps.Ticket ticket = steps.take();
        events.add(new Event(now + steps.waitMs(ticket) * MS, () -> {
            if (!steps.sends(ticket)) {
                user(steps, limit, fails);
                return;
            }
            sent.add(now);
            mostUnderWay = Math.max(mostUnderWay, ++underWay);
            freeAt = Math.max(freeAt, now) + (long) (1e9 / limit);
            events.add(new Event(freeAt + waitNanos, () -> {
                underWay--;
                steps.ended(ticket, fails > 0 && sent.size() % fails == 0);
                user(steps, limit, fails);
            }));
        }));
    }

    /** From 1 to 2 % above the limit, the queue that grows during a hold of 4 s is too long. */
    @ParameterizedTest
    @ValueSource(doubles = {130, 700, 3000})
    void findsTheLimitOfAServer(double limit) throws IOException {
        List<Tried> tried = search("p90<50ms,errors<0.1%", limit, 2000, 0);
        assertThat(RateSearch.bracket(tried).low()).isBetween(0.97 * limit, 1.04 * limit);
        // Never more requests than may be pending before the objective is lost: arrivals of 50 ms plus a tenth of 4 s.
        assertThat(mostUnderWay).isLessThan((long) (2 * limit * 0.46));
        double longest = 0;
        for (int i = 1; i < sent.size(); i++) {
            longest = Math.max(longest, (sent.get(i) - sent.get(i - 1)) / 1e9);
        }
        assertThat(longest).as("rest between steps, s").isBetween(1.0, 3.0);
    }

    /** Long responses are no queue: fewer are pending when the ramp ends than when the hold ends. */
    @Test
    void aServerWhoseHandlerWaitsIsNotBehind() throws IOException {
        waitNanos = 800 * MS;
        List<Tried> tried = search("p90<1s,errors<1%", 1e6, 1000, 0);
        assertThat(tried).isNotEmpty().allMatch(Tried::met);
        assertThat(RateSearch.bracket(tried).high()).isInfinite();
    }

    /** Even if the objective leaves room for the queue of a hold, its growth is a failure. */
    @ParameterizedTest
    @ValueSource(doubles = {130, 700, 3000})
    void aServerThatFallsBehindMissesHoweverMuchTheObjectiveAllows(double limit) throws IOException {
        List<Tried> tried = search("p90<2s,errors<1%", limit, 40_000, 0);
        assertThat(RateSearch.bracket(tried).low()).isBetween(0.97 * limit, 1.02 * limit);
        assertThat(tried)
                .filteredOn(one -> one.rate() > 1.03 * limit && one.rate() < 1.2 * limit)
                .isNotEmpty()
                .allMatch(one -> one.behind() && !one.met());
    }

    @Test
    void theRateOfAStepIsTheOneAskedForAfterItsRamp() throws IOException {
        Tried first = search("p90<50ms,errors<0.1%", 150, 100, 0).get(0);
        assertThat(first).isEqualTo(new Tried("arm step 1 hello at 100/s", 100, true));
        DoubleStream seconds = sent.stream().mapToDouble(at -> (at - sent.get(0)) / 1e9);
        double[] inStep = seconds.filter(at -> at < 5.5).toArray();
        assertThat(DoubleStream.of(inStep).filter(at -> at < 1).count()).isBetween(48L, 52L);
        assertThat(DoubleStream.of(inStep).filter(at -> at >= 2 && at < 4).count())
                .isBetween(198L, 202L);
    }

    @Test
    void endsAStepAtOnceWhenTooManyRequestsFail() throws IOException {
        List<Tried> tried = search("p90<50ms,errors<1%", 1000, 500, 50);
        assertThat(tried).hasSize(3).noneMatch(Tried::met);
        // 1 % of 400 may fail. With 2 % failing, that is known after half of the hold.
        assertThat(sent.size()).isLessThan(3 * 350);
    }

    @Test
    void aServerThatCanDoMoreThanItsUsersEndsAtTheirBound() throws IOException {
        List<Tried> tried = search("p90<50ms,errors<0.1%", 10_000, 180, 0);
        assertThat(RateSearch.bracket(tried)).isEqualTo(new RateSearch.Bracket(400, Double.POSITIVE_INFINITY));
    }
}
