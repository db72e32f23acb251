package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Metric;

class MonitorSeriesTest {

    private static final String HEADER =
            "time.ms,threads.live,threads.worker,gc.ms,alloc.bytes,process.cpu.ms,compiler.cpu.ms,"
                    + "rss.bytes,context.switches,generator.cpu.ms,steal.ms";

    @TempDir
    private Path folder;

    private MonitorSeries series(String... rows) throws IOException {
        return MonitorSeries.read(
                Files.writeString(folder.resolve("monitor.csv"), HEADER + "\n" + String.join("\n", rows) + "\n"));
    }

    @Test
    void totalsAreReadOffAtTheEndsOfTheWindow() throws IOException {
        MonitorSeries series = series(
                "1000,10,5,0,0,0,0,100,0,0,0",
                "2000,12,6,10,1000,800,100,200,50,400,0",
                "3000,14,8,30,4000,2400,150,300,150,900,20",
                "4000,16,9,30,4000,3000,150,250,250,1000,20");

        ServerUse use = series.over(1500, 3500, 100).orElseThrow();

        // At 1500 and 3500 ms: CPU 400 and 2700 ms, allocated 500 and 4000 bytes, GC 5 and 30 ms, switches 25 and 200.
        assertThat(use.of(Metric.CPU)).isEqualTo((2700 - 400) * 1000.0 / 100, within(1e-9));
        assertThat(use.of(Metric.SERVER_CORES)).isEqualTo(2300 / 2000.0, within(1e-9));
        assertThat(use.of(Metric.ALLOCATION)).isEqualTo(35, within(1e-9));
        assertThat(use.of(Metric.GC)).isEqualTo(100 * 25 / 2000.0, within(1e-9));
        // In percent of the server's own CPU time, whatever the length of the window.
        assertThat(use.of(Metric.COMPILER)).isEqualTo(100 * 100 / 2300.0, within(1e-9));
        assertThat(use.of(Metric.SWITCHES)).isEqualTo(1.75, within(1e-9));
        assertThat(use.of(Metric.GENERATOR_CORES)).isEqualTo((950 - 200) / 2000.0, within(1e-9));
        assertThat(use.of(Metric.STEAL)).isEqualTo(100 * 20 / 2000.0, within(1e-9));
        assertThat(use.of(Metric.RSS)).isEqualTo(300);
        // From 150 to 275 bytes, out of 3500 allocated ones.
        assertThat(use.firstTouchShare()).isEqualTo(125 / 3500.0, within(1e-9));
        assertThat(use.threads()).containsEntry("live", 13.0).containsEntry("worker", 7.0);
    }

