package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OthersMeterTest {

    private static final long RIG = 1;
    private static final long JETTY = 2;
    private static final long UNDERTOW = 3;
    private static final long GENERATOR = 4;

    /** A machine whose clocks the test advances. */
    private static final class Reported implements OthersMeter.Kernel {
        private final Map<Integer, Long> busy = new HashMap<>(Map.of(0, 50_000L, 1, 90_000L));
        private final Map<Long, Long> cpu =
                new HashMap<>(Map.of(RIG, 7_000L, JETTY, 20_000L, UNDERTOW, 30_000L, GENERATOR, 4_000L));
        private final Map<Long, List<Integer>> allowed = new HashMap<>(
                Map.of(RIG, List.of(0, 1), JETTY, List.of(0), UNDERTOW, List.of(0), GENERATOR, List.of(1)));
        private long ended = 100_000;

        /** Lets a process work on a processor. */
        void works(long pid, int processor, long millis) {
            cpu.merge(pid, millis, Long::sum);
            busy.merge(processor, millis, Long::sum);
        }

        /** Lets another program work. */
        void others(int processor, long millis) {
            busy.merge(processor, millis, Long::sum);
        }

        void unpinned() {
            allowed.replaceAll((pid, processors) -> List.of(0, 1));
        }

        void ends(long pid) {
            ended += cpu.remove(pid);
            allowed.remove(pid);
        }

        @Override
        public long busyMillis(List<Integer> processors) {
            return processors.stream().mapToLong(busy::get).sum();
        }

        @Override
        public List<Integer> processors(long pid) throws IOException {
            if (!allowed.containsKey(pid)) {
                throw new IOException("no such process");
            }
            return allowed.get(pid);
        }

        @Override
        public long cpuMillis(long pid) throws IOException {
            if (!cpu.containsKey(pid)) {
                throw new IOException("no such process");
            }
            return cpu.get(pid);
        }

        @Override
        public long endedChildrenMillis(long pid) {
            return ended;
        }
    }

    private final Reported kernel = new Reported();
    private final OthersMeter meter = new OthersMeter(kernel, RIG);

    private long sample(Long... servers) throws IOException {
        return meter.sample(JETTY, Set.of(servers), GENERATOR);
    }

    @Test
    void whatNoneOfOursUsedOnTheServersProcessorsIsTheOthers() throws IOException {
        assertThat(sample(JETTY, UNDERTOW)).isZero();
        kernel.works(JETTY, 0, 400);
        kernel.works(UNDERTOW, 0, 300);
        kernel.works(RIG, 0, 20);
        kernel.works(GENERATOR, 1, 900);
        assertThat(sample(JETTY, UNDERTOW)).as("all of it was ours").isZero();
        kernel.others(0, 60);
        kernel.others(1, 500);
        assertThat(sample(JETTY, UNDERTOW))
                .as("on the generator's processor it is not looked at")
                .isEqualTo(60);
        kernel.others(0, 15);
        assertThat(sample(JETTY, UNDERTOW)).as("a total").isEqualTo(75);
    }

    /** servlet-bench itself may run on any processor. This makes others appear too low, but never too high. */
    @Test
    void theRigIsTakenOffWhereverItRan() throws IOException {
        sample(JETTY, UNDERTOW);
        kernel.works(RIG, 1, 30);
        kernel.others(0, 100);
        assertThat(sample(JETTY, UNDERTOW)).isEqualTo(70);
    }

    /**
     * Gatling runs in servlet-bench's JVM. Subtracting its load from the server's processor would hide all other
     * programs.
     */
    @Test
    void aRigThatIsTheGeneratorIsTakenOffItsOwnProcessorsOnly() throws IOException {
        kernel.allowed.put(RIG, List.of(1));
        meter.sample(JETTY, Set.of(JETTY), RIG);
        kernel.works(RIG, 1, 900);
        kernel.works(JETTY, 0, 800);
        kernel.others(0, 100);
        assertThat(meter.sample(JETTY, Set.of(JETTY), RIG)).isEqualTo(100);
    }

    /** Programs on the generator's processors limit its load, and make every server look slower. */
    @Test
    void othersOnTheGeneratorsProcessorsAreSeenAlsoBetweenTwoGenerators() throws IOException {
        Set<Long> servers = Set.of(JETTY, UNDERTOW);
        assertThat(meter.sample(GENERATOR, servers, GENERATOR)).isZero();
        kernel.works(JETTY, 0, 800);
        kernel.others(0, 100);
        kernel.works(GENERATOR, 1, 600);
        kernel.works(RIG, 1, 10);
        kernel.others(1, 250);
        assertThat(meter.sample(GENERATOR, servers, GENERATOR)).isEqualTo(250);
        kernel.ends(GENERATOR);
        kernel.others(1, 30);
        assertThat(meter.sample(GENERATOR, servers, GENERATOR))
                .as("it ended; the next one will run there")
                .isEqualTo(280);
        kernel.cpu.put(GENERATOR, 0L);
        kernel.allowed.put(GENERATOR, List.of(1));
        kernel.works(GENERATOR, 1, 400);
        assertThat(meter.sample(GENERATOR, servers, GENERATOR)).isEqualTo(280);
    }

    @Test
    void aGeneratorOnTheSameProcessorsIsOursAlsoAfterItEnded() throws IOException {
        kernel.unpinned();
        sample(JETTY, UNDERTOW);
        kernel.works(GENERATOR, 0, 500);
        kernel.works(JETTY, 1, 400);
        kernel.others(1, 40);
        assertThat(sample(JETTY, UNDERTOW)).as("for each of two processors").isEqualTo(20);
        kernel.works(GENERATOR, 1, 700);
        kernel.ends(GENERATOR);
        assertThat(sample(JETTY, UNDERTOW)).isEqualTo(20);
        kernel.cpu.put(GENERATOR, 0L);
        kernel.allowed.put(GENERATOR, List.of(0, 1));
        kernel.works(GENERATOR, 0, 300);
        assertThat(sample(JETTY, UNDERTOW)).as("the next one").isEqualTo(20);
    }

    @Test
    void whereServersComeAndGoOrAreMovedNobodyCanTell() throws IOException {
        kernel.unpinned();
        sample(JETTY, UNDERTOW);
        kernel.others(0, 1_000);
        kernel.allowed.putAll(Map.of(JETTY, List.of(0), UNDERTOW, List.of(0), GENERATOR, List.of(1)));
        assertThat(sample(JETTY, UNDERTOW)).as("pinned meanwhile").isZero();
        kernel.works(JETTY, 0, 100);
        assertThat(sample(JETTY)).as("one has left").isZero();
        kernel.works(JETTY, 0, 100);
        kernel.others(0, 9);
        assertThat(sample(JETTY)).isEqualTo(9);
    }

    private static final LongSupplier TEN_SECONDS = () -> 10_000_000_000L;

    private static Path proc(Path folder) throws IOException {
        Files.writeString(folder.resolve("stat"), """
            cpu  300 30 150 700 10 6 9 60 0 0
            cpu0 100 10 50 300 5 2 3 20 0 0
            cpu1 200 20 100 400 5 4 6 40 0 0
            cpu10 9000 0 0 0 0 0 0 0 0 0
            """);
        Path process = Files.createDirectories(folder.resolve("42"));
        Files.writeString(process.resolve("stat"), "42 (a (b) c) S 1 1 1 0 -1 0 0 0 0 0 11 22 33 44 20 0 1 0 0\n");
        Files.writeString(process.resolve("status"), "Name:\ta\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1,4\n");
        return folder;
    }

    /** Times are in ticks of 10 ms. */
    @Test
    void theKernelsFilesAreRead(@TempDir Path folder) throws IOException {
        LinuxKernel read = new LinuxKernel(proc(folder), List.of(), TEN_SECONDS);
        assertThat(read.cpuMillis(42)).isEqualTo(330);
        assertThat(read.endedChildrenMillis(42)).isEqualTo(770);
        assertThat(read.processors(42)).containsExactly(0, 1, 4);
        assertThat(read.busyMillis(List.of(1)))
                .as("not idle, waiting for disks, stolen or in interrupts")
                .isEqualTo(5450);
        assertThat(read.busyMillis(List.of(0, 1))).isEqualTo(12_150);
    }

    /** Interrupts count as busy time only if the kernel charges them to the interrupted process. */
    @Test
    void interruptsCountAsTheKernelCountsThem(@TempDir Path folder) throws IOException {
        Path proc = proc(folder);
        Path none = folder.resolve("none");
        Path apart = Files.writeString(folder.resolve("apart"), "CONFIG_IRQ_TIME_ACCOUNTING=y\n");
        Path charged = folder.resolve("charged.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(charged))) {
            out.write("CONFIG_HZ=250\n# CONFIG_IRQ_TIME_ACCOUNTING is not set\n".getBytes());
        }
        List<Integer> one = List.of(1);
        assertThat(new LinuxKernel(proc, List.of(none), TEN_SECONDS).busyMillis(one))
                .isEqualTo(5450);
        assertThat(new LinuxKernel(proc, List.of(none, apart), TEN_SECONDS).busyMillis(one))
                .isEqualTo(5450);
        assertThat(new LinuxKernel(proc, List.of(none, charged), TEN_SECONDS).busyMillis(one))
                .isEqualTo(5550);
    }
}
