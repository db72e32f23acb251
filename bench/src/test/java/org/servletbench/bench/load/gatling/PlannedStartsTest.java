package org.servletbench.bench.load.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.Logs;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * Tests response times at a fixed rate. They count from the time at which a request was due, but the log has the time
 * at which it was sent.
 */
class PlannedStartsTest {

    private static final String OURS = "org.servletbench.simulations.CampaignSimulation";
    private static final long ORIGIN = 1_700_000_000_123L;

    @TempDir
    Path folder;

    /** Times on the log's clock, ms. */
    private record Request(int due, int sent, int end) {

        /** Returns the due time as the log shows it: in whole ms a request may seem a ms late. */
        long seen() {
            return Math.min(sent, due + 1);
        }

        Request later(int ms) {
            return new Request(due + ms, sent + ms, end + ms);
        }
    }

    private record Span(int from, int to) {

        static int after(int at, List<Span> spans) {
            return spans.stream()
                    .filter(span -> at >= span.from && at < span.to)
                    .mapToInt(Span::to)
                    .findAny()
                    .orElse(at);
        }
    }

    /** Spreads a number over parts of time as Gatling does: see Shard.scala of Gatling 3.15.1. */
    private static long upTo(long total, int parts, int part) {
        return part == parts ? total : (long) Math.ceil((double) total / parts * part);
    }