    /** The mean over connections, not over rows; unknown without connections or without a pool. */
    @Test
    void theWaitForAConnectionIsAMeanOverConnections() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(folder.resolve("pool.csv"), """
                time.ms,pool.taken,pool.waited.us
                1000,10,5000
                2000,110,15000
                3000,130,415000
                4000,130,415000
                """));

        assertThat(series.over(1000, 3000, 50).orElseThrow().of(Metric.POOL_WAIT))
                .isEqualTo(410 / 120.0, within(1e-9));
        assertThat(series.over(3000, 4000, 50).orElseThrow().of(Metric.POOL_WAIT))
                .isNaN();
        MonitorSeries none = MonitorSeries.read(
                Files.writeString(folder.resolve("none.csv"), "time.ms,pool.taken,pool.waited.us\n1000,,\n2000,,\n"));
        assertThat(none.over(1000, 2000, 50).orElseThrow().of(Metric.POOL_WAIT)).isNaN();
    }

    @Test
    void aGeneratorOnAnotherMachineThanTheServerWasReadAtItsOwnTime() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(folder.resolve("apart.csv"), """
                time.ms,process.cpu.ms,machine.time.ms,steal.ms,generator.time.ms,generator.cpu.ms
                1000,1000,1010,101,1020,510
                2000,2000,2200,220,2300,1150
                3000,3000,3010,301,3020,1510
                """));

        ServerUse use = series.over(1500, 2500, 1).orElseThrow();

        assertThat(use.of(Metric.GENERATOR_CORES)).isEqualTo(0.5, within(1e-9));
        assertThat(use.of(Metric.STEAL)).isEqualTo(10, within(1e-9));
        assertThat(use.of(Metric.SERVER_CORES)).isEqualTo(1, within(1e-9));
    }

    /** The host may withhold processors only from the machine that sends the load. */
    @Test
    void stealTimeIsThatOfTheMachineFromWhichMostWasKept() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(folder.resolve("steal.csv"), """
                time.ms,machine.time.ms,steal.ms,generator.time.ms,generator.cpu.ms,generator.steal.ms
                1000,1000,100,1500,500,0
                2000,2000,110,2500,1000,300
                3000,3000,120,3500,1500,600
                """));

        assertThat(series.over(1500, 2500, 1).orElseThrow().of(Metric.STEAL)).isEqualTo(30, within(1e-9));
    }

    /**
     * A program on the generator's processors limits the load, just as one on the servers' processors slows them down.
     */
    @Test
    void othersAreThoseOfTheServersProcessorsOrTheGeneratorsWhicheverAreMore() throws IOException {
        String columns = "time.ms,others.ms,generator.others.ms\n";
        MonitorSeries series = MonitorSeries.read(
                Files.writeString(folder.resolve("others.csv"), columns + "1000,0,0\n2000,10,400\n3000,510,450\n"));
        assertThat(series.over(1000, 2000, 1).orElseThrow().of(Metric.OTHERS)).isEqualTo(40, within(1e-9));
        assertThat(series.over(2000, 3000, 1).orElseThrow().of(Metric.OTHERS)).isEqualTo(50, within(1e-9));

        MonitorSeries host = MonitorSeries.read(Files.writeString(
                folder.resolve("host.csv"), "time.ms,generator.cpu.ms,others.ms\n1000,0,0\n2000,9,250\n"));
        MonitorSeries short_ = MonitorSeries.read(
                Files.writeString(folder.resolve("short.csv"), "time.ms,generator.cpu.ms\n1000,0\n2000,9\n"));
        assertThat(series.loadedFrom(List.of(host, short_))
                        .over(1000, 2000, 1)
                        .orElseThrow()
                        .of(Metric.OTHERS))
                .as("of load hosts; one does not tell")
                .isEqualTo(25, within(1e-9));
    }

    @Test
    void theSmallestHeapAfterACollectionCountsAndNoneBeforeTheFirst() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(folder.resolve("heap.csv"), """
                time.ms,heap.after.gc.bytes
                1000,0
                2000,500
                3000,400
                4000,450
                5000,100
                """));

        assertThat(series.over(1000, 5000, 1).orElseThrow().of(Metric.HEAP)).isEqualTo(400);
        assertThat(series.over(1000, 2000, 1).orElseThrow().of(Metric.HEAP)).isNaN();
    }

    @Test
    void thePeakOfACgroupIsItsLargestSoFar() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(
                folder.resolve("peak.csv"), "time.ms,memory.peak.bytes\n1000,300\n2000,500\n3000,700\n"));

        assertThat(series.over(1000, 3000, 1).orElseThrow().of(Metric.MEMORY_PEAK))
                .isEqualTo(500);
    }

    /**
     * The second host has a clock that is 500 ms behind, and twice as many processors as the first, whose number is the
     * reference.
     */
    @Test
    void ofSeveralLoadHostsTheBusiestCounts() throws IOException {
        MonitorSeries server = series("1000,10,5,0,0,0,0,100,0,7,0", "3000,14,8,30,4000,2400,150,300,150,9,20");
        MonitorSeries one = MonitorSeries.read(Files.writeString(
                folder.resolve("h1.csv"), "time.ms,generator.cpu.ms,steal.ms\n1000,100,0\n3000,900,60\n"));
        MonitorSeries other = MonitorSeries.read(Files.writeString(
                folder.resolve("h2.csv"), "time.ms,generator.cpu.ms,steal.ms\n500,100,0\n2500,2100,10\n"));

        ServerUse use = server.loadedFrom(List.of(one, other.as(500, 0.5)))
                .over(1000, 3000, 100)
                .orElseThrow();

        assertThat(use.of(Metric.SERVER_CORES)).isEqualTo(1.2, within(1e-9));
        assertThat(use.of(Metric.GENERATOR_CORES)).isEqualTo(0.5, within(1e-9));
        assertThat(use.of(Metric.STEAL)).isEqualTo(3, within(1e-9));
        assertThat(server.loadedFrom(List.of(one, other))
                        .over(1000, 3000, 100)
                        .orElseThrow()
                        .of(Metric.GENERATOR_CORES))
                .as("a host that does not cover the window is not left out")
                .isNaN();
    }

    /** The server answers 200 ms after it read its own meters, and only then the kernel's figures are read. */
    @Test
    void eachTotalCountsAtTheTimeAtWhichItWasReadItself() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(folder.resolve("late.csv"), """
                time.ms,process.cpu.ms,machine.time.ms,generator.cpu.ms,steal.ms
                1000,1000,1010,505,101
                2000,2000,2200,1100,220
                3000,3000,3010,1505,301
                """));

        ServerUse use = series.over(2000, 3000, 100).orElseThrow();

        assertThat(use.of(Metric.SERVER_CORES)).isEqualTo(1, within(1e-9));
        // After 3000 ms the kernel was asked at 3010 ms: half a processor from the first to the last row.
        assertThat(use.of(Metric.GENERATOR_CORES)).isEqualTo(0.5, within(1e-9));
        assertThat(use.of(Metric.STEAL)).isEqualTo(10, within(1e-9));
        assertThat(series.over(1000, 2000, 100).orElseThrow().of(Metric.GENERATOR_CORES))
                .as("the kernel was asked only after the window had begun")
                .isNaN();
    }

    /**
     * Steps of the kernel's clock can make a quiet second negative, but not a window. Without the column the share is
     * unknown.
     */
    @Test
    void whatOthersTookIsAShareOfTheTimeOfTheServersProcessors() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(folder.resolve("others.csv"), """
                time.ms,process.cpu.ms,machine.time.ms,others.ms
                1000,0,1000,-10
                2000,0,2000,-14
                3000,0,3000,106
                4000,0,4000,
                """));

        assertThat(series.over(1000, 3000, 1).orElseThrow().of(Metric.OTHERS)).isEqualTo(5.8, within(1e-9));
        assertThat(series.over(2000, 3000, 1).orElseThrow().of(Metric.OTHERS)).isEqualTo(12, within(1e-9));
        assertThat(series.over(1000, 2000, 1).orElseThrow().of(Metric.OTHERS)).isZero();
        assertThat(series.over(3000, 4000, 1).orElseThrow().of(Metric.OTHERS)).isNaN();
        assertThat(series("1000,1,1,0,0,0,0,1,0,0,0", "2000,1,1,0,0,0,0,1,0,0,0")
                        .over(1000, 2000, 1)
                        .orElseThrow()
                        .of(Metric.OTHERS))
                .isNaN();
    }

    @Test
    void aWindowThatTheRowsDoNotCoverHasNoFigures() throws IOException {
        MonitorSeries series = series("1000,1,1,0,0,0,0,1,0,0,0", "2000,1,1,0,0,0,0,1,0,0,0");

        assertThat(series.over(1000, 2000, 1)).isPresent();
        assertThat(series.over(999, 2000, 1)).isEmpty();
        assertThat(series.over(1000, 2001, 1)).isEmpty();
        assertThat(series.over(1000, 2000, 0)).isEmpty();
        assertThat(series().over(1000, 2000, 1)).isEmpty();
    }

    @Test
    void whatNobodyCouldTellIsNotANumber() throws IOException {
        MonitorSeries series = series("1000,1,1,0,0,0,0,,,0,", "2000,1,1,0,0,5,0,,,0,");

        ServerUse use = series.over(1000, 2000, 5).orElseThrow();

        assertThat(use.of(Metric.CPU)).isEqualTo(1000);
        assertThat(use.of(Metric.RSS)).isNaN();
        assertThat(use.firstTouchShare()).isNaN();
        assertThat(use.of(Metric.SWITCHES)).isNaN();
        assertThat(use.of(Metric.STEAL)).isNaN();
    }

    @Test
    void aRowThatWasCutOffOrIsOutOfOrderIsLeftOut() throws IOException {
        Optional<ServerUse> whole =
                series("1000,1,1,0,0,0,0,1,0,0,0", "2000,1,1,0,0,5,0,1,0,0,0").over(1000, 2000, 1);

        assertThat(series("1000,1,1,0,0,0,0,1,0,0,0", "900,1,1,0,0,9,0,1,0,0,0", "2000,1,1,0,0,5,0,1,0,0,0", "30")
                        .over(1000, 2000, 1))
                .isEqualTo(whole);
    }

    @Test
    void refusesWhatIsNoMonitorsFile() throws IOException {
        Path file = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");

        assertThatThrownBy(() -> MonitorSeries.read(file))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining("not a monitor's file");
    }

    /** The compiler's time is read together with the kernel's figures, at their time. */
    @Test
    void refusesColumnsInAnOrderThatHidesWhenTheyWereRead() throws IOException {
        Path file = Files.writeString(
                folder.resolve("order.csv"), "time.ms,process.cpu.ms,compiler.cpu.ms,machine.time.ms\n1000,1,1,1010\n");

        assertThatThrownBy(() -> MonitorSeries.read(file))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessage(
                        file + ": from another version: compiler.cpu.ms stands before machine.time.ms, so its time is"
                                + " not known: measure again, or read it with the version that wrote it");
    }

    @Test
    void theCompilersTimeCountsWhenItWasRead() throws IOException {
        MonitorSeries series = MonitorSeries.read(Files.writeString(folder.resolve("compiler.csv"), """
                time.ms,process.cpu.ms,machine.time.ms,compiler.cpu.ms
                1000,1000,1010,101
                2000,2000,2200,220
                3000,3000,3010,301
                """));

        assertThat(series.over(2000, 3000, 100).orElseThrow().of(Metric.COMPILER))
                .isEqualTo(10, within(1e-9));
    }
}
