package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.server.TargetException;

/** A campaign that is gone on with: its own options, its own jars, and as many blocks as were planned. */
class PreparationTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    @TempDir
    private Path folder;

    private Path jar;
    private final ArmBuilds builds = new ArmBuilds(ROOT, line -> {});

    @BeforeEach
    void build() throws IOException {
        jar = folder.resolve("app.jar");
        jar("org.example.First");
    }

    private void jar(String mainClass) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    /** Nothing of it is measured yet. */
    private CampaignFolder interrupted() {
        List<Arm> arms = builds.complete(List.of(new Arm(
                "app",
                "App",
                "own",
                Arm.Role.BASELINE,
                "app",
                "",
                "",
                "",
                "",
                "",
                jar.toString(),
                "",
                Threads.PLATFORM,
                0)));
        Plan plan = new Plan(
                "full",
                7,
                2,
                true,
                1,
                5,
                1,
                30,
                List.of(new Cell("payload", 100, 0, "wrk")),
                List.of("throughput"),
                0.03,
                0.05,
                0,
                "equalised",
                true,
                1080,
                0.1,
                1,
                0);
        Campaign campaign = new Campaign(
                Campaign.FORMAT,
                "c",
                "2026-11-21T09:00:00Z",
                "",
                plan,
                arms,
                List.of(List.of("app"), List.of("app")),
                Map.of(),
                Map.of(),
                Map.of("option settle", "7s", "option seed", "3", "setting server.port", "1"),
                "",
                List.of());
        return new CampaignFolder(campaign, List.of(), Map.of(), List.of(), Optional.empty());
    }

    private Prepared goOn(CampaignFolder before, Optional<Integer> blocks, Optional<Double> limit) {
        return new Preparation(ROOT, () -> "1", () -> "", line -> {}).goOn(before, folder, blocks, limit);
    }

    @Test
    void itHasTheOptionsThatItBeganWith() {
        Prepared ready = goOn(interrupted(), Optional.empty(), Optional.empty());

        assertThat(ready.options().required("settle")).isEqualTo("7s");
        assertThat(ready.options().isGiven("seed")).isTrue();
        assertThat(ready.options().isGiven("rounds")).isFalse();
        assertThat(ready.options().text("server.port")).isEmpty();
        assertThat(ready.options().required("disturbed.percent"))
                .as("an option that did not exist when it began")
                .isEqualTo(PROFILES.campaignDefaults().get("disturbed.percent"));
        assertThat(ready.workloads()).extracting(Workload::name).containsExactly("payload");
        assertThat(ready.campaign().plan().limitSeconds()).isEqualTo(1080);
        assertThat(ready.campaign().history()).singleElement().satisfies(event -> assertThat(event.what())
                .isEqualTo(What.RESUMED));
    }

    @Test
    void anotherLimitIsTheNewOne() {
        assertThat(goOn(interrupted(), Optional.empty(), Optional.of(0.0))
                        .campaign()
                        .plan()
                        .limitSeconds())
                .isZero();
    }

    @Test
    void blocksAreOnlyAdded() {
        assertThat(goOn(interrupted(), Optional.of(5), Optional.empty())
                        .campaign()
                        .order())
                .hasSize(5);
        assertThatThrownBy(() -> goOn(interrupted(), Optional.of(1), Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--blocks 1");
    }

    @Test
    void anotherApplicationIsAnotherCampaign() throws IOException {
        CampaignFolder before = interrupted();
        jar("org.example.Second");

        assertThatThrownBy(() -> goOn(before, Optional.empty(), Optional.empty()))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("the application of app is not the one that was measured before");
    }
}
