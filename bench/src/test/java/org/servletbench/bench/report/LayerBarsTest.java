package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Golden;
import org.servletbench.bench.measure.CollapsedStacks;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CpuProfile;
import org.servletbench.bench.record.Layers;
import org.servletbench.bench.record.ServerRun;

/** Tests a recorded campaign to whose servers profiles are added. */
class LayerBarsTest {

    private static final String ROOT = "start_thread;java/lang/Thread.run;";

    @TempDir
    private Path folder;

    private Map<String, String> page(Map<String, String> byArm) throws IOException {
        return profiled(folder, byArm).files();
    }

    /** Returns the page of a recorded campaign whose servers have these stacks. */
    static ReportPage profiled(Path folder, Map<String, String> byArm) throws IOException {
        CampaignFolder read = CampaignFolder.read(Golden.FOLDER.resolve("closed/campaign"));
        MeasuredLoad load = read.campaign().plan().loads().get(0);
        Layers layers =
                Layers.read(Golden.FOLDER.resolve("../../../../../profiles").normalize());
        List<ServerRun> profiled = new ArrayList<>();
        Map<ServerRun, String> folders = new IdentityHashMap<>();
        for (ServerRun one : read.serverRuns()) {
            String arm = one.arm().replace("-control", "");
            Path place = Files.createDirectories(folder.resolve(read.folder(one)));
            Path stacks = Files.writeString(place.resolve(CpuProfile.FILE), byArm.getOrDefault(arm, ROOT + "x 1\n"));
            long samples = CollapsedStacks.read(stacks).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            ServerRun with = one.with(CpuProfile.read(stacks, load, layers, 10 * samples, 10));
            profiled.add(with);
            folders.put(with, read.folder(one));
        }
        return ReportPage.of(
                new CampaignFolder(read.campaign(), profiled, folders, List.of(), read.times(), Optional.of(folder)));
    }

    static String stacks(int handOver) {
        return ROOT + "io/undertow/server/Connectors.run;java/util/concurrent/locks/LockSupport.park;__futex_wait "
                + handOver + "\n" + ROOT + "org/springframework/web/Dispatcher.doService " + (100 - handOver) + "\n";
    }

    @Test
    void layersAndFramesOfEachArmStandAgainstTheBaseline() throws IOException {
        Map<String, String> files = page(Map.of("tomcat-nio", stacks(10), "undertow", stacks(40), "jetty", stacks(12)));
        String page = files.get(ReportPage.INDEX);
        assertThat(page)
                .contains("Where the CPU time goes", "thread hand-off", "servlet API and Spring", "__futex_wait")
                .contains("href='flame/undertow-against-tomcat-nio.html'")
                .contains("href='flame/tomcat-nio-against-undertow.html'")
                .doesNotContain("src='http");
        // Frames of the arm and the baseline can be opened from either side.
        assertThat(files.keySet().stream().filter(name -> name.startsWith("flame/")))
                .containsExactlyInAnyOrder(
                        "flame/jetty-against-tomcat-nio.html",
                        "flame/tomcat-nio-against-jetty.html",
                        "flame/tomcat-nio-against-undertow.html",
                        "flame/undertow-against-tomcat-nio.html");
        assertThat(files.get("flame/undertow-against-tomcat-nio.html")).contains("futex_wait", "ns per request");
    }

    /** Nothing refers to the section if a campaign has no profiles. */
    @Test
    void withoutProfilesThereIsNoSection() throws IOException {
        assertThat(ReportPage.of(CampaignFolder.read(Golden.FOLDER.resolve("closed/campaign")))
                        .files()
                        .get(ReportPage.INDEX))
                .doesNotContain("Where the CPU time goes");
    }

    /** Untrusted stacks may contain any text, and the library does not escape names. */
    @Test
    void framesAreTextAndNoMarkup() throws IOException {
        String hostile = ROOT + "a;b</script><img src=x onerror=alert(1)>;c'\\\\\"`;D.<init> 500\n";
        String graph =
                page(Map.of("tomcat-nio", hostile, "undertow", hostile)).get("flame/undertow-against-tomcat-nio.html");
        assertThat(graph).doesNotContain("b</script>", "<img").contains("‹init›", "Content-Security-Policy");
    }

    @Test
    @Tag("full")
    void flameGraphsAreSmall() throws IOException {
        Random random = new Random(1);
        Map<String, Integer> many = new TreeMap<>();
        for (int i = 0; i < 60_000; i++) {
            many.put(ROOT + "a/B.m" + random.nextInt(300) + ";c/D.n" + random.nextInt(3000) + ";e/F.o" + i, 1 + i % 3);
        }
        StringBuilder text = new StringBuilder();
        many.forEach(
                (stack, seen) -> text.append(stack).append(' ').append(seen).append('\n'));
        Map<String, String> files = page(Map.of("tomcat-nio", text.toString(), "undertow", text.toString()));
        assertThat(files.get("flame/undertow-against-tomcat-nio.html").length())
                .isBetween(10_000, LayerBars.MOST_BYTES);
    }
}