    /** Returns Gatling's plan: the users of each second, spread over its ms. */
    private static List<Integer> plan(double rate, int seconds) {
        long users = Math.round(rate * seconds);
        List<Integer> plan = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            long here = upTo(users, seconds, second + 1) - upTo(users, seconds, second);
            for (int ms = 0; ms < 1000; ms++) {
                for (long i = upTo(here, 1000, ms + 1) - upTo(here, 1000, ms); i > 0; i--) {
                    plan.add(1000 * second + ms);
                }
            }
        }
        assertThat(plan).hasSize((int) users);
        return plan;
    }

    /** Simulates a generator that sends nothing in its pauses, and a server that answers nothing in its stalls. */
    private static List<Request> run(
            double rate, int seconds, int begin, List<Span> pauses, List<Span> stalls, Random random) {
        List<Request> run = new ArrayList<>();
        int sent = 0;
        int end = 0;
        for (int planned : plan(rate, seconds)) {
            int due = begin + planned;
            sent = Math.max(sent, Span.after(due + random.nextInt(2), pauses));
            end = Math.max(end, Span.after(sent + random.nextInt(6), stalls));
            run.add(new Request(due, sent, end));
        }
        return run;
    }

    private static byte[] log(String simulation, String name, List<Request> run) throws IOException {
        Logs.GatlingWriter log = new Logs.GatlingWriter("3.15.1", simulation, List.of(name));
        List<Request> byEnd = new ArrayList<>(run);
        byEnd.sort(Comparator.comparingInt(Request::end));
        for (Request request : byEnd) {
            log.user(0, true, request.sent)
                    .request(name, request.sent, request.end, null)
                    .user(0, false, request.end);
        }
        return log.log();
    }

    private WindowResult measured(double rate, List<Request> run) throws IOException {
        return Logs.measure(folder, log(OURS, name(rate), run)).loads().get(0);
    }

    private static String name(double rate) {
        return "jetty round 1 hello at " + rate + "/s";
    }

    /** Returns the response times of requests that were due within the load's window. */
    private static Histogram histogram(WindowResult load, List<Request> run, ToLongFunction<Request> response) {
        Histogram histogram = new Histogram(3);
        for (Request request : run) {
            long due = ORIGIN + request.seen();
            if (due >= load.window().fromMs() && due < load.window().toMs()) {
                histogram.recordValue(response.applyAsLong(request));
            }
        }
        return histogram;
    }

    private static Warning rate(WindowResult load) {
        return load.checks().stream()
                .filter(check -> check.kind() == WarningKind.LATE_REQUESTS)
                .findFirst()
                .orElseThrow();
    }

    private static Span span(Random random, int from, int to, int longest) {
        int begin = from + random.nextInt(to - from);
        return new Span(begin, begin + 1 + random.nextInt(longest));
    }

    @Test
    void timesCountFromWhenRequestsWereDue() throws IOException {
        Random random = new Random(1);
        for (double rate : new double[] {1, 7, 33.3333, 62.5, 70, 166.666667, 300, 999, 1000, 1500, 2500.5}) {
            for (int round = 0; round < 8; round++) {
                int begin = 5000 + random.nextInt(2000);
                int seconds = 6 + random.nextInt(8);
                List<Span> pauses = List.of(span(random, begin, begin + 1000 * seconds, 400));
                List<Span> stalls = List.of(span(random, begin, begin + 1000 * seconds, 3000));
                List<Request> run = run(rate, seconds, begin, pauses, stalls, random);
                WindowResult load = measured(rate, run);
                assertThat(load.histogram().orElseThrow())
                        .as("%s/s, round %d", rate, round)
                        .isEqualTo(histogram(load, run, request -> request.end - request.seen()));
                Histogram sent = histogram(load, run, request -> request.end - request.sent);
                for (double percent : new double[] {50, 90, 99, 99.9, 100}) {
                    assertThat(load.histogram().orElseThrow().getValueAtPercentile(percent))
                            .isGreaterThanOrEqualTo(sent.getValueAtPercentile(percent));
                }
                assertThat(load.whole().count()).isEqualTo(run.size());
                assertThat(load.window().lengthMs()).isBetween(1000L * seconds - 2000, 1000L * seconds);
            }
        }
    }

    @Test
    void ofAPunctualGeneratorTheyAreThoseFromTheSend() throws IOException {
        Random random = new Random(2);
        List<Request> run = run(250, 12, 3456, List.of(), List.of(new Span(8000, 8400)), random);
        WindowResult load = measured(250, run);
        assertThat(load.histogram().orElseThrow())
                .isEqualTo(histogram(load, run, request -> request.end - request.sent));
        assertThat(rate(load).failed()).isFalse();
        assertThat(rate(load).figures())
                .contains("ms from when they were sent (limit 25.00 %); 0.00 % were sent late, by at most 0 ms");
    }

    @Test
    void aPauseOfTheGeneratorIsMarkedAndAStallOfTheServerIsNot() throws IOException {
        Span still = new Span(9000, 9400);
        WindowResult late = measured(100, run(100, 11, 4321, List.of(still), List.of(), new Random(3)));
        WindowResult slow = measured(100, run(100, 11, 4321, List.of(), List.of(still), new Random(3)));
        // Four of a hundred requests wait for up to 0.4 s.
        assertThat(late.steady().latency().p99()).isBetween(280.0, 310.0);
        assertThat(slow.steady().latency().p99()).isBetween(280.0, 310.0);
        assertThat(late.steady().throughput()).isEqualTo(100);
        assertThat(rate(late).failed()).isTrue();
        assertThat(rate(late).figures()).contains("4.00 % were sent late");
        assertThat(rate(slow).failed()).isFalse();
    }

    /** Such requests were due within the window, but are answered after it. */
    @Test
    void requestsThatWereDueInTheWindowCountHoweverLateTheyAreAnswered() throws IOException {
        List<Request> run = run(100, 10, 4995, List.of(), List.of(new Span(14_900, 17_000)), new Random(4));
        WindowResult load = measured(100, run);
        assertThat(load.window().toMs()).isEqualTo(ORIGIN + 15_000);
        assertThat(load.steady().count()).isLessThan(995);
        assertThat(load.histogram().orElseThrow().getTotalCount()).isEqualTo(999);
        assertThat(load.steady().latency().max()).isBetween(2090.0, 2110.0);
    }

    /**
     * Requests of the generator may overtake one another. The number of late requests, and their total delay, stay the
     * same.
     */
    @Test
    void theMeanIsRightWhereRequestsOvertakeOneAnother() throws IOException {
        Random random = new Random(5);
        List<Request> run = new ArrayList<>();
        for (Request request : run(200, 10, 5000, List.of(), List.of(), random)) {
            boolean behind = random.nextBoolean() && request.sent > 8000 && request.sent < 9000;
            int sent = request.sent + (behind ? 1 + random.nextInt(80) : 0);
            run.add(new Request(request.due, sent, sent + 5));
        }
        WindowResult load = measured(200, run);
        Histogram truth = histogram(load, run, request -> request.end - request.seen());
        assertThat(load.steady().latency().mean()).isCloseTo(truth.getMean(), within(1.0));
        assertThat(load.steady().latency().max()).isLessThanOrEqualTo(truth.getMaxValue());
    }

    /** Three hosts with different clocks share a rate. Each has its own schedule and start. */
    @Test
    void everyGeneratorHasItsOwnSchedule() throws IOException {
        Random random = new Random(6);
        List<Request> all = new ArrayList<>();
        List<RawLog.Part> parts = new ArrayList<>();
        for (int host = 0; host < 3; host++) {
            List<Request> run =
                    run(500 / 3.0, 11, 5000 + 2 * host, List.of(span(random, 7000, 9000, 300)), List.of(), random);
            int clock = random.nextInt(3000);
            all.addAll(run);
            byte[] log = log(
                    OURS, name(500), run.stream().map(one -> one.later(-clock)).toList());
            parts.add(new RawLog.Part(Files.write(folder.resolve("log" + host), log), clock));
        }
        WindowResult load = new RawLog(parts).measure().loads().get(0);
        assertThat(load.window().lengthMs()).isGreaterThanOrEqualTo(10_000);
        assertThat(load.histogram().orElseThrow())
                .isEqualTo(histogram(load, all, request -> request.end - request.seen()));
    }

    /** It is unknown when other simulations intend to start their requests. */
    @Test
    void timesOfOtherSimulationsCountFromTheSend() throws IOException {
        List<Request> run = run(100, 11, 4321, List.of(new Span(9000, 9400)), List.of(), new Random(7));
        WindowResult load = Logs.measure(folder, log("a.Simulation", name(100), run))
                .loads()
                .get(0);
        assertThat(load.steady().latency().max()).isLessThanOrEqualTo(5);
        assertThat(rate(load).failed()).isFalse();
        assertThat(rate(load).figures()).contains("the log does not show when requests were due");
    }

    /** Too many requests to keep them all until the end. */
    @Test
    void longLogsAreSettledOnTheWay() throws IOException {
        Random random = new Random(8);
        List<Span> pauses = List.of(new Span(20_000, 20_700), new Span(190_000, 190_900));
        List<Span> stalls = List.of(new Span(40_000, 49_000), new Span(100_000, 130_000));
        List<Request> run = run(4000, 220, 5000, pauses, stalls, random);
        WindowResult load = measured(4000, run);
        assertThat(load.histogram().orElseThrow())
                .isEqualTo(histogram(load, run, request -> request.end - request.seen()));
    }
}
