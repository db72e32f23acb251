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
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.SlicesMeasurement;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.LoadFigures;

class LoadMergeTest {

    @TempDir
    private Path folder;

    private static final LoadMerge.Division DIVISION = new LoadMerge.Division(1, 1, 0.9, 5);
    private static final MeasuredLoad HELLO = new MeasuredLoad("hello", 100, 0, "gatling");

    private static WindowResult measured(
            long requests, long errors, double seconds, long[] times, double cpu, double cores) {
        return measured(requests, errors, seconds, times, cpu, cores, 0);
    }

    private static WindowResult measured(
            long requests, long errors, double seconds, long[] times, double cpu, double cores, double firstTouch) {
        Histogram histogram = new Histogram(3);
        for (long time : times) {
            histogram.recordValue(time);
        }
        return window(0, requests, errors, seconds, Map.of("max", 9.0))
                .with(histogram, List.of())
                .with(used(cpu, 0, firstTouch, cores, 0))
                .withLinks(List.of("log"));
    }

    /** @param reported response times as reported by the generator, ms, by {@link Metric#key} */
    private static WindowResult window(
            long fromMs, long requests, long errors, double seconds, Map<String, Double> reported) {
        return WindowResult.of(
                "",
                new Summary(
                        fromMs,
                        fromMs + Math.round(1000 * seconds),
                        seconds,
                        requests,
                        errors,
                        Map.of(),
                        Double.NaN,
                        -1,
                        -1,
                        Latency.reported(
                                reported.getOrDefault("mean", Double.NaN),
                                reported.getOrDefault("max", Double.NaN),
                                rank -> reported.getOrDefault("p" + Math.round(rank), Double.NaN))));
    }

    /** Weighted by time over all windows, like steal time. It warns, but excludes nothing. */
    @Test
    void whatOtherProgramsTookIsMarkedAboveItsLimit() {
        assertThat(disturbed(2, 10)).as("5.2 %").singleElement().satisfies(warning -> {
            assertThat(warning.check()).isEqualTo("disturbed");
            assertThat(warning.excludes()).isFalse();
            assertThat(warning.figures()).contains("5.2 %", "limit 5 %");
        });
        assertThat(disturbed(2, 9)).as("4.8 %").isEmpty();
        assertThat(disturbed(Double.NaN, 50)).as("not known").isEmpty();
    }

    /** Returns the warnings on two windows, of 3 s and of 2 s. */
    private static List<Warning> disturbed(double first, double second) {
        return LoadMerge.of(HELLO, List.of(window(0, 3, first), window(5000, 2, second)), DIVISION)
                .warnings();
    }

    /** Compilation counts as a share of the half processor that the server kept busy. */
    @Test
    void aServerThatCompilesUnderTheLoadSaysSo() {
        assertThat(compiling(3.2)).as("3.2 %").singleElement().satisfies(warning -> {
            assertThat(warning.check()).isEqualTo("compiling");
            assertThat(warning.excludes()).isFalse();
            assertThat(warning.saysCold()).isFalse();
            assertThat(warning.figures()).contains("3.2 %", "limit 3 %");
        });
        assertThat(compiling(2.8)).as("2.8 %").isEmpty();
        assertThat(compiling(Double.NaN)).as("not known").isEmpty();
    }

