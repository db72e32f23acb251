package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.CollapsedStacks;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.UsageException;

class CpuProfileTest {

    private static final MeasuredLoad HELLO = new MeasuredLoad("hello", 100, 0, "gatling");
    private static final String REQUEST =
            "start_thread;java/lang/Thread.run;org/apache/tomcat/util/net/NioEndpoint.doRun;";

    @TempDir
    private Path folder;

    /** Reads a profile that covers all CPU time. */
    private CpuProfile read(Layers layers, String... lines) throws IOException {
        long samples = Stream.of(lines)
                .mapToLong(line -> Long.parseLong("0" + line.replaceAll(".*\\D", "")))
                .sum();
        return read(10 * samples, layers, lines);
    }

    private CpuProfile read(long cpuMillis, Layers layers, String... lines) throws IOException {
        return CpuProfile.read(
                Files.writeString(folder.resolve("stacks"), String.join("\n", lines) + "\n"),
                HELLO,
                layers,
                cpuMillis,
                10);
    }

    private Layers shipped() {
        return Layers.read(Path.of("..", "profiles"));
    }

    @Test
    void theFrameNearestToTheLeafThatHasALineDecides() throws IOException {
        CpuProfile profile = read(
                shipped().withOwn("shop.web"),
                REQUEST + "shop/web/Cart.total;java/util/HashMap.get 30",
                REQUEST + "shop/web/Cart.total;com/fasterxml/jackson/core/Writer.write 10",
                REQUEST + "sun/nio/ch/SocketDispatcher.write0;__write 20",
                "start_thread;CompileBroker::compiler_thread_loop;C2Compiler::compile_method;malloc 15",
                REQUEST + "java/util/concurrent/locks/LockSupport.park;Unsafe_Park;__futex_wait 20",
                "start_thread;something 5");
        assertThat(profile.samples()).isEqualTo(100);
        assertThat(profile.layers())
                .containsEntry(Layers.OWN, 0.3)
                .containsEntry("JSON", 0.1)
                .containsEntry("network read and write", 0.2)
                .containsEntry("JIT compiler", 0.15)
                .containsEntry("thread hand-off", 0.2)
                .containsEntry(Layers.OTHER, 0.05);
        assertThat(profile.layers().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isCloseTo(1, within(1e-9));
        assertThat(profile.frames().keySet()).startsWith("java/util/HashMap.get");
        assertThat(profile.frames()).containsEntry("__futex_wait", 0.2);
    }

    /** A lock that does not wait belongs to its caller, and so does a write to a file that is not a socket. */
    @Test
    void callersSayWhatALockAndAWriteAreFor() throws IOException {
        assertThat(read(
                                shipped(),
                                REQUEST
                                        + "org/eclipse/jetty/AutoLock.lock;java/util/concurrent/locks/ReentrantLock.lock 40",
                                REQUEST + "java/io/FileOutputStream.writeBytes;__GI_write 30",
                                REQUEST + "sun/nio/ch/EventFD.set;sun/nio/ch/EventFD.set0;__GI_write 20",
                                REQUEST
                                        + "sun/nio/ch/SocketDispatcher.writev;sun/nio/ch/FileDispatcherImpl.writev0;writev 10")
                        .layers())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("container", 0.4, "files", 0.3, "thread hand-off", 0.2, "network read and write", 0.1));
    }

    @Test
    void aProfileThatMissesWorkIsNone() throws IOException {
        assertThat(read(95_000, shipped(), REQUEST + "x 9000").seen()).isCloseTo(0.947, within(0.001));
        assertThatThrownBy(() -> read(130_000, shipped(), REQUEST + "x 9000"))
                .isInstanceOf(IOException.class)
                .hasMessage("the profiler saw 69 % of the server's CPU time (at least 72 and at most 128 % are needed"
                        + " of 13000 samples)");
        assertThatThrownBy(() -> read(0, shipped(), REQUEST + "x 9000")).isInstanceOf(IOException.class);
    }

    /** A server that sleeps most of the time has few samples, so that chance explains a larger deviation. */
    @Test
    void ofFewSamplesMoreIsChance() throws IOException {
        assertThat(read(2_800, shipped(), REQUEST + "x 193").seen()).isCloseTo(0.689, within(0.001));
        assertThatThrownBy(() -> read(4_000, shipped(), REQUEST + "x 193")).isInstanceOf(IOException.class);
    }

    /** A new layer takes one line of data. */
    @Test
    void aNewLayerIsOneLine() throws IOException {
        Path profiles = Files.createDirectories(folder.resolve("profiles"));
        Files.writeString(profiles.resolve("layers.txt"), "# mine\norg/thymeleaf/ templates of pages\n");
        assertThat(read(Layers.read(profiles), REQUEST + "org/thymeleaf/Engine.process;java/lang/String.concat 4")
                        .layers())
                .containsExactly(org.assertj.core.api.Assertions.entry("templates of pages", 1.0));
        Files.writeString(profiles.resolve("layers.txt"), "org/thymeleaf/\n");
        assertThatThrownBy(() -> Layers.read(profiles))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'org/thymeleaf/'");
    }

    @Test
    void codeInSeveralClaimedPackagesBelongsToTheLongest() throws IOException {
        String stacks = "com/acme/orders/Order.total 3\ncom/acme/Shop.main 1\ncom/acme/web/Page.show 2";
        assertThat(read(
                                shipped()
                                        .withOwn("com.acme.web")
                                        .withPackages(List.of("com.acme", "com.acme.orders", "JSON")),
                                stacks)
                        .layers())
                .containsOnlyKeys("com.acme", "com.acme.orders", "your code")
                .containsEntry("com.acme.orders", 0.5);
    }

    /** The file may be third-party. */
    @Test
    void whatIsNoFileOfStacksIsRejected() throws IOException {
        assertThatThrownBy(() -> read(shipped(), "password secret"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a file of stacks")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> read(shipped(), "a;".repeat(5000) + "b 1"))
                .hasMessageContaining("is not a file of stacks");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.writeString(folder.resolve("x"), "a 1\n"));
        assertThatThrownBy(() -> CollapsedStacks.read(link))
                .hasMessageContaining("is a link or a device, not a file of this folder");
    }

    @Test
    void anEmptyProfileIsNone() {
        assertThatThrownBy(() -> read(shipped(), "")).hasMessageContaining("no stack");
    }
}
