package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.report.Campaigns;

/** Tests the action's steps with GitHub's variables, and the structure of the files that GitHub and Kubernetes read. */
class ActionTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String PINNED = "[\\w.-]+/[\\w.-]+@[0-9a-f]{40}";
    /** The action in the unzipped folder, or that of a release (see ReleaseTest). */
    private static final String OURS = "\\./(jars/)?servlet-bench-[\\w.-]+|[\\w-]+/servlet-bench@v[\\d.]+";

    @TempDir
    Path folder;

    private Path outputs;
    private Path stepSummary;

    private record Ended(int code, String said) {}

    /** Installs the command like {@code bin/servlet-bench}, without a packed jar. */
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
        return run(more, "sh", ROOT.resolve(".github/action").resolve(script).toString());
    }

    private Ended run(Map<String, String> more, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
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

    private static byte[] zip() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry("servlet-bench-1.2.3/bin/servlet-bench"));
            out.write("#!/bin/sh\n".getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void theZipIsUnpackedByTheJdkAlone() throws Exception {
        Path zip = Files.write(folder.resolve("some.zip"), zip());
        Ended ended = step("install.sh", Map.of("SERVLET_BENCH_ZIP", zip.toString()));

        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(Path.of(outputs().get("home")))
                .isEqualTo(folder.resolve("servlet-bench/servlet-bench-1.2.3"))
                .satisfies(home -> assertThat(home.resolve("bin/servlet-bench")).exists());
    }

    @Test
    void theUnzippedFolderIsTheActionItself() throws Exception {
        Path home = Files.createDirectories(folder.resolve("servlet-bench-1.2.3/simulations/target/lib"))
                .resolve("../../..")
                .normalize();
        Ended ended = step("install.sh", Map.of("GITHUB_ACTION_PATH", home.toString()));

        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(outputs()).containsExactly(Map.entry("home", home.toString()));
    }

    /** A job may use two versions: each use gets the requested one. */
    @Test
    void ofTwoVersionsInAJobEachUseHasItsOwn() throws Exception {
        for (String version : List.of("1.2.4", "1.2.3")) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ZipOutputStream out = new ZipOutputStream(bytes)) {
                out.putNextEntry(new ZipEntry("servlet-bench-" + version + "/bin/servlet-bench"));
                out.write(version.getBytes(StandardCharsets.UTF_8));
            }
            Files.delete(outputs);
            Path zip = Files.write(folder.resolve("some.zip"), bytes.toByteArray());
            Ended ended = step("install.sh", Map.of("SERVLET_BENCH_ZIP", zip.toString()));

            assertThat(ended.code()).as(ended.said()).isZero();
            assertThat(outputs()).containsOnlyKeys("home");
            assertThat(Path.of(outputs().get("home"))).hasFileName("servlet-bench-" + version);
            assertThat(Path.of(outputs().get("home"), "bin/servlet-bench")).hasContent(version);
        }
        assertThat(folder.resolve("servlet-bench/servlet-bench-1.2.4/bin/servlet-bench"))
                .as("what was installed before stays")
                .hasContent("1.2.4");
    }

    /** A step learns its release only from the action's own variables, because GitHub's are empty in it. */
    @Test
    void aReleaseIsDownloadedAndHeldAgainstItsHash() throws Exception {
        byte[] zip = zip();
        Map<String, byte[]> files = new HashMap<>(Map.of("servlet-bench-1.2.3.zip", zip));
        HttpServer github = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        github.createContext("/some/bench/releases/download/v1.2.3/", exchange -> {
            byte[] file = files.get(exchange.getRequestURI().getPath().replaceFirst(".*/", ""));
            exchange.sendResponseHeaders(200, file.length);
            exchange.getResponseBody().write(file);
            exchange.close();
        });
        github.start();
        Map<String, String> variables = new HashMap<>(Map.of(
                "GITHUB_SERVER_URL", "http://127.0.0.1:" + github.getAddress().getPort(), "no_proxy", "127.0.0.1"));
        actionStep("install")
                .get("env")
                .properties()
                .forEach(one -> variables.put(
                        one.getKey(),
                        one.getValue()
                                .asText()
                                .replace("${{ github.action_ref }}", "v1.2.3")
                                .replace("${{ github.action_repository }}", "some/bench")));
        try {
            for (String hash : List.of("0".repeat(64), Sha256.of(zip))) {
                files.put(
                        "servlet-bench-1.2.3.zip.sha256",
                        (hash + "  servlet-bench-1.2.3.zip\n").getBytes(StandardCharsets.UTF_8));
                Ended ended = step("install.sh", variables);

                boolean right = !hash.startsWith("0000");
                assertThat(ended.code() == 0).as(ended.said()).isEqualTo(right);
                assertThat(outputs().containsKey("home")).isEqualTo(right);
            }
        } finally {
            github.stop(0);
        }
    }

    private static JsonNode actionStep(String id) throws IOException {
        return StreamSupport.stream(
                        YAML.readTree(ROOT.resolve("action.yml").toFile())
                                .at("/runs/steps")
                                .spliterator(),
                        false)
                .filter(step -> step.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shardsArePooledAndTheOneWhoseControlIsBrokenIsLeftOut() throws Exception {
        for (int i = 1; i <= 4; i++) {
            // Same layout as download-artifact.
            Campaigns.write(
                    folder.resolve("shards/shard-" + i + "/campaign"), i, i == 2 ? "tomcat-nio-control" : "jetty", 1.5);
        }
        Ended ended = step("compare.sh", Map.of("INPUT_POOL", "shards", "INPUT_SHARDS", "5"));

        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said())
                .contains(
                        "::warning title=servlet-bench::4 of 5 shards have a campaign. If a build failed",
                        "campaign campaign-2 is left out: two copies of the same arm");
        assertThat(outputs()).containsEntry("verdict", "pooled").containsOnlyKeys("verdict", "summary");
        String summary = Files.readString(Path.of(outputs().get("summary")));
        assertThat(summary).isEqualTo(Files.readString(stepSummary));
        assertThat(summary.lines().toList().subList(2, 5))
                .satisfiesExactly(
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line).startsWith("- 4 of 5 shards have a campaign."),
                        line -> assertThat(line).startsWith("- campaign campaign-2 is left out: "));
    }

    /** A job may run several comparisons. */
    @Test
    void eachUseHasAFolderOfItsOwn() throws Exception {
        for (int i = 1; i <= 3; i++) {
            Campaigns.write(folder.resolve("shards/shard-" + i), i, "jetty", 1);
        }
        assertThat(step("compare.sh", Map.of("INPUT_POOL", "shards")).code()).isZero();
        Path first = Path.of(outputs().get("summary"));
        assertThat(step("compare.sh", Map.of("INPUT_POOL", "nothing")).code()).isEqualTo(1);

        assertThat(outputs()).containsEntry("verdict", "failed");
        assertThat(Path.of(outputs().get("summary"))).isNotEqualTo(first).doesNotExist();
        assertThat(first).content().startsWith("<!-- servlet-bench: pooled -->");
    }

    /** Everything measured so far is in its folder. */
    @Test
    void aStepThatIsKilledHasNamedItsFolder() throws Exception {
        Files.writeString(folder.resolve("home/bin/servlet-bench"), "kill -9 $PPID\n");
        Ended killed = step("compare.sh", Map.of("INPUT_COMPARISON", "pull-request"));

        assertThat(killed.code()).as(killed.said()).isEqualTo(128 + 9);
        assertThat(outputs()).containsOnlyKeys("summary", "folder", "junit", "bmf");
        assertThat(Path.of(outputs().get("folder")).getParent())
                .isDirectory()
                .hasParent(folder)
                .isEqualTo(Path.of(outputs().get("summary")).getParent());
    }

    /** An unfinished shard, such as that of a machine whose build died, is not silently left out. */
    @Test
    void aShardThatDidNotComeToItsEndStopsThePool() throws Exception {
        for (int i = 1; i <= 3; i++) {
            Campaigns.write(folder.resolve("shards/shard-" + i), i, "jetty", 1);
        }
        Campaigns.unfinished(folder.resolve("shards/shard-4"), 4, "jetty", 1);
        Ended ended = step("compare.sh", Map.of("INPUT_POOL", "shards", "INPUT_SHARDS", "4"));

        assertThat(ended.code()).as(ended.said()).isEqualTo(2);
        assertThat(ended.said().lines())
                .last()
                .asString()
                .startsWith("::error title=servlet-bench::report: campaign ")
                .contains(" has no verdicts (No verdicts: the campaign has not reached");
        assertThat(outputs()).containsEntry("verdict", "failed");
        assertThat(stepSummary).isEmptyFile();
    }

    @Test
    void fewerThanThreeShardsAreNoPool() throws Exception {
        Campaigns.write(folder.resolve("shards/one"), 1, "jetty", 1);
        Ended ended = step("compare.sh", Map.of("INPUT_POOL", "shards"));

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said()).startsWith("::error title=servlet-bench::three campaigns or more can be pooled");
        assertThat(outputs()).containsEntry("verdict", "failed");
    }

    /** A workflow may pass on text from a pull request, which must never be executed. */
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

    /** Returns the commands that a runner finds in a step's output: v2 at the start of a line, v1 anywhere in it. */
    private static List<String> commands(String said) {
        List<String> found = new ArrayList<>();
        String resumes = "";
        for (String line : said.lines().map(String::strip).toList()) {
            if (line.startsWith("::stop-commands::") && resumes.isEmpty()) {
                resumes = "::" + line.substring("::stop-commands::".length()) + "::";
            } else if (line.equals(resumes)) {
                resumes = "";
            } else if (resumes.isEmpty() && (line.startsWith("::") || line.contains("##["))) {
                found.add(line);
            }
        }
        assertThat(resumes).as("commands work again: " + said).isEmpty();
        return found;
    }

    /** Untrusted labels may occur in any output of servlet-bench, a server or Maven. */
    @Test
    void whatACommandPrintsIsNoCommandOfTheRunner() throws Exception {
        Files.writeString(folder.resolve("home/bin/servlet-bench"), """
                echo '::error::forged'
                echo '##[warning]forged' >&2
                echo '::stop-commands::x'
                printf '::::\n::x::\n::set-env name=PATH::forged'
                echo '::error title=servlet-bench::50 %25 slower' >"$SERVLET_BENCH_COMMANDS"
                exit 3
                """);
        Ended first = step("compare.sh", Map.of("INPUT_COMPARISON", "pull-request"));
        Ended second = step("compare.sh", Map.of("INPUT_COMPARISON", "pull-request"));

        assertThat(first.code()).isEqualTo(3);
        assertThat(first.said()).contains("::error::forged", "##[warning]forged");
        assertThat(commands(first.said())).containsExactly("::error title=servlet-bench::50 %25 slower");
        assertThat(first.said().lines().findFirst().orElseThrow())
                .as("a word that nobody can know")
                .matches("::stop-commands::[0-9a-f]{32}")
                .isNotEqualTo(second.said().lines().findFirst().orElseThrow());
    }

    /** A shell's echo would turn the second value into a line break. */
    @ParameterizedTest
    @ValueSource(strings = {"a\n::error::forged", "a\\n::error::forged", "a\r::error::forged"})
    void anInputIsOneLineOfAnAnnotation(String input) throws Exception {
        Ended ended = step("compare.sh", Map.of("INPUT_POOL", input));

        assertThat(commands(ended.said())).singleElement().satisfies(line -> assertThat(line)
                .startsWith("::error title=servlet-bench::three campaigns or more can be pooled, and a"));
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
                "examples/bench-on-request.yml",
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
            if (job.has("uses")) {
                // A workflow of this repository, at the same commit.
                assertThat(ROOT.resolve(job.get("uses").asText())).isRegularFile();
                continue;
            }
            assertThat(job.get("runs-on").asText()).startsWith("ubuntu-");
            assertThat(job.get("timeout-minutes").isInt()).isTrue();
            for (JsonNode step : job.get("steps")) {
                assertThat(step.has("run") ^ step.has("uses")).isTrue();
                assertThat(step.path("run").asText())
                        .as("no value of an event in a command")
                        .doesNotContain("${{");
            }
        }
        assertThat(uses(workflow))
                .isNotEmpty()
                .allMatch(one -> one.startsWith("./") || one.matches(PINNED) || one.matches(OURS));
        if (foreign && !file.contains("comment")) {
            assertThat(workflow.toString()).doesNotContain("write", "secrets.");
        }
        List<String> inputs = new ArrayList<>();
        YAML.readTree(ROOT.resolve("action.yml").toFile())
                .get("inputs")
                .fieldNames()
                .forEachRemaining(inputs::add);
        for (JsonNode job : workflow.get("jobs")) {
            for (JsonNode step : job.path("steps")) {
                if (step.path("uses").asText().matches(OURS)) {
                    step.get("with").fieldNames().forEachRemaining(name -> assertThat(inputs)
                            .contains(name));
                }
            }
        }
    }

    private static JsonNode using(JsonNode job, String action) {
        return StreamSupport.stream(job.get("steps").spliterator(), false)
                .filter(step -> step.path("uses").asText().matches(action))
                .findFirst()
                .orElseThrow();
    }

    /** Builds of the same source differ, and campaigns with different jars are not pooled. */
    @Test
    void shardsMeasureTheSameJarsAndAreKeptWhateverCameOut() throws IOException {
        JsonNode jobs =
                YAML.readTree(ROOT.resolve("examples/shards.yml").toFile()).get("jobs");
        JsonNode measure = jobs.get("measure");

        assertThat(measure.get("needs").asText()).isEqualTo("build");
        assertThat(measure.findValuesAsText("run")).isEmpty();
        JsonNode jars = using(measure, "actions/download-artifact@.*").get("with");
        assertThat(jars.get("name"))
                .isEqualTo(
                        using(jobs.get("build"), "actions/upload-artifact@.*").at("/with/name"));
        assertThat(List.of(
                        using(measure, OURS).at("/with/before").asText(),
                        using(measure, OURS).at("/with/after").asText()))
                .allMatch(jar -> jar.startsWith(jars.get("path").asText() + "/"));
        assertThat(using(measure, "actions/upload-artifact@.*").path("if").asText())
                .isEqualTo("always()");
        assertThat(using(jobs.get("pool"), OURS).at("/with/shards").asInt())
                .isEqualTo(measure.at("/strategy/matrix/shard").size());
    }

    /**
     * A comment starts a workflow with write permissions, which the job that runs the pull request's code must not
     * have.
     */
    @Test
    void theJobThatMeasuresOnRequestMayWriteNothing() throws IOException {
        JsonNode workflow =
                YAML.readTree(ROOT.resolve("examples/bench-on-request.yml").toFile());
        JsonNode jobs = workflow.get("jobs");
        assertThat(workflow.get("permissions")).isEmpty();
        assertThat(workflow.toString()).doesNotContain("secrets.", "cache");
        assertThat(jobs.at("/measure/permissions").toString()).isEqualTo("{\"contents\":\"read\"}");
        assertThat(jobs.get("measure").toString()).doesNotContain("github.token", "github.event");
        for (String other : List.of("ask", "comment")) {
            assertThat(jobs.get(other).toString()).doesNotContain("actions/checkout", "mvn ");
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    MEMBER, /bench 0123abc, 0
                    OWNER, '/bench 0123abcdef ', 0
                    CONTRIBUTOR, /bench 0123abc, only owners
                    NONE, /bench 0123abc, only owners
                    MEMBER, /bench, write /bench and the commit
                    MEMBER, /bench 0123ab;id, write /bench and the commit
                    MEMBER, /bench 9999abc, not the newest commit
                    """)
    void onlyACommitThatSomebodyTrustedHasReadIsMeasured(String who, String body, String expected) throws Exception {
        Path gh = Files.createDirectories(folder.resolve("path")).resolve("gh");
        Files.writeString(gh, "#!/bin/sh\necho 0123abcdef main\n");
        assertThat(gh.toFile().setExecutable(true)).isTrue();
        Path output = Files.createFile(folder.resolve("output"));
        String step = YAML.readTree(
                        ROOT.resolve("examples/bench-on-request.yml").toFile())
                .at("/jobs/ask/steps/0/run")
                .asText();
        Ended ended = run(
                Map.of(
                        "PATH",
                        gh.getParent() + ":" + System.getenv("PATH"),
                        "GH_REPO",
                        "us/shop",
                        "NUMBER",
                        "7",
                        "BODY",
                        body,
                        "WHO",
                        who,
                        "GITHUB_OUTPUT",
                        output.toString()),
                "bash",
                "-e",
                Files.writeString(folder.resolve("step.sh"), step).toString());
        assertThat(ended.code() == 0).as(ended.said()).isEqualTo(expected.equals("0"));
        if (expected.equals("0")) {
            assertThat(output).content().isEqualTo("after=0123abcdef\nbase=main\n");
        } else {
            assertThat(ended.said()).contains(expected);
            assertThat(output).isEmptyFile();
        }
    }

    /**
     * Runs the comment's step with a fake gh that returns these comments, one of them the answer to a request, and
     * writes what is posted to a file.
     */
    private Ended comment() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("comments.json"), """
                [{"id": 1, "user": {"login": "github-actions[bot]"}, "body": "Coverage: 81 %"},
                 {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "<!-- servlet-bench: comment -->\\nAs claimed"},
                 {"id": 3, "user": {"login": "mallory"}, "body": "<!-- servlet-bench: comment -->"},
                 {"id": 4, "user": {"login": "github-actions[bot]"}, "body": "Preview is ready"},
                 {"id": 5, "user": {"login": "github-actions[bot]"}, "body": "<!-- servlet-bench: passed -->\\nof /bench"}]
                """);
        Path gh = Files.createDirectories(folder.resolve("path")).resolve("gh");
        Files.writeString(gh, """
                #!/bin/sh
                for one in "$@"; do
                  [ "${before-}" != --jq ] || filter=$one
                  before=$one
                done
                case "$*" in
                  *"-f head=them:topic "*) echo '[{"number": 7}]' | jq -r "$filter" ;;
                  *--paginate*/issues/7/comments*) jq -r "$filter" comments.json ;;
                  *) echo "$*" >>posted && cp comment.md posted.md ;;
                esac
                """);
        assertThat(gh.toFile().setExecutable(true)).isTrue();
        JsonNode step = YAML.readTree(
                        ROOT.resolve("examples/pull-request-comment.yml").toFile())
                .at("/jobs/comment/steps/1");
        assertThat(step.get("env").has("COMMIT")).isTrue();
        return run(
                Map.of(
                        "PATH", gh.getParent() + ":" + System.getenv("PATH"),
                        "GH_REPO", "us/shop",
                        "HEAD", "them:topic",
                        "COMMIT", "0123abc",
                        "CONCLUSION", "failure",
                        "RUN", "https://example.org/run"),
                "bash",
                "-e",
                Files.writeString(folder.resolve("step.sh"), step.get("run").asText())
                        .toString());
    }

    /** An old "As claimed" must not stay under a new commit, and other people's comments must stay unchanged. */
    @Test
    void theCommentIsReplacedByWhatCameOutOfTheNewCommit() throws Exception {
        Assumptions.assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(path -> Files.isExecutable(Path.of(path, "jq"))),
                "skipped, jq is missing, which gh has built in: apt-get install jq");
        Ended failed = comment();
        assertThat(failed.code()).as(failed.said()).isZero();
        assertThat(folder.resolve("posted"))
                .content()
                .isEqualTo("api --method PATCH repos/us/shop/issues/comments/2 -F body=@comment.md --silent\n");
        assertThat(folder.resolve("posted.md")).content().isEqualTo("""
                <!-- servlet-bench: comment -->
                ### No answer: the benchmark failed (failure)

                Of 0123abc ([run](https://example.org/run))
                """);

        Path summary = folder.resolve("benchmark/servlet-bench-results/summary.md");
        Files.createDirectories(summary.getParent());
        Files.writeString(summary, "<!-- servlet-bench: slower -->\n### after is slower\n");
        Ended slower = comment();
        assertThat(slower.code()).as(slower.said()).isZero();
        assertThat(folder.resolve("posted.md")).content().isEqualTo("""
                <!-- servlet-bench: comment -->
                <!-- servlet-bench: slower -->
                ### after is slower

                Of 0123abc ([run](https://example.org/run))
                """);
    }

    /** Checks the fields that batch/v1 and core/v1 require for an indexed Job, and names that Kubernetes accepts. */
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
        // As a limit for the whole Job, it would end all other pods after one failure.
        assertThat(job.get("spec").has("backoffLimit")).isFalse();
        assertThat(job.at("/spec/backoffLimitPerIndex").isInt()).isTrue();
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