    private static List<Warning> compiling(double compilerPercent) {
        return LoadMerge.of(HELLO, List.of(window(0, 3, 0, compilerPercent)), DIVISION)
                .warnings();
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

    private static WindowResult window(long fromMs, double seconds, double others) {
        return window(fromMs, seconds, others, 0);
    }

    private static WindowResult window(long fromMs, double seconds, double others, double compilerPercent) {
        return window(fromMs, 1000, 0, seconds, Map.of()).with(used(30, compilerPercent, 0, 0.5, others));
    }

    @Test
    void windowsAreAddedUpAndNeverAveraged() throws Exception {
        LoadFigures load = LoadMerge.of(
                HELLO,
                List.of(
                        measured(1000, 0, 2, new long[] {1, 1, 1, 1}, 30, 0.5),
                        measured(3000, 4, 3, new long[] {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 50, 0.7)),
                DIVISION);
        assertThat(load.requests()).isEqualTo(4000);
        assertThat(load.figure(Metric.THROUGHPUT)).hasValue(800);
        assertThat(load.figure(Metric.ERRORS)).hasValue(0.1);
        assertThat(load.figure(Metric.CPU)).hasValue((1000 * 30 + 3000 * 50) / 4000.0);
        assertThat(load.figure(Metric.GENERATOR_CORES).orElseThrow()).isCloseTo((2 * 0.5 + 3 * 0.7) / 5, within(1e-9));
        assertThat(load.figure(Metric.MEAN)).hasValue(7);
        assertThat(load.rates()).containsExactly(500.0, 1000.0);
        Histogram all = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(load.histogram())), 0);
        assertThat(all.getTotalCount()).isEqualTo(16);
        assertThat(load.isUsable()).isTrue();
    }

    /** Excluding the block would exclude just those blocks in which the server was fast. */
    @Test
    void aBusyGeneratorIsTheBottleneckAndItsCellAFloor() {
        LoadFigures load = LoadMerge.of(HELLO, List.of(measured(1000, 0, 2, new long[] {1}, 30, 0.95)), DIVISION);
        assertThat(load.isUsable()).isTrue();
        assertThat(load.warnings())
                .filteredOn(load::isFloor)
                .extracting(Warning::check)
                .containsExactly("generator-bottleneck");
    }

    @Test
    void aBusyGeneratorBeforeABusierServerIsSaidButIsNotTheBottleneck() {
        LoadMerge.Division twoGenerators = new LoadMerge.Division(1, 2, 0.2, 5);
        LoadFigures load = LoadMerge.of(HELLO, List.of(measured(1000, 0, 2, new long[] {1}, 30, 0.5)), twoGenerators);
        assertThat(load.isUsable()).isTrue();
        assertThat(load.warnings()).extracting(Warning::check).contains("generator-busy");
    }

