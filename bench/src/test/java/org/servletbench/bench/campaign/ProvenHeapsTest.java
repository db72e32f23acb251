package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;

/** Tests heap sizes as running JVMs report them. */
class ProvenHeapsTest {

    private static final JvmOptions NONE = new JvmOptions(List.of(), Path.of("none"));

    @TempDir
    private Path folder;

    private List<Arm> arms(String other) throws IOException {
        Path file = Files.writeString(folder.resolve("heaps.yaml"), """
                server: {memory: 2g}
                arms:
                  quarter: {container: tomcat-nio, jvm: [-XX:MaxRAMPercentage=25.01]}
                  other: {%s}
                load: [{users: 10}]
                """.formatted(other));
        return PlannerTest.draft(file.toString(), Map.of()).arms();
    }

    private static Map<String, String> heap(long mib) {
        return Map.of(
                Proven.HEAP + "MaxHeapSize",
                Long.toString(mib << 20),
                Proven.HEAP + "InitialHeapSize",
                Long.toString(32L << 20),
                "container",
                "tomcat");
    }

    /** HotSpot rounds a heap to whole regions, which may make different settings equal. */
    @Test
    void armsWhoseHeapsDoNotDifferAreRefused() throws IOException {
        List<Arm> arms = arms("container: tomcat-nio, jvm: [-XX:MaxRAMPercentage=25]");
        ProvenHeaps heaps = new ProvenHeaps(NONE);
        heaps.add(arms.get(0), heap(512));
        heaps.add(arms.get(0), heap(512));
        assertThatThrownBy(() -> heaps.add(arms.get(1), heap(512)))
                .isInstanceOf(TargetException.class)
                .hasMessage("arms.other and arms.quarter ask for different heaps (MaxRAMPercentage=25;"
                        + " MaxRAMPercentage=25.01), and both JVMs have one of 512 MiB, 32 MiB at the start: give sizes"
                        + " that have an effect here, or leave one of the arms out")
                .satisfies(e -> assertThat(((TargetException) e).refusal()).contains(TargetException.Refusal.SERVER));
    }

    @Test
    void armsWhoseHeapsDifferAreAccepted() throws IOException {
        ProvenHeaps heaps = new ProvenHeaps(NONE);
        List<Arm> arms = arms("container: tomcat-nio, jvm: [-XX:MaxRAMPercentage=75]");
        heaps.add(arms.get(0), heap(512));
        heaps.add(arms.get(1), heap(1536));
    }

    /** Arms that differ in something else may have equal heaps. If a JVM reports no heap, nothing is known. */
    @Test
    void armsThatDifferOtherwiseMayHaveOneHeap() throws IOException {
        ProvenHeaps heaps = new ProvenHeaps(NONE);
        List<Arm> arms = arms("container: jetty, jvm: [-XX:MaxRAMPercentage=25]");
        heaps.add(arms.get(0), heap(512));
        heaps.add(arms.get(1), heap(512));
        ProvenHeaps unknown = new ProvenHeaps(NONE);
        arms("container: tomcat-nio, jvm: [-XX:MaxRAMPercentage=25]").forEach(arm -> unknown.add(arm, Map.of()));
    }

    @Test
    void aHeapIsDescribed() {
        assertThat(new Proven(heap(512)).heap()).isEqualTo("512 MiB, 32 MiB at the start");
        assertThat(new Proven(Map.of(
                                "jvm.heap.MaxHeapSize", "1073741824",
                                "jvm.heap.InitialHeapSize", "1073741824",
                                "jvm.heap.SoftMaxHeapSize", "536870912",
                                "jvm.heap.MaxNewSize", "18446744073709551615"))
                        .heap())
                .isEqualTo("1024 MiB, 512 MiB as a soft limit");
        assertThat(Proven.NOTHING.heap()).isEmpty();
    }
}
