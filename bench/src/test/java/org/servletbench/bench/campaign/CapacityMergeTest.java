package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.generator.RateSearch.Tried;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.RateStep;
import org.servletbench.bench.record.RateStep.Outcome;

class CapacityMergeTest {

    private static final MeasuredLoad HELLO = new MeasuredLoad("hello", 0, 0, "gatling");

    @TempDir
    private Path folder;

    private final StringBuilder log = new StringBuilder("timeStamp,elapsed,label,success,bytes,sentBytes,grpThreads\n");
    private final List<Tried> tried = new ArrayList<>();

    /** Writes a step of 6 s into the log, as sent and answered. */
    private void step(double asked, double sent, int ms, int everyNthFails, boolean met) {
        int step = tried.size();
        String name = "jetty step " + (step + 1) + " hello at " + Math.round(asked) + "/s";
        tried.add(new Tried(name, asked, met));
        for (int i = 0; i < 6 * sent; i++) {
            long at = 1_000_000 + 10_000L * step + Math.round(1000 * i / sent);
            boolean good = everyNthFails == 0 || i % everyNthFails > 0;
            log.append(at + "," + ms + "," + name + "," + good + ",7,5,1\n");
        }
    }

    private LoadFigures result() throws IOException {
        Path file = Files.writeString(folder.resolve("results.csv"), log.toString());
        List<WindowResult> loads = RawLog.of(file).measure().loads();
        MonitorSeries monitor = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), "time.ms\n"));
        Batch.Task task = new Batch.Task(HELLO.withoutGenerator(), ToolSettings.PLAIN, List.of());
        List<LoadResult> search = tried.stream()
                .map(one -> new LoadResult(
                        task,
                        "jetty",
                        loads.stream()
                                .filter(load -> load.name().equals(one.name()))
                                .findFirst()
                                .orElse(WindowResult.of(one.name(), Summary.NONE))
                                .with(monitor),
                        Optional.of(one),
                        List.of()))
                .toList();
        return new CapacityMerge(HELLO, Slo.parse("p99<50ms,errors<1%"), 0.05, new LoadMerge.Division(1, 1, 0.9, 5))
                .of(search);
    }

    private static List<Outcome> outcomes(LoadFigures result) {
        return result.steps().stream().map(RateStep::outcome).toList();
    }

    @Test
    void theCapacityIsTheHighestRateThatMetWithTheFiguresThere() throws IOException {
        step(100, 100, 5, 0, true);
        step(200, 200, 80, 0, false);
        step(200, 200, 80, 0, false);
        step(196, 196, 7, 0, true);
        step(196, 196, 9, 0, true);
        LoadFigures result = result();
        assertThat(outcomes(result))
                .containsExactly(Outcome.MET, Outcome.MISSED, Outcome.MISSED, Outcome.MET, Outcome.MET);
        assertThat(result.figure(Metric.CAPACITY)).hasValue(196);
        assertThat(result.figure(Metric.P50).orElseThrow()).isBetween(8.5, 9.5);
        assertThat(result.warnings()).isEmpty();
        assertThat(result.load()).isEqualTo(HELLO);
        assertThat(result.isUsable()).isTrue();
    }

    /** The objective decides, and is more tolerant than the audit. */
    @Test
    void failedRequestsAreJudgedByTheObjective() throws IOException {
        step(200, 200, 5, 150, true);
        step(200, 200, 5, 150, true);
        step(204, 204, 5, 50, false);
        step(204, 204, 5, 50, false);
        LoadFigures result = result();
        assertThat(outcomes(result)).containsExactly(Outcome.MET, Outcome.MET, Outcome.MISSED, Outcome.MISSED);
        assertThat(result.excluding()).isEmpty();
        assertThat(result.figure(Metric.CAPACITY)).hasValue(200);
    }

    @Test
    void aRateThatTheGeneratorDidNotSendIsNoEvidenceAndTheAnswerAFloor() throws IOException {
        step(100, 100, 5, 0, true);
        step(100, 100, 5, 0, true);
        // Answers in the log are fast, but the generator was too slow: it sent 400/s instead of 800/s.
        step(800, 400, 5, 0, false);
        step(800, 400, 5, 0, false);
        // The same if the generator reports success.
        step(400, 300, 5, 0, true);
        LoadFigures result = result();
        assertThat(outcomes(result))
                .containsExactly(Outcome.MET, Outcome.MET, Outcome.UNCLEAR, Outcome.UNCLEAR, Outcome.UNCLEAR);
        assertThat(result.steps().get(2).why()).contains("too late");
        assertThat(result.steps().get(4).why()).contains(WarningKind.OFFERED_RATE.key());
        assertThat(result.figure(Metric.CAPACITY)).hasValue(100);
        assertThat(result.warnings()).extracting(Warning::kind).containsExactly(WarningKind.GENERATOR_BOTTLENECK);
        assertThat(result.warnings()).allMatch(result::isFloor);
        assertThat(result.isUsable()).isTrue();
    }

    /** All requests were sent, and answered in time, but they were sent later and later than they were due. */
    @Test
    void aRateThatTheServerFellBehindMissed() throws IOException {
        step(100, 100, 5, 0, true);
        step(100, 100, 5, 0, true);
        step(104, 101, 5, 0, false);
        tried.set(2, new Tried(tried.get(2).name(), 104, false, true));
        LoadFigures result = result();
        assertThat(outcomes(result)).containsExactly(Outcome.MET, Outcome.MET, Outcome.MISSED);
        assertThat(result.figure(Metric.CAPACITY)).hasValue(100);
    }

    @Test
    void withoutARateThatMetThereIsNoCapacity() throws IOException {
        step(100, 100, 80, 0, false);
        step(100, 100, 80, 0, false);
        LoadFigures result = result();
        assertThat(result.figure(Metric.CAPACITY)).isEmpty();
        assertThat(result.excluding()).extracting(Warning::kind).containsExactly(WarningKind.OBJECTIVE_MISSED);
    }

    /** All requests that were sent met the objective, so the rate must not be reported as missed. */
    @Test
    void aLowestRateThatIsNoEvidenceIsNoMiss() throws IOException {
        step(100, 60, 5, 0, true);
        step(200, 200, 80, 0, false);
        step(200, 200, 80, 0, false);
        LoadFigures result = result();
        assertThat(result.figure(Metric.CAPACITY)).isEmpty();
        assertThat(result.excluding()).singleElement().satisfies(warning -> {
            assertThat(warning.kind()).isEqualTo(WarningKind.SEARCH_UNCLEAR);
            assertThat(warning.figures()).startsWith("the lowest rate, 100/s, decides nothing: offered-rate");
        });
    }

    /** The log may judge a step differently from the search, which needed two misses. */
    @Test
    void aLowestRateThatMetAsOftenAsItMissedDecidesNothing() throws IOException {
        step(100, 100, 5, 0, true);
        step(100, 100, 80, 0, false);
        LoadFigures result = result();
        assertThat(result.figure(Metric.CAPACITY)).isEmpty();
        assertThat(result.excluding()).singleElement().satisfies(warning -> {
            assertThat(warning.kind()).isEqualTo(WarningKind.SEARCH_UNCLEAR);
            assertThat(warning.figures())
                    .isEqualTo(
                            "the lowest rate, 100/s, decides nothing: it met the objective in some steps and missed it in"
                                    + " others, or missed it once");
        });
    }

    @Test
    void aStepWithoutAnyAnswerMissed() throws IOException {
        step(100, 100, 5, 0, true);
        tried.add(new Tried("jetty step 2 hello at 200/s", 200, false));
        tried.add(new Tried("jetty step 3 hello at 200/s", 200, false));
        LoadFigures result = result();
        assertThat(outcomes(result)).containsExactly(Outcome.MET, Outcome.MISSED, Outcome.MISSED);
        assertThat(result.figure(Metric.CAPACITY)).hasValue(100);
    }
}