    /**
     * 4000 requests allocate alike. The first 1000 use that memory for the first time, a quarter of all, or hardly any
     * of it.
     */
    @Test
    void aHeapThatIsUsedForTheFirstTimeIsSaid() {
        long[] times = {1};
        WindowResult warm = measured(3000, 0, 2, times, 30, 0.5);
        LoadFigures load = LoadMerge.of(HELLO, List.of(measured(1000, 0, 2, times, 30, 0.5, 1), warm), DIVISION);
        assertThat(load.isUsable()).isTrue();
        assertThat(load.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.check()).isEqualTo("first-touch");
            assertThat(warning.figures()).startsWith("the server's process grew by 25 % of what it allocated");
        });
        assertThat(LoadMerge.of(HELLO, List.of(measured(1000, 0, 2, times, 30, 0.5, 0.1), warm), DIVISION)
                        .warnings())
                .isEmpty();
    }

    /** Servers without export have no spans; those with export have one or more for each request. */
    @Test
    void spansThatAreMissingAreSaid() {
        assertThat(spans(0.8)).singleElement().satisfies(warning -> {
            assertThat(warning.check()).isEqualTo("spans-missing");
            assertThat(warning.excludes()).isFalse();
            assertThat(warning.figures()).isEqualTo("0.80 spans per request arrived at the collector (limit 0.95)");
        });
        assertThat(spans(0.97)).as("the last are still collected").isEmpty();
        assertThat(spans(2)).isEmpty();
        assertThat(spans(0)).isEmpty();
        assertThat(spans(Double.NaN)).as("not known").isEmpty();
    }

    private static List<Warning> spans(double each) {
        return LoadMerge.of(
                        HELLO,
                        List.of(window(0, 1000, 0, 3, Map.of())
                                .with(new ServerUse(Map.of(Metric.SPANS, each), 0, Map.of()))),
                        DIVISION)
                .warnings();
    }

    @Test
    void whatNobodyKnowsIsNotThere() {
        WindowResult window = reported(0, Map.of("p99", 3.0));
        LoadFigures one = LoadMerge.of(HELLO, List.of(window), DIVISION);
        assertThat(one.figure(Metric.CPU)).isEmpty();
        assertThat(one.figure(Metric.P99)).hasValue(3);
        assertThat(one.trend()).isNull();
        assertThat(LoadMerge.of(HELLO, List.of(window, window), DIVISION).figure(Metric.P99))
                .as("the percentiles of two windows do not give that of both")
                .isEmpty();
    }

    private static WindowResult reported(long fromMs, Map<String, Double> figures) {
        return window(fromMs, 10, 0, 1, figures);
    }

    /**
     * Half a percent of stalls of 150 ms moves the p99 that wrk reports from 20 to 128 ms, because wrk makes up
     * samples.
     */
    @Test
    void whatWrkTellsOfResponseTimesIsShownAndNeverJudged() {
        MeasuredLoad wrk = new MeasuredLoad("hello", 100, 0, "wrk");
        WindowResult window = reported(0, Map.of("mean", 9.0, "p99", 128.0, "max", 300.0));
        LoadFigures load = LoadMerge.of(wrk, List.of(window), DIVISION);
        for (Metric metric : Metric.values()) {
            if (metric.kind() == Metric.Kind.LATENCY) {
                assertThat(load.figure(metric)).as(metric.key()).isEmpty();
            }
        }
        assertThat(load.reported()).isEqualTo(Map.of("mean", 9.0, "p99", 128.0, "max", 300.0));
        assertThat(load.figure(Metric.THROUGHPUT)).hasValue(10);
        assertThat(LoadMerge.of(new MeasuredLoad("hello", 100, 0, "ab"), List.of(window), DIVISION)
                        .figure(Metric.P99))
                .hasValue(128);
    }

    @Test
    void aResultIsReadAsItWasWritten() throws Exception {
        ObjectMapper json = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
        for (String generator : List.of("gatling", "wrk")) {
            LoadFigures now =
                    LoadMerge.of(new MeasuredLoad("hello", 100, 0, generator), List.of(steady(0, 30, 0.1)), DIVISION);
            String text = json.writeValueAsString(now);
            assertThat(text).contains("\"check\":\"rising\"");
            assertThat(json.readValue(text, LoadFigures.class)).isEqualTo(now);
        }
    }

    @Test
    void aFigureIsNoFinerThanItsGeneratorsClock() {
        assertThat(LoadMerge.of(HELLO, List.of(reported(0, Map.of())), DIVISION).resolutionMs())
                .isEqualTo(1);
        assertThat(LoadMerge.of(new MeasuredLoad("hello", 100, 0, "siege"), List.of(reported(0, Map.of())), DIVISION)
                        .resolutionMs())
                .isEqualTo(10);
    }

    /** Returns time slices of 1 s that vary by 1 % and rise by {@code gain} from the first to the last. */
    private static WindowResult steady(long fromMs, int slices, double gain) {
        Random random = new Random(11);
        List<Double> rates = IntStream.range(0, slices)
                .mapToObj(i -> 1000 * Math.exp(0.01 * random.nextGaussian()) * (1 + gain * i / (slices - 1)))
                .toList();
        return course(window(fromMs, 1000L * slices, 0, slices, Map.of()), rates);
    }

    /** Returns a window with given rates, for its trend. */
    private static WindowResult course(WindowResult window, List<Double> rates) {
        return window.with(new Histogram(3), List.of())
                .with(new SlicesMeasurement(
                        new SlicesMeasurement.Requests(0, 0, Map.of()),
                        new SlicesMeasurement.Held(0, 0, 0, 0),
                        new SlicesMeasurement.Users(0, 0),
                        new SlicesMeasurement.Batches(List.of(), List.of(), rates)));
    }

    @Test
    void aServerThatStillRisesUnderTheRealLoadIsMarkedAndSoIsOneThatFalls() {
        LoadFigures rising = LoadMerge.of(HELLO, List.of(steady(0, 30, 0.1)), DIVISION);
        assertThat(rising.isUsable()).isTrue();
        assertThat(rising.warnings()).extracting(Warning::check).containsExactly("rising");
        assertThat(rising.trend().rise()).isBetween(7.0, 13.0);
        assertThat(LoadMerge.of(HELLO, List.of(steady(0, 30, -0.1)), DIVISION).warnings())
                .extracting(Warning::check)
                .containsExactly("unsteady");
        assertThat(LoadMerge.of(HELLO, List.of(steady(0, 30, 0)), DIVISION).warnings())
                .isEmpty();
        assertThat(LoadMerge.of(new MeasuredLoad("hello", 0, 500, "gatling"), List.of(steady(0, 30, 0.1)), DIVISION)
                        .warnings())
                .as("an open model sets the rate itself")
                .isEmpty();
    }

    /**
     * Returns windows of 2 s, measured server after server, on a machine that becomes 30 % faster for all. The first
     * server also gains {@code gain} itself.
     */
    private static List<List<WindowResult>> rounds(int servers, int rounds, double gain) {
        Random random = new Random(3);
        return IntStream.range(0, servers)
                .mapToObj(server -> IntStream.range(0, rounds)
                        .mapToObj(round -> {
                            double own = server == 0 ? Math.log1p(gain) : 0;
                            double rise = (Math.log(1.3) + own) * round / (rounds - 1);
                            long requests = Math.round(20_000 * Math.exp(rise + 0.01 * random.nextGaussian()));
                            return window(2000L * (round * servers + server), requests, 0, 2, Map.of());
                        })
                        .toList())
                .toList();
    }

    /**
     * A machine's effects on all servers of a block are no server's own trend, even with generators without time
     * slices.
     */
    @Test
    void windowsInTurnsAreRelativeToThoseOfTheOtherServers() {
        MeasuredLoad wrk = new MeasuredLoad("hello", 100, 0, "wrk");
        List<List<WindowResult>> alike = rounds(4, 24, 0);
        for (int server = 0; server < 4; server++) {
            LoadFigures load = LoadMerge.of(wrk, alike, server, DIVISION);
            assertThat(load.warnings()).isEmpty();
            assertThat(load.trend().high()).isLessThan(10);
        }
        assertThat(LoadMerge.of(wrk, rounds(4, 24, 0.1), 0, DIVISION).warnings())
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.check()).isEqualTo("rising");
                    assertThat(warning.figures()).startsWith("relative to the others the server became faster");
                });
        assertThat(LoadMerge.of(wrk, rounds(4, 19, 0.1), 0, DIVISION).trend())
                .as("of so few rounds it is not known")
                .isNull();
        assertThat(LoadMerge.of(wrk, rounds(2, 24, 0.1), 0, DIVISION).trend())
                .as("of two servers nobody can tell which one changed")
                .isNull();
    }

    @Test
    void theTrendOfAServerThatWasUpAloneIsCalledAbsolute() {
        LoadFigures alone = LoadMerge.of(new MeasuredLoad("hello", 100, 0, "wrk"), rounds(1, 24, 0), 0, DIVISION);
        assertThat(alone.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.check()).isEqualTo("rising");
            assertThat(warning.figures())
                    .startsWith("the server, which was up alone, became faster, absolutely: throughput")
                    .doesNotContain("relative");
        });
        assertThat(alone.trend().rise()).isBetween(25.0, 35.0);
    }

    /**
     * From a log to the warning: the trend consists of the seconds of a window, and the audit's own warning is not
     * repeated.
     */
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
        WindowResult window = RawLog.of(file).measure().loads().get(0).with(nobody);
        assertThat(window.trendRates()).hasSizeGreaterThan(30);
        LoadFigures load = LoadMerge.of(new MeasuredLoad("x", 3, 0, "jmeter"), List.of(window), DIVISION);
        assertThat(load.warnings())
                .extracting(Warning::check)
                .contains("rising")
                .doesNotContain("trend");
        assertThat(load.trend().rise()).isBetween(25.0, 50.0);
    }

    /** Five users within half a second: no whole second is under full load, so the figures include ramps. */
    @Test
    void aLoadThatIsTooShortForAWindowIsLeftOut() throws IOException {
        StringBuilder log = new StringBuilder("timeStamp,elapsed,label,success,bytes,sentBytes,grpThreads\n");
        for (int i = 0; i < 50; i++) {
            log.append(1_000_100 + 10 * i).append(",5,hello 5 users,true,7,5,5\n");
        }
        Path file = Files.writeString(folder.resolve("results.csv"), log.toString());
        MonitorSeries nobody = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), "time.ms\n"));
        WindowResult window = RawLog.of(file).measure().loads().get(0).with(nobody);
        assertThat(window.warnings())
                .extracting(Warning::check)
                .contains("empty")
                .doesNotContain("users-held", "littles-law");
    }

    /**
     * On a machine whose speed wanders by 5 %, the halves of a steady server's window differ by more than 3 % half of
     * the time.
     */
    @Test
    void aSteadyServerOnANoisyMachineIsSeldomMarked() {
        Random random = new Random(2);
        int warned = 0;
        for (int run = 0; run < 1000; run++) {
            double wander = 0;
            List<Double> rates = new ArrayList<>();
            for (int slice = 0; slice < 40; slice++) {
                wander = 0.5 * wander + 0.05 * Math.sqrt(0.75) * random.nextGaussian();
                rates.add(1000 * Math.exp(wander));
            }
            WindowResult window = course(window(0, 40_000, 0, 40, Map.of()), rates);
            warned += LoadMerge.of(HELLO, List.of(window), DIVISION).warnings().size();
        }
        assertThat(warned).isLessThan(50);
    }

    /** The log lists its loads alphabetically, so that round 10 precedes round 2. */
    @Test
    void windowsAreMergedInTheOrderOfTime() {
        WindowResult late = measured(3000, 0, 2, new long[] {1}, 30, 0.5);
        WindowResult second = window(10_000, 1000, 0, 2, Map.of())
                .with(late.histogram().orElseThrow(), List.of())
                .with(late.use().orElseThrow());
        assertThat(LoadMerge.of(HELLO, List.of(second, late), DIVISION).rates()).containsExactly(1500.0, 500.0);
    }

    /** 182 responses/s for 3000 users mean that each takes 16 s, whatever the mean of those that came in time. */
    @Test
    void answersThatAToolLeavesOutMakeItsWindowsShort() throws IOException {
        ToolFigures figures = new ToolFigures(
                2000,
                0,
                0,
                Map.of(),
                11,
                ToolLatency.UNKNOWN,
                List.of(new Warning(WarningKind.TIMEOUTS_MISSING, "1800 late", false)));
        WindowResult window = tool(figures, 3000, ToolSettings.PLAIN, 11_000);
        assertThat(window.warnings())
                .filteredOn(warning -> warning.kind() == WarningKind.SHORT_SLICES)
                .singleElement()
                .satisfies(warning -> assertThat(warning.figures())
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
                        new Warning(WarningKind.KEEP_ALIVE_REFUSED, "kept 0 of 100", true),
                        new Warning(WarningKind.TIMEOUTS_MISSING, "3 late", false)));
        WindowResult window = tool(figures, 1, ToolSettings.PLAIN, 1000);
        LoadFigures load = LoadMerge.of(new MeasuredLoad("hello", 100, 0, "ab"), List.of(window), DIVISION);
        assertThat(load.warnings())
                .containsExactly(
                        new Warning(WarningKind.KEEP_ALIVE_REFUSED, "kept 0 of 100", true),
                        new Warning(WarningKind.TIMEOUTS_MISSING, "3 late", false));
        assertThat(load.isUsable()).isFalse();
    }

    /**
     * The kernel drops three attempts of 100 users to connect: three users arrive a second late, or fewer of them
     * later.
     */
    @Test
    void usersWhoseConnectionsTheKernelDroppedAreMarked() throws IOException {
        monitored = "time.ms,connections.dropped\n0,1000\n1000,1002\n";
        assertThat(ofTool(100, 1)).isEmpty();
        monitored = "time.ms,connections.dropped\n0,1000\n1000,1003\n";
        assertThat(ofTool(100, 1)).singleElement().satisfies(warning -> {
            assertThat(warning.check()).isEqualTo("connections-dropped");
            assertThat(warning.figures()).startsWith("the kernel dropped 3 attempts of 100 users to connect");
            assertThat(warning.excludes()).isFalse();
        });
    }

    /** With response times of 300 ms, a window of 1 s contains three responses for each user, and lacks up to one. */
    @Test
    void windowsThatAreShortAgainstTheAnswersAreMarkedAndEmptyOnesToo() throws IOException {
        assertThat(ofTool(100, 300)).extracting(Warning::check).containsExactly("short-slices");
        assertThat(ofTool(100, 40)).isEmpty();
        assertThat(ofTool(0, Double.NaN)).extracting(Warning::check).containsExactly("empty");
        assertThat(ofTool(100, 0, 300, true).warnings())
                .as("of so many requests each is waited for")
                .isEmpty();
    }

    @Test
    void whatWasNotAnsweredIsAmongTheRequests() throws IOException {
        LoadFigures load =
                LoadMerge.of(new MeasuredLoad("hello", 100, 0, "siege"), List.of(ofTool(90, 10, 1, false)), DIVISION);
        assertThat(load.requests()).isEqualTo(100);
        assertThat(load.figure(Metric.ERRORS)).hasValue(10);
        assertThat(load.warnings()).singleElement().satisfies(warning -> assertThat(warning.figures())
                .startsWith("10 of 100 failed"));
        assertThat(LoadMerge.of(new MeasuredLoad("hello", 100, 0, "siege"), List.of(ofTool(0, 10, 1, false)), DIVISION)
                        .figure(Metric.ERRORS))
                .hasValue(100);
    }

    /** Content of the monitor's file. */
    private String monitored = "time.ms\n";

    private List<Warning> ofTool(long completed, double meanMs) throws IOException {
        return ofTool(completed, 0, meanMs, false).warnings();
    }

    private WindowResult ofTool(long completed, long broken, double meanMs, boolean counted) throws IOException {
        ToolLatency latency = new ToolLatency(meanMs, Double.NaN, new TreeMap<>());
        ToolFigures figures = new ToolFigures(completed, broken, broken, Map.of(), 1, latency, List.of());
        return tool(
                figures,
                100,
                counted ? new ToolSettings(Pause.NONE, 100, 0, true, List.of()) : ToolSettings.PLAIN,
                1000);
    }

    private WindowResult tool(ToolFigures figures, int users, ToolSettings settings, long toMs) throws IOException {
        return new ToolResult(0, 1000, figures, 1, folder, List.of())
                .of(new Batch.Task(new Load("hello", users, 0), settings, List.of()), "jetty", 0, toMs)
                .window()
                .with(MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), monitored)));
    }

    /** ab has a single thread, so it is at its limit when it keeps one of four processors busy. */
    @Test
    void processorsThatTheGeneratorHasNoThreadsForDoNotCount() {
        LoadMerge.Division four = new LoadMerge.Division(1, 4, 0.9, 5);
        List<WindowResult> parts = List.of(measured(1000, 0, 2, new long[] {1}, 30, 0.95));
        assertThat(LoadMerge.of(new MeasuredLoad("hello", 100, 0, "ab"), parts, four)
                        .warnings())
                .extracting(Warning::check)
                .containsExactly("generator-bottleneck");
        assertThat(LoadMerge.of(new MeasuredLoad("hello", 100, 0, "wrk"), parts, four)
                        .warnings())
                .isEmpty();
    }

    /**
     * If response times are rounded to whole ms and spread evenly within each, percentiles are within a third of a ms
     * of the exact ones.
     */
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
                assertThat(LoadMerge.percentile(histogram, percent)).isCloseTo(truth, within(0.35));
            }
        }
    }
}
