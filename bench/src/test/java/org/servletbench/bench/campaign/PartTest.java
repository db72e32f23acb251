package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.CellResult;

class PartTest {

    @TempDir
    private Path folder;

    private static final CellMerge.Division DIVISION = new CellMerge.Division(1, 1, 0.9, 5);
    private static final Cell HELLO = new Cell("hello", 100, 0, "gatling");

    private static Part part(long requests, long errors, double seconds, long[] times, double cpu, double cores) {
        return part(requests, errors, seconds, times, cpu, cores, 0);
    }

    private static Part part(
            long requests, long errors, double seconds, long[] times, double cpu, double cores, double firstTouch) {
        Histogram histogram = new Histogram(3);
        for (long time : times) {
            histogram.recordValue(time);
        }
        ServerUse use = used(cpu, 0, firstTouch, cores, 0);
        return new Part(
                0,
                requests,
                errors,
                seconds,
                List.of(),
                Optional.of(histogram),
                Map.of("max", 9.0),
                Optional.of(use),
                List.of(),
                List.of("log"),
                List.of(requests / seconds),
                List.of(),
                List.of());
    }

    /** By time over all windows, as steal is; it says so and excludes nothing. */
    @Test
    void whatOtherProgramsTookIsMarkedAboveItsLimit() {
        assertThat(disturbed(2, 10)).as("5.2 %").singleElement().satisfies(mark -> {
            assertThat(mark.check()).isEqualTo("disturbed");
            assertThat(mark.excludes()).isFalse();
            assertThat(mark.figures()).contains("5.2 %", "limit 5 %");
        });
        assertThat(disturbed(2, 9)).as("4.8 %").isEmpty();
        assertThat(disturbed(Double.NaN, 50)).as("not known").isEmpty();
    }

    /** Marks of a window of 3 s and one of 2 s. */
    private static List<Mark> disturbed(double first, double second) {
        return CellMerge.of(HELLO, List.of(window(0, 3, first), window(5000, 2, second)), DIVISION)
                .marks();
    }

    /** As a share of the half of a processor that the server kept busy. */
    @Test
    void aServerThatCompilesUnderTheLoadWasNotWarm() {
        assertThat(compiling(3.2)).as("3.2 %").singleElement().satisfies(mark -> {
            assertThat(mark.check()).isEqualTo("compiling");
            assertThat(mark.excludes()).isFalse();
            assertThat(mark.saysCold()).isTrue();
            assertThat(mark.figures()).contains("3.2 %", "limit 3 %");
        });
        assertThat(compiling(2.8)).as("2.8 %").isEmpty();
        assertThat(compiling(Double.NaN)).as("not known").isEmpty();
    }

    private static List<Mark> compiling(double compilerPercent) {
        return CellMerge.of(HELLO, List.of(window(0, 3, 0, compilerPercent)), DIVISION)
                .marks();
    }

    private static ServerUse used(
            double cpuMicros, double compilerPercent, double firstTouch, double generatorCores, double others) {
        return new ServerUse(
                Map.of(
                        Metric.CPU,
                        cpuMicros,
                        Metric.SERVER_CORES,
                        0.5,
                        Metric.ALLOCATION,
                        100.0,
                        Metric.COMPILER,
                        compilerPercent,
                        Metric.GENERATOR_CORES,
                        generatorCores,
                        Metric.OTHERS,
                        others),
                firstTouch,
                Map.of());
    }

    private static Part window(long fromMs, double seconds, double others) {
        return window(fromMs, seconds, others, 0);
    }

    private static Part window(long fromMs, double seconds, double others, double compilerPercent) {
        ServerUse use = used(30, compilerPercent, 0, 0.5, others);
        return new Part(
                fromMs,
                1000,
                0,
                seconds,
                List.of(),
                Optional.empty(),
                Map.of(),
                Optional.of(use),
                List.of(),
                List.of(),
                List.of(1000 / seconds),
                List.of(),
                List.of());
    }

