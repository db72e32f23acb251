package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.report.Campaigns;

/** The action's steps with the variables that GitHub sets, and the structure of what GitHub and Kubernetes read. */
class ActionTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String PINNED = "[\\w.-]+/[\\w.-]+@[0-9a-f]{40}";

    @TempDir
    Path folder;

    private Path outputs;
    private Path stepSummary;

    private record Ended(int code, String said) {}

    /** The command, as {@code bin/servlet-bench} starts it, without a packed jar. */
    @BeforeEach
    void unzipped() throws IOException {
        outputs = Files.createFile(folder.resolve("outputs"));
        stepSummary = Files.createFile(folder.resolve("step-summary.md"));
        Path command = folder.resolve("home/bin/servlet-bench");
        Files.createDirectories(command.getParent());
        Files.writeString(
                command,
                "exec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + "' " + Main.class.getName() + " \"$@\"\n");
    }

    private Ended step(String script, Map<String, String> more) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", ROOT.resolve(".github/action").resolve(script).toString())
                .directory(folder.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = new HashMap<>(Map.of(
                "GITHUB_ACTIONS", "true",
                "GITHUB_OUTPUT", outputs.toString(),
                "GITHUB_STEP_SUMMARY", stepSummary.toString(),
                "GITHUB_ACTION_PATH", ROOT.toString(),
                "GITHUB_RUN_ID", "9876543210123",
                "RUNNER_TEMP", folder.toString(),
                "SERVLET_BENCH_HOME", folder.resolve("home").toString(),
                "JAVA_HOME", System.getProperty("java.home")));
        environment.putAll(more);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    private Map<String, String> outputs() throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        Files.readAllLines(outputs).forEach(line -> all.put(line.split("=", 2)[0], line.split("=", 2)[1]));
        return all;
    }

    @Test
    void theZipIsUnpackedByTheJdkAlone() throws Exception {
        Path zip = folder.resolve("some.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("servlet-bench-1.2.3/bin/servlet-bench"));
            out.write("#!/bin/sh\n".getBytes(StandardCharsets.UTF_8));
        }
        Ended ended = step("install.sh", Map.of("SERVLET_BENCH_ZIP", zip.toString()));

        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(Path.of(outputs().get("home")))
                .isEqualTo(folder.resolve("servlet-bench/servlet-bench-1.2.3"))
                .satisfies(home -> assertThat(home.resolve("bin/servlet-bench")).exists());
    }

    @Test
    void shardsArePooledAndTheOneWhoseControlIsBrokenIsLeftOut() throws Exception {
        for (int i = 1; i <= 4; i++) {
            // As download-artifact lays them out.
            Campaigns.write(
                    folder.resolve("shards/shard-" + i + "/campaign"), i, i == 2 ? "tomcat-nio-control" : "jetty", 1.5);
        }
        Ended ended = step("compare.sh", Map.of("INPUT_POOL", "shards", "INPUT_SHARDS", "5"));

        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said())
                .contains(
                        "4 of 5 shards have a campaign", "campaign campaign-2 is left out: two copies of the same arm");
        assertThat(outputs()).containsEntry("verdict", "pooled").containsOnlyKeys("verdict", "summary");
        assertThat(Files.readString(Path.of(outputs().get("summary")))).isEqualTo(Files.readString(stepSummary));
    }

    @Test
    void fewerThanThreeShardsAreNoPool() throws Exception {
        Campaigns.write(folder.resolve("shards/one"), 1, "jetty", 1);
        Ended ended = step("compare.sh", Map.of("INPUT_POOL", "shards"));

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said()).startsWith("::error title=servlet-bench::three campaigns or more can be pooled");
        assertThat(outputs()).containsEntry("verdict", "failed");
    }

    /** Of what a workflow passes on from a pull request nothing is run. */
    @Test
    void inputsAreDataAndWhatIsWrongFailsTheStep() throws Exception {
        Ended ended = step(
                "compare.sh",
                Map.of(
                        "INPUT_BEFORE", "$(touch pwned).jar; touch pwned",
                        "INPUT_AFTER", "`touch pwned` --help",
                        "INPUT_URL", "/a'b\"; touch pwned #",
                        "INPUT_LIMIT", "10m",
                        "INPUT_FAIL_ON", "undecided",
                        "INPUT_COMPARISON", "pull-request"));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.said()).contains("compare: --app: there is no file $(touch pwned).jar; touch pwned");
        assertThat(folder.resolve("pwned")).doesNotExist();
        assertThat(outputs()).containsEntry("verdict", "failed");
    }

    @Test
    void oneJarAloneIsBadUsage() throws Exception {
        Ended ended = step("compare.sh", Map.of("INPUT_BEFORE", "a.jar", "INPUT_URL", "/", "INPUT_SHARD", "2"));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.said()).contains("--app has an empty value");
    }

    // ---- structure ----

    private static List<String> uses(JsonNode node) {
        List<String> all = new ArrayList<>();
        node.findValues("uses").forEach(one -> all.add(one.asText()));
        return all;
    }

    @Test
    void theActionIsCompositeItsStepsAreScriptsAndOtherActionsArePinned() throws IOException {
        JsonNode action = YAML.readTree(ROOT.resolve("action.yml").toFile());

        assertThat(action.at("/runs/using").asText()).isEqualTo("composite");
        assertThat(uses(action)).isNotEmpty().allMatch(one -> one.matches(PINNED));
        String passed = action.toString();
        action.get("inputs").properties().forEach(input -> {
            assertThat(input.getValue().get("description").asText()).isNotEmpty();
            assertThat(input.getValue().has("default")).as(input.getKey()).isTrue();
            assertThat(passed).contains("inputs." + input.getKey());
        });
        for (JsonNode step : action.at("/runs/steps")) {
            if (step.has("run")) {
                assertThat(step.get("shell").asText()).isEqualTo("sh");
                // No value of an input becomes part of a command.
                assertThat(step.get("run").asText())
                        .doesNotContain("${{")
                        .contains("$GITHUB_ACTION_PATH/.github/action/");
                String script = step.get("run").asText().replaceAll(".*/([\\w-]+[.]sh)\"", "$1");
                assertThat(ROOT.resolve(".github/action").resolve(script)).isExecutable();
            }
        }
        String compare = Files.readString(ROOT.resolve(".github/action/compare.sh"));
        action.get("outputs").properties().forEach(output -> {
            assertThat(output.getValue().get("value").asText())
                    .isEqualTo("${{ steps.compare.outputs." + output.getKey() + " }}");
            assertThat(compare).contains("output " + output.getKey() + " ");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "examples/pull-request.yml",
                "examples/pull-request-comment.yml",
                "examples/shards.yml",
                ".github/workflows/release.yml",
                ".github/workflows/ci.yml"
            })
    void workflowsHaveWhatTheirSchemaAsksForAndTheLeastPermissions(String file) throws IOException {
        JsonNode workflow = YAML.readTree(ROOT.resolve(file).toFile());

        assertThat(workflow.has("on")).isTrue();
        assertThat(workflow.get("name").isTextual()).isTrue();
        assertThat(workflow.get("permissions").isObject()).isTrue();
        assertThat(workflow.get("jobs")).isNotEmpty();
        boolean foreign = workflow.get("on").toString().contains("pull_request");
        for (JsonNode job : workflow.get("jobs")) {
            assertThat(job.get("runs-on").asText()).startsWith("ubuntu-");
            assertThat(job.get("timeout-minutes").isInt()).isTrue();
            for (JsonNode step : job.get("steps")) {
                assertThat(step.has("run") ^ step.has("uses")).isTrue();
                assertThat(step.path("run").asText())
                        .as("no value of an event in a command")
                        .doesNotContain("${{");
            }
        }
        assertThat(uses(workflow)).isNotEmpty().allMatch(one -> one.matches(PINNED + "|OWNER/servlet-bench@v[\\d.]+"));
        if (foreign && !file.contains("comment")) {
            assertThat(workflow.toString()).doesNotContain("write", "secrets.");
        }
        List<String> inputs = new ArrayList<>();
        YAML.readTree(ROOT.resolve("action.yml").toFile())
                .get("inputs")
                .fieldNames()
                .forEachRemaining(inputs::add);
        for (JsonNode job : workflow.get("jobs")) {
            for (JsonNode step : job.get("steps")) {
                if (step.path("uses").asText().startsWith("OWNER/")) {
                    step.get("with").fieldNames().forEachRemaining(name -> assertThat(inputs)
                            .contains(name));
                }
            }
        }
    }

    /** Of batch/v1, core/v1: what an indexed Job must have, and names as Kubernetes takes them. */
    @Test
    void theJobIsIndexedAndEachPodHasANodeOfItsOwn() throws IOException {
        JsonNode job =
                YAML.readTree(ROOT.resolve("examples/kubernetes-job.yaml").toFile());

        assertThat(job.get("apiVersion").asText()).isEqualTo("batch/v1");
        assertThat(job.get("kind").asText()).isEqualTo("Job");
        assertThat(job.at("/metadata/name").asText()).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
        assertThat(job.at("/spec/completionMode").asText()).isEqualTo("Indexed");
        assertThat(job.at("/spec/completions").asInt())
                .isEqualTo(job.at("/spec/parallelism").asInt())
                .isGreaterThanOrEqualTo(3);
        JsonNode pod = job.at("/spec/template/spec");
        assertThat(pod.get("restartPolicy").asText()).isEqualTo("Never");
        JsonNode apart = pod.at("/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/0");
        assertThat(apart.get("topologyKey").asText()).isEqualTo("kubernetes.io/hostname");
        assertThat(apart.at("/labelSelector/matchLabels")).isEqualTo(job.at("/spec/template/metadata/labels"));
        JsonNode container = pod.at("/containers/0");
        assertThat(container.at("/resources/requests")).isEqualTo(container.at("/resources/limits"));
        assertThat(container.at("/volumeMounts/0/name")).isEqualTo(pod.at("/volumes/0/name"));
        assertThat(container.at("/args/0").asText())
                .contains("$((1000 + JOB_COMPLETION_INDEX))", "--out \"results/shard-$JOB_COMPLETION_INDEX\"");
    }
}
