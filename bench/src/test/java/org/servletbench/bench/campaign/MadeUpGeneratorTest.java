package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.cli.Main;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.Registration;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.server.process.Jdk;

/**
 * A generator consists of its facts, one class and one registration. The test adds a made-up one, which must appear in
 * every place that lists generators.
 */
class MadeUpGeneratorTest {

    private static final GeneratorFacts FACTS = new GeneratorFacts(
            "madeup", "Made Up", new MeasurementQuality(10, true), Set.of(Capability.FIXED_RATES, Capability.WARMS_UP));

    /** Generator whose servers answer 100 requests/s; one, named slow, half of that. */
    private static final class MadeUp implements Generator {

        @Override
        public GeneratorFacts facts() {
            return FACTS;
        }

        @Override
        public Optional<String> missing(Path root) {
            return Optional.empty();
        }

        @Override
        public Optional<String> version(Path root) {
            return Optional.of("7.1");
        }

        @Override
        public Results run(Batch batch, Path folder, Watch watch) {
            List<LoadResult> results = new ArrayList<>();
            for (Batch.TaskWindow window : batch.windows(batch.loads(), batch.rounds(), new Random(batch.seed()))) {
                String server = window.endpoint().name();
                watch.begins(server);
                watch.phase(server, "measure");
                long requests = server.equals("slow") ? 150 : 300;
                ToolFigures figures = new ToolFigures(requests, 0, 0, Map.of(), 3, ToolLatency.UNKNOWN, List.of());
                results.add(new ToolResult(1000, 4000, figures, 0.5, folder, List.of("out.txt"))
                        .of(window.task(), server, 1000, 4000));
            }
            return new Results(results, 2, 12, Optional.empty());
        }
    }

    private static final Path ROOT = Path.of("..");
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    @TempDir
    private Path work;

    private Registration registration;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void register() {
        registration = new Registration(new MadeUp());
    }

    @AfterEach
    void unregister() {
        registration.close();
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), args);
    }

    private static Planner.Draft draft(Map<String, String> given) {
        return PlannerTest.draft("quick", given);
    }

    private static double forecastSeconds(String generatorWarmUp) {
        Map<String, String> given =
                Map.of("generators", "madeup", "blocks", "2", "limit", "0s", "generator.warmup", generatorWarmUp);
        Planner.Draft draft = draft(given);
        return Forecast.of(draft.plan(), draft.arms(), draft.procedure()).seconds();
    }

    @Test
    void compareTakesIt() {
        assertThat(run("compare", "--root", ROOT.toString(), "--dry-run", "--generators", "madeup", "--rates", "500"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("madeup");
        assertThat(run("compare", "--root", ROOT.toString(), "--dry-run", "--generators", "none"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("choose from gatling, jmeter, wrk, ab, siege, madeup");
    }

    /** The forecast includes the generator's own warm-up, and the plan its open model. */
    @Test
    void aPlanAsksItWhatItCan() {
        Planner.Draft plan = draft(Map.of("generators", "madeup", "users", "20", "rates", "50", "workloads", "hello"));
        assertThat(plan.plan().loads())
                .containsExactly(
                        new MeasuredLoad("hello", 20, 0, "madeup"), new MeasuredLoad("hello", 0, 50, "madeup"));
        assertThat(new Preparation(ROOT, () -> "1", () -> "", line -> {}).versions(plan.plan(), List.of(Jdk.own())))
                .containsEntry("madeup", "7.1");
        assertThat(forecastSeconds("100s")).isGreaterThan(forecastSeconds("20s"));
        assertThat(run("compare", "--root", ROOT.toString(), "--dry-run", "--generators", "jmeter", "--rates", "50"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("the open model is Gatling and Made Up's: add gatling, madeup");
    }

    /** A load with settings of an article has its own name on pages, but runs with the same generator. */
    @Test
    void settingsOfAnArticleDoNotMakeAnotherGenerator() {
        MeasuredLoad paused = new MeasuredLoad(
                "hello", 20, 0, "madeup", new ToolSettings(Pause.parse("up to 1s"), 0, 0, true, List.of()));
        Plan plan = GroupLoadTest.plan(0.1, new MeasuredLoad("hello", 20, 0, "madeup"), paused);
        assertThat(plan.generators()).containsExactly("madeup");
        assertThat(plan.tools()).containsExactly("madeup");
        assertThat(new Preparation(ROOT, () -> "1", () -> "", line -> {}).versions(plan, List.of(Jdk.own())))
                .containsEntry("madeup", "7.1")
                .doesNotContainKey("madeup-d1");
    }

    @Test
    void aSessionRunsItAndItsWindowsComeOut() throws IOException {
        MeasuredLoad closed = new MeasuredLoad("hello", 20, 0, "madeup");
        MeasuredLoad open = new MeasuredLoad("hello", 0, 50, "madeup");
        GroupLoad load = new GroupLoad(
                GroupLoadTest.plan(0.1, closed, open),
                PlannerTest.procedure(Map.of()),
                Machines.NONE,
                ROOT,
                "test",
                List.of(server("fast"), server("slow")),
                Optional.empty(),
                new Random(3),
                1,
                line -> {},
                0);
        load.run(Generators::named, name -> GroupLoad.folder(work, work.resolve("load/" + name)));

        assertThat(load.warmUpSeconds()).isEqualTo(2);
        for (MeasuredLoad measuredLoad : List.of(closed, open)) {
            assertThat(load.measured("fast").get(measuredLoad)).hasSize(2).allSatisfy(result -> {
                assertThat(result.window().requests()).isEqualTo(300);
                assertThat(result.window().links()).containsExactly("../load/madeup/out.txt");
            });
            assertThat(load.measured("slow").get(measuredLoad))
                    .extracting(result -> result.window().requests())
                    .containsExactly(150L, 150L);
        }
    }

    private RunningServer server(String arm) throws IOException {
        return GroupLoadTest.server(work, arm, Optional.empty(), new Workload("hello", "/hello", 5, 5));
    }
}