    @Test
    void windowsAreAddedUpAndNeverAveraged() throws Exception {
        CellResult cell = CellMerge.of(
                HELLO,
                List.of(
                        part(1000, 0, 2, new long[] {1, 1, 1, 1}, 30, 0.5),
                        part(3000, 4, 3, new long[] {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 50, 0.7)),
                DIVISION);
        assertThat(cell.requests()).isEqualTo(4000);
        assertThat(cell.figure(Metric.THROUGHPUT)).hasValue(800);
        assertThat(cell.figure(Metric.ERRORS)).hasValue(0.1);
        assertThat(cell.figure(Metric.CPU)).hasValue((1000 * 30 + 3000 * 50) / 4000.0);
        assertThat(cell.figure(Metric.GENERATOR_CORES).orElseThrow()).isCloseTo((2 * 0.5 + 3 * 0.7) / 5, within(1e-9));
        assertThat(cell.figure(Metric.MEAN)).hasValue(7);
        assertThat(cell.rates()).containsExactly(500.0, 1000.0);
        Histogram all = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(cell.histogram())), 0);
        assertThat(all.getTotalCount()).isEqualTo(16);
        assertThat(cell.isUsable()).isTrue();
    }

    /** Leaving the block out would leave out those in which the server was fast. */
    @Test
    void aBusyGeneratorIsTheBottleneckAndItsCellAFloor() {
        CellResult cell = CellMerge.of(HELLO, List.of(part(1000, 0, 2, new long[] {1}, 30, 0.95)), DIVISION);
        assertThat(cell.isUsable()).isTrue();
        assertThat(cell.marks())
                .filteredOn(cell::isFloor)
                .extracting(Mark::check)
                .containsExactly("generator-bottleneck");
    }

    @Test
    void aBusyGeneratorBeforeABusierServerIsSaidButIsNotTheBottleneck() {
        CellMerge.Division twoGenerators = new CellMerge.Division(1, 2, 0.2, 5);
        CellResult cell = CellMerge.of(HELLO, List.of(part(1000, 0, 2, new long[] {1}, 30, 0.5)), twoGenerators);
        assertThat(cell.isUsable()).isTrue();
        assertThat(cell.marks()).extracting(Mark::check).contains("generator-busy");
    }

    /** Of 4000 requests that allocated the same, 1000 used memory for the first time: a quarter, or none to speak of. */
    @Test
    void aHeapThatIsUsedForTheFirstTimeIsSaid() {
        long[] times = {1};
        Part warm = part(3000, 0, 2, times, 30, 0.5);
        CellResult cell = CellMerge.of(HELLO, List.of(part(1000, 0, 2, times, 30, 0.5, 1), warm), DIVISION);
        assertThat(cell.isUsable()).isTrue();
        assertThat(cell.marks()).singleElement().satisfies(mark -> {
            assertThat(mark.check()).isEqualTo("first-touch");
            assertThat(mark.figures()).startsWith("the server's process grew by 25 % of what it allocated");
        });
        assertThat(CellMerge.of(HELLO, List.of(part(1000, 0, 2, times, 30, 0.5, 0.1), warm), DIVISION)
                        .marks())
                .isEmpty();
    }

    @Test
    void whatNobodyKnowsIsNotThere() {
        Part part = told(0, Map.of("p99", 3.0));
        CellResult one = CellMerge.of(HELLO, List.of(part), DIVISION);
        assertThat(one.figure(Metric.CPU)).isEmpty();
        assertThat(one.figure(Metric.P99)).hasValue(3);
        assertThat(one.trend()).isNull();
        assertThat(CellMerge.of(HELLO, List.of(part, part), DIVISION).figure(Metric.P99))
                .as("the percentiles of two windows do not give that of both")
                .isEmpty();
    }

    private static Part told(long fromMs, Map<String, Double> figures) {
        return new Part(
                fromMs,
                10,
                0,
                1,
                List.of(),
                Optional.empty(),
                figures,
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Half of a percent of stalls of 150 ms move the p99 that wrk tells from 20 to 128 ms: it makes up samples. */
    @Test
    void whatWrkTellsOfResponseTimesIsShownAndNeverJudged() {
        Cell wrk = new Cell("hello", 100, 0, "wrk");
        Part part = told(0, Map.of("mean", 9.0, "p99", 128.0, "max", 300.0));
        CellResult cell = CellMerge.of(wrk, List.of(part), DIVISION);
        for (Metric metric : Metric.values()) {
            if (metric.kind() == Metric.Kind.LATENCY) {
                assertThat(cell.figure(metric)).as(metric.key()).isEmpty();
            }
        }
        assertThat(cell.told()).isEqualTo(Map.of("mean", 9.0, "p99", 128.0, "max", 300.0));
        assertThat(cell.figure(Metric.THROUGHPUT)).hasValue(10);
        assertThat(CellMerge.of(new Cell("hello", 100, 0, "ab"), List.of(part), DIVISION)
                        .figure(Metric.P99))
                .hasValue(128);
    }

    @Test
    void aResultIsReadAsItWasWritten() throws Exception {
        ObjectMapper json = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
        for (String generator : List.of("gatling", "wrk")) {
            CellResult now = CellMerge.of(new Cell("hello", 100, 0, generator), List.of(steady(0, 30, 0.1)), DIVISION);
            String text = json.writeValueAsString(now);
            assertThat(text).contains("\"check\":\"rising\"");
            assertThat(json.readValue(text, CellResult.class)).isEqualTo(now);
        }
    }

    @Test
    void aFigureIsNoFinerThanItsGeneratorsClock() {
        assertThat(CellMerge.of(HELLO, List.of(told(0, Map.of())), DIVISION).resolutionMs())
                .isEqualTo(1);
        assertThat(CellMerge.of(new Cell("hello", 100, 0, "siege"), List.of(told(0, Map.of())), DIVISION)
                        .resolutionMs())
                .isEqualTo(10);
    }

    /** Slices of 1 s that differ by 1 % and gain so much from the first to the last. */
    private static Part steady(long fromMs, int slices, double gain) {
        Random random = new Random(11);
        List<Double> rates = IntStream.range(0, slices)
                .mapToObj(i -> 1000 * Math.exp(0.01 * random.nextGaussian()) * (1 + gain * i / (slices - 1)))
                .toList();
        return new Part(
                fromMs,
                1000L * slices,
                0,
                slices,
                rates,
                Optional.of(new Histogram(3)),
                Map.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    @Test
    void aServerThatStillRisesUnderTheRealLoadIsMarkedAndSoIsOneThatFalls() {
        CellResult rising = CellMerge.of(HELLO, List.of(steady(0, 30, 0.1)), DIVISION);
        assertThat(rising.isUsable()).isTrue();
        assertThat(rising.marks()).extracting(Mark::check).containsExactly("rising");
        assertThat(rising.trend().rise()).isBetween(7.0, 13.0);
        assertThat(CellMerge.of(HELLO, List.of(steady(0, 30, -0.1)), DIVISION).marks())
                .extracting(Mark::check)
                .containsExactly("unsteady");
        assertThat(CellMerge.of(HELLO, List.of(steady(0, 30, 0)), DIVISION).marks())
                .isEmpty();
        assertThat(CellMerge.of(new Cell("hello", 0, 500, "gatling"), List.of(steady(0, 30, 0.1)), DIVISION)
                        .marks())
                .as("an open model sets the rate itself")
                .isEmpty();
    }

    /** From a log to the mark: the seconds of a window are the slices of its trend, and the audit's own is not said twice. */
    @Test
    void theSecondsOfAWindowAreLookedAt() throws IOException {
        StringBuilder log = new StringBuilder("timeStamp,elapsed,label,success,bytes,sentBytes,grpThreads\n");
        Random random = new Random(4);
        for (int second = 0; second < 40; second++) {
            int count = 100 + second + random.nextInt(7);
            for (int i = 0; i < count; i++) {
                log.append(1_000_000 + 1000 * second + 990 * i / count).append(",5,x,true,7,5,3\n");
            }
        }
        Path file = Files.writeString(folder.resolve("results.csv"), log.toString());
        MonitorSeries nobody = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), "time.ms\n"));
        Part part = Part.of(RawLog.of(file).measure().cells().get(0), List.of(), nobody, List.of(), List.of());
        assertThat(part.slices()).hasSizeGreaterThan(30);
        CellResult cell = CellMerge.of(new Cell("x", 3, 0, "jmeter"), List.of(part), DIVISION);
        assertThat(cell.marks()).extracting(Mark::check).contains("rising").doesNotContain("trend");
        assertThat(cell.trend().rise()).isBetween(25.0, 50.0);
    }

    /** Five users within half a second: no whole second is under load, so that ramps are in the figures. */
    @Test
    void aLoadThatIsTooShortForAWindowIsLeftOut() throws IOException {
        StringBuilder log = new StringBuilder("timeStamp,elapsed,label,success,bytes,sentBytes,grpThreads\n");
        for (int i = 0; i < 50; i++) {
            log.append(1_000_100 + 10 * i).append(",5,hello 5 users,true,7,5,5\n");
        }
        Path file = Files.writeString(folder.resolve("results.csv"), log.toString());
        MonitorSeries nobody = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), "time.ms\n"));
        Part part = Part.of(RawLog.of(file).measure().cells().get(0), List.of(), nobody, List.of(), List.of());
        assertThat(part.marks()).extracting(Mark::check).contains("empty").doesNotContain("users-held", "littles-law");
    }

    /** The half windows of a steady server on a machine whose speed wanders by 5 % differ by more than 3 % half of the time. */
    @Test
    void aSteadyServerOnANoisyMachineIsSeldomMarked() {
        Random random = new Random(2);
        int marked = 0;
        for (int run = 0; run < 1000; run++) {
            double wander = 0;
            List<Double> rates = new ArrayList<>();
            for (int slice = 0; slice < 40; slice++) {
                wander = 0.5 * wander + 0.05 * Math.sqrt(0.75) * random.nextGaussian();
                rates.add(1000 * Math.exp(wander));
            }
            Part part = new Part(
                    0,
                    40_000,
                    0,
                    40,
                    rates,
                    Optional.of(new Histogram(3)),
                    Map.of(),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of());
            marked += CellMerge.of(HELLO, List.of(part), DIVISION).marks().size();
        }
        assertThat(marked).isLessThan(50);
    }

    /** The log's cells come in the order of their names, in which round 10 lies before round 2. */
    @Test
    void windowsAreMergedInTheOrderOfTime() {
        Part late = part(3000, 0, 2, new long[] {1}, 30, 0.5);
        Part second = new Part(
                10_000,
                1000,
                0,
                2,
                List.of(),
                late.histogram(),
                Map.of(),
                late.use(),
                List.of(),
                List.of(),
                List.of(500.0),
                List.of(),
                List.of());
        assertThat(CellMerge.of(HELLO, List.of(second, late), DIVISION).rates()).containsExactly(1500.0, 500.0);
    }

    /** 182 answers/s for 3000 users are 16 s each, whatever the mean of those that came in time. */
    @Test
    void answersThatAToolLeavesOutMakeItsWindowsShort() throws IOException {
        ToolFigures figures = new ToolFigures(
                2000,
                0,
                0,
                Map.of(),
                11,
                ToolLatency.UNKNOWN,
                List.of(new Mark(MarkKind.TIMEOUTS_MISSING, "1800 late", false)));
        Part part = Part.of(
                new ToolResult(0, 1000, figures, 1, folder, List.of()),
                3000,
                false,
                MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), "time.ms\n")),
                0,
                11_000,
                List.of());
        assertThat(part.marks())
                .filteredOn(mark -> mark.kind() == MarkKind.SHORT_TURNS)
                .singleElement()
                .satisfies(mark -> assertThat(mark.figures())
                        .startsWith("answers took 16.5 s, more than 5 % of a window of 11.0 s"));
    }

    @Test
    void whatAToolSaysOfItsRunIsAMarkOfItsCell() throws IOException {
        ToolFigures figures = new ToolFigures(
                100,
                0,
                0,
                Map.of(),
                1,
                ToolLatency.UNKNOWN,
                List.of(
                        new Mark(MarkKind.KEEP_ALIVE_REFUSED, "kept 0 of 100", true),
                        new Mark(MarkKind.TIMEOUTS_MISSING, "3 late", false)));
        MonitorSeries nobody = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), "time.ms\n"));
        Part part =
                Part.of(new ToolResult(0, 1000, figures, 1, folder, List.of()), 1, false, nobody, 0, 1000, List.of());
        CellResult cell = CellMerge.of(new Cell("hello", 100, 0, "ab"), List.of(part), DIVISION);
        assertThat(cell.marks())
                .containsExactly(
                        new Mark(MarkKind.KEEP_ALIVE_REFUSED, "kept 0 of 100", true),
                        new Mark(MarkKind.TIMEOUTS_MISSING, "3 late", false));
        assertThat(cell.isUsable()).isFalse();
    }

    /** Of 100 users three come a second late, or more of them several times. */
    @Test
    void usersWhoseConnectionsTheKernelDroppedAreMarked() throws IOException {
        monitored = "time.ms,connections.dropped\n0,1000\n1000,1002\n";
        assertThat(ofTool(100, 1)).isEmpty();
        monitored = "time.ms,connections.dropped\n0,1000\n1000,1003\n";
        assertThat(ofTool(100, 1)).singleElement().satisfies(mark -> {
            assertThat(mark.check()).isEqualTo("connections-dropped");
            assertThat(mark.figures()).startsWith("the kernel dropped 3 attempts of 100 users to connect");
            assertThat(mark.excludes()).isFalse();
        });
    }

    /** At an answer of 300 ms a window of 1 s has three answers of each user, and lacks up to one. */
    @Test
    void windowsThatAreShortAgainstTheAnswersAreMarkedAndEmptyOnesToo() throws IOException {
        assertThat(ofTool(100, 300)).extracting(Mark::check).containsExactly("short-turns");
        assertThat(ofTool(100, 40)).isEmpty();
        assertThat(ofTool(0, Double.NaN)).extracting(Mark::check).containsExactly("empty");
        assertThat(ofTool(100, 0, 300, true).marks())
                .as("of so many requests each is waited for")
                .isEmpty();
    }

    @Test
    void whatWasNotAnsweredIsAmongTheRequests() throws IOException {
        CellResult cell = CellMerge.of(new Cell("hello", 100, 0, "siege"), List.of(ofTool(90, 10, 1, false)), DIVISION);
        assertThat(cell.requests()).isEqualTo(100);
        assertThat(cell.figure(Metric.ERRORS)).hasValue(10);
        assertThat(cell.marks()).singleElement().satisfies(mark -> assertThat(mark.figures())
                .startsWith("10 of 100 failed"));
        assertThat(CellMerge.of(new Cell("hello", 100, 0, "siege"), List.of(ofTool(0, 10, 1, false)), DIVISION)
                        .figure(Metric.ERRORS))
                .hasValue(100);
    }

    /** What the monitor's file holds. */
    private String monitored = "time.ms\n";

    private List<Mark> ofTool(long completed, double meanMs) throws IOException {
        return ofTool(completed, 0, meanMs, false).marks();
    }

    private Part ofTool(long completed, long broken, double meanMs, boolean counted) throws IOException {
        ToolLatency latency = new ToolLatency(meanMs, Double.NaN, new TreeMap<>());
        ToolFigures figures = new ToolFigures(completed, broken, broken, Map.of(), 1, latency, List.of());
        MonitorSeries monitor = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), monitored));
        return Part.of(
                new ToolResult(0, 1000, figures, 1, folder, List.of()), 100, counted, monitor, 0, 1000, List.of());
    }

    /** ab has one thread: on four processors it is at its limit when it keeps one of them busy. */
    @Test
    void processorsThatTheGeneratorHasNoThreadsForDoNotCount() {
        CellMerge.Division four = new CellMerge.Division(1, 4, 0.9, 5);
        List<Part> parts = List.of(part(1000, 0, 2, new long[] {1}, 30, 0.95));
        assertThat(CellMerge.of(new Cell("hello", 100, 0, "ab"), parts, four).marks())
                .extracting(Mark::check)
                .containsExactly("generator-bottleneck");
        assertThat(CellMerge.of(new Cell("hello", 100, 0, "wrk"), parts, four).marks())
                .isEmpty();
    }

    /** A percentile of whole ms, spread evenly within each, is within a third of a ms of that of the exact times. */
    @Test
    void groupedPercentilesFollowTheExactOnes() {
        Random random = new Random(3);
        for (int run = 0; run < 20; run++) {
            double scale = 3 + 20 * random.nextDouble();
            double[] exact = DoubleStream.generate(() -> scale * (1 + 0.3 * random.nextGaussian()))
                    .map(Math::abs)
                    .limit(50_000)
                    .sorted()
                    .toArray();
            Histogram histogram = new Histogram(3);
            for (double time : exact) {
                histogram.recordValue(Math.round(time));
            }
            for (double percent : new double[] {50, 90, 99}) {
                double truth = exact[(int) Math.ceil(percent / 100 * exact.length) - 1];
                assertThat(CellMerge.percentile(histogram, percent)).isCloseTo(truth, within(0.35));
            }
        }
    }
}
