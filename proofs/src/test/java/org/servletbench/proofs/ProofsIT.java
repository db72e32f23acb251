package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.RunFolder;

/**
 * Experiments whose answer is known beforehand, one per test. {@code mvn -Pproofs verify} runs all, {@code
 * -Dit.test=ProofsIT#blind} runs one; {@link Sizes} defines their sizes. Experiments tagged {@code ci} do not depend on
 * time or noise, so that every {@code mvn verify} runs them.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProofsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private static Path folder;
    private static CampaignLock lock;
    private static Sizes sizes;
    private static ProofLab lab;
    private static Experiments experiments;

    /** Resumes an existing folder: complete campaigns are only analysed again. */
    @BeforeAll
    static void open() throws IOException {
        sizes = Sizes.of(System.getProperties());
        String given = System.getProperty("proofs.folder", "");
        folder = given.isEmpty()
                ? ROOT.resolve("proofs/target/proofs").resolve(RunFolder.name("proof"))
                : ROOT.resolve(given);
        Files.createDirectories(folder);
        lock = CampaignLock.take(folder);
        say("folder: " + folder + " (to go on after an interruption: -Dproofs.folder=" + folder + ")");
        Preparation preparation =
                new Preparation(ROOT, () -> System.getProperty("proofs.version"), ProofsIT::commit, ProofsIT::say);
        lab = new ProofLab(preparation, folder);
        experiments = new Experiments(lab);
    }

    @AfterAll
    static void close() {
        if (lock != null) {
            lock.close();
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static String commit() {
        return ManagedProcess.output("git", "-C", ROOT.toString(), "rev-parse", "HEAD")
                .map(String::strip)
                .orElse("");
    }

    private static void prove(String name, Supplier<List<Finding>> experiment) throws IOException {
        List<Finding> found = experiment.get();
        found.forEach(finding -> say(finding.line()));
        List<Finding> all = new ProofFolder(folder).keep(name, found);
        say(Finding.tally(all));
        assertThat(found).isNotEmpty().allSatisfy(finding -> assertThat(finding.outcome())
                .as(finding.line())
                .isNotEqualTo(Finding.Outcome.FAILED));
    }

    @Test
    @Order(1)
    @Tag("ci")
    void sabotage() throws IOException {
        prove("sabotage", experiments::sabotage);
    }

    @Test
    @Order(2)
    void bottleneck() throws IOException {
        prove("bottleneck", experiments::bottleneck);
    }

    @Test
    @Order(3)
    void errors() throws IOException {
        prove("errors", experiments::errors);
    }

    @Test
    @Order(4)
    void delay() throws IOException {
        prove("delay", experiments::delay);
    }

    @Test
    @Order(5)
    void stall() throws IOException {
        prove("stall", new StallExperiment(lab)::run);
    }

    @Test
    @Order(6)
    void timeSlices() throws IOException {
        prove(SlicesExperiment.NAME, new SlicesExperiment(lab)::run);
    }

    @Test
    @Order(7)
    void nullExperiment() throws IOException {
        prove(NullExperiment.NAME, () -> new NullExperiment(lab, sizes.chunk()).run(sizes.arms(), sizes.ofNull()));
    }

    /** Uses the data of {@link #nullExperiment}. */
    @Test
    @Order(8)
    void spike() throws IOException {
        prove(NullExperiment.SPIKE, new NullExperiment(lab, sizes.chunk())::spike);
    }

    @Test
    @Order(9)
    void blind() throws IOException {
        prove(BlindTally.NAME, () -> new BlindExperiment(lab, sizes.ofBlind()).run(sizes.blindCampaigns()));
    }

    @Test
    @Order(10)
    void warmth() throws IOException {
        prove(WarmthTally.NAME, () -> new WarmthExperiment(lab, sizes.ofWarmth()).run());
    }

    @Test
    @Order(10)
    void warmPairs() throws IOException {
        prove(WarmPairsExperiment.NAME, () -> new WarmPairsExperiment(lab, sizes.ofWarmth()).run());
    }

    @Test
    @Order(11)
    void controls() throws IOException {
        prove(ControlsExperiment.NAME, () -> new ControlsExperiment(lab)
                .run(sizes.controlsCampaigns(), sizes.ofControls()));
    }

    @Test
    @Order(12)
    void reasons() throws IOException {
        prove(ReasonsExperiment.NAME, () -> new ReasonsExperiment(lab).run(sizes.ofReasons()));
    }

    @Test
    @Order(13)
    void gates() throws IOException {
        prove(GatesExperiment.NAME, () -> new GatesExperiment(lab).run(sizes.ofGates()));
    }

    @Test
    @Order(13)
    void layers() throws IOException {
        prove(LayersExperiment.NAME, () -> new LayersExperiment(lab).run(sizes.ofGates()));
    }

    @Test
    @Order(14)
    void faults() throws IOException {
        long seed = Long.getLong("tests.seed", System.nanoTime());
        say("faults: repeat its random choices with -Dtests.seed=" + seed);
        prove("faults", () -> new Faults(lab, seed).run(sizes.kills()));
    }
}
