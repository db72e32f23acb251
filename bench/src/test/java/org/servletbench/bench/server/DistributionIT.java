package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.record.CampaignFolder;

/** Tests the zip, from the sources to a campaign in the unzipped folder with only a JDK, by the steps of the action. */
class DistributionIT {

    @TempDir
    static Path work;

    private static Path zip;
    private static Path home;
    private static Path app;
    private static Path path;

    private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    private record Ended(int code, String said) {}

    @BeforeAll
    static void packed() throws IOException, InterruptedException {
        Path clone = Maven.freshClone(work.resolve("clone"));
        Maven.Result built = Maven.run(clone, "-Pdist", "package");
        assertThat(built.exitCode()).as(built.output()).isZero();
        try (Stream<Path> files = Files.list(clone.resolve("target"))) {
            zip = files.filter(file -> file.toString().endsWith(".zip"))
                    .findFirst()
                    .orElseThrow();
        }
        app = clone.resolve("target-apps/spring-boot/target/tomcat-nio-boot3/app.jar");
        path = withoutMaven();
        Ended installed = run(
                clone,
                Map.of("SERVLET_BENCH_ZIP", zip.toString()),
                "sh",
                clone.resolve(".github/action/install.sh").toString());
        assertThat(installed.code()).as(installed.said()).isZero();
        home = Path.of(outputs().get("home"));
        Mirror.set(home, "campaign.properties", Mirror.HASTY);
        Files.writeString(home.resolve("profiles/jvm.options"), Mirror.MODEST_JVM);
    }

    /** Returns a folder with all programs of this machine except Maven. */
    private static Path withoutMaven() throws IOException {
        Path folder = Files.createDirectory(work.resolve("bin"));
        for (String from : List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin")) {
            try (Stream<Path> programs = Files.list(Path.of(from))) {
                for (Path program : programs.toList()) {
                    Path link = folder.resolve(program.getFileName());
                    if (!program.getFileName().toString().startsWith("mvn") && !Files.exists(link)) {
                        Files.deleteIfExists(link);
                        Files.createSymbolicLink(link, program);
                    }
                }
            }
        }
        return folder;
    }

    private static Ended run(Path in, Map<String, String> more, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true);
        Map<String, String> environment = new HashMap<>(Map.of(
                "GITHUB_OUTPUT", work.resolve("outputs").toString(),
                "RUNNER_TEMP", work.toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                // A separate folder for the campaign lock, because other campaigns run next to these tests.
                "JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + work));
        if (path != null) {
            environment.put("PATH", path.toString());
        }
        environment.putAll(more);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    private static Ended bench(String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("sh", home.resolve("bin/servlet-bench").toString()));
        command.addAll(List.of(words));
        return run(work, Map.of(), command.toArray(String[]::new));
    }

    private static Map<String, String> outputs() throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        Files.readAllLines(work.resolve("outputs"))
                .forEach(line -> all.put(line.split("=", 2)[0], line.split("=", 2)[1]));
        return all;
    }

    @Test
    void theZipHoldsWhatMayBePassedOnAndSaysWhoseItIs() throws IOException {
        Set<String> names = new HashSet<>();
        try (ZipFile file = new ZipFile(zip.toFile())) {
            file.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .forEach(name -> names.add(name.substring(name.indexOf('/') + 1)));
        }
        assertThat(names)
                .contains(
                        "bin/servlet-bench",
                        "bench/target/bench.jar",
                        "profiles/campaign.properties",
                        "profiles/settings/equalised.properties",
                        "comparisons/pull-request.yaml",
                        "comparisons/published/wrk-hello.yaml",
                        "simulations/target/generator.classpath",
                        "simulations/target/test-classes/org/servletbench/simulations/CampaignSimulation.class",
                        "LICENSE",
                        "THIRD-PARTY.md",
                        "README.md",
                        "action.yml",
                        ".github/action/install.sh",
                        ".github/action/compare.sh",
                        "docs/pull-requests.md")
                .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).contains("highcharts"))
                .noneMatch(name -> name.contains("Saxon") || name.contains("-osx-") || name.contains("-windows-"));
        assertThat(names.stream().map(name -> name.replaceFirst("/.*", "")).distinct())
                .containsExactlyInAnyOrder(
                        "bin",
                        "bench",
                        "profiles",
                        "comparisons",
                        "simulations",
                        "docs",
                        "examples",
                        "action.yml",
                        ".github",
                        "LICENSE",
                        "THIRD-PARTY.md",
                        "README.md",
                        "SECURITY.md",
                        "CHANGELOG.md",
                        "CONTRIBUTING.md",
                        "CITATION.cff");
        Set<String> listed = Files.readAllLines(home.resolve("THIRD-PARTY.md")).stream()
                .filter(line -> line.startsWith("|"))
                .flatMap(line -> QUOTED.matcher(line).results())
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
        Set<String> libraries = names.stream()
                .filter(name -> name.startsWith("simulations/target/lib/"))
                .map(name -> name.replaceFirst(".*/", "")
                        .replaceFirst("-\\d+(\\.\\d+)*([.-](Final|RELEASE))?(-linux-\\w+)?\\.jar$", ""))
                .collect(Collectors.toSet());
        assertThat(libraries).isEqualTo(listed);
    }

    @Test
    void besideTheZipAreItsChecksumAndTheNotesOfTheRelease() throws IOException {
        String name = zip.getFileName().toString();

        assertThat(zip.resolveSibling(name + ".sha256")).hasContent(Sha256.of(zip) + "  " + name);
        String changes = Files.readString(Maven.ROOT.resolve("CHANGELOG.md"));
        String section = changes.substring(changes.indexOf("## [Unreleased]\n") + "## [Unreleased]\n".length());
        assertThat(zip.resolveSibling(name.replace(".zip", "-notes.md")))
                .hasContent(section.replaceFirst("(?s)\n## \\[.*", "").strip());
    }

    /** The zip has its own start page, because that of a clone starts with commands that cannot run here. */
    @Test
    void everyLinkOfTheZipLeadsToSomethingInIt() throws IOException {
        assertThat(home.resolve("README.md"))
                .content()
                .contains("bin/servlet-bench doctor")
                .doesNotContain("mvn -P");
        List<String> dead = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path page : files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(home.resolve("simulations")))
                    .toList()) {
                LINK.matcher(Files.readString(page))
                        .results()
                        .map(link -> link.group(1).replaceFirst("#.*", ""))
                        .filter(link -> !link.isEmpty() && !link.contains(":"))
                        .filter(link -> !Files.exists(page.resolveSibling(link)))
                        .forEach(link -> dead.add(home.relativize(page) + ": " + link));
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void itsDoctorWantsNoMaven() throws Exception {
        Ended ended = bench("doctor");

        assertThat(ended.said().lines().filter(line -> line.matches("\\w+ +Maven .*")))
                .singleElement()
                .asString()
                .startsWith("missing")
                .contains("for exchanging a service's container");
        assertThat(ended.said().lines().reduce((first, last) -> last).orElseThrow())
                .contains("comparisons of finished jars, measure and report")
                .doesNotContain("mvn", "cannot run: Maven");
    }

    /** Anything that needs Maven, or an unset variable, is rejected before anything is measured. */
    @Test
    void theDryRunRefusesWhatCannotRun() throws Exception {
        assertThat(bench("compare", "quick", "--dry-run"))
                .satisfies(ended -> assertThat(ended.code()).as(ended.said()).isEqualTo(1))
                .satisfies(ended -> assertThat(ended.said()).contains("is built from the sources of servlet-bench"));
        assertThat(bench("compare", "--app", app.toString(), "--url", "/hello", "--dry-run"))
                .satisfies(ended -> assertThat(ended.code()).as(ended.said()).isEqualTo(1))
                .satisfies(ended -> assertThat(ended.said())
                        .contains(": exchanging the container of app.jar needs Maven, which is not on the PATH"));
        assertThat(bench(
                        "compare",
                        "--app",
                        app.toString(),
                        "--url",
                        "/hello",
                        "--arms",
                        "tomcat:heap=256m,tomcat:heap=512m",
                        "--dry-run"))
                .satisfies(ended -> assertThat(ended.code()).as(ended.said()).isZero());
    }

    /**
     * The first short command makes a class archive. With or without it, commands print the same and have the same exit
     * code.
     */
    @Test
    void shortCommandsHaveAnArchiveOfClasses() throws Exception {
        Path folder = home.resolve("bench/target");
        List<Ended> ended = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ended.add(bench("report", "--help"));
        }
        assertThat(ended)
                .allSatisfy(one -> assertThat(one.code()).as(one.said()).isZero());
        Path archive;
        try (Stream<Path> files = Files.list(folder)) {
            archive = files.filter(file -> file.toString().endsWith(".jsa"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.writeString(archive, "stale");
        ended.add(bench("report", "--help"));
        assertThat(ended.stream().map(Ended::said).distinct()).hasSize(1);
        assertThat(ended.get(0).said()).contains("bin/servlet-bench report ");
        assertThat(bench("report", "nowhere").code()).isEqualTo(2);
        Files.delete(archive);
    }

    @Test
    void whatNeedsSourcesSaysSoInOneLine() throws Exception {
        Ended ended = bench("compare", "quick", "--out", work.resolve("quick").toString());

        assertThat(ended.code()).as(ended.said()).isEqualTo(1);
        assertThat(ended.said().lines().filter(line -> line.startsWith("compare: ")))
                .singleElement()
                .asString()
                .contains("is built from the sources of servlet-bench, which this folder does not have");
        assertThat(work.resolve("quick/blocks")).doesNotExist();
    }

    @Test
    void twoJarsAreComparedByTheActionWithAJdkAlone() throws Exception {
        Path place = Files.createDirectories(work.resolve("a job"));
        Files.copy(app, place.resolve("before.jar"));
        Files.copy(app, place.resolve("after.jar"));
        Files.writeString(place.resolve("small.yaml"), """
                question: Is the change slower?
                arms: {before: {app: before.jar}, after: {app: after.jar}}
                workloads: {request: {url: /}}
                load: [{workloads: request, users: 10}]
                judge: [cpu, alloc]
                margin: {cpu: 5%, alloc: 1%}
                claims: [after is not slower than before in cpu, after is not slower than before in alloc]
                stop: {blocks: 2, limit: 0s}
                measure: {hold: 2s, warmup: 2s}
                """);
        Path step = Files.createFile(work.resolve("step-summary.md"));
        Ended ended = run(
                place,
                Map.of(
                        "GITHUB_ACTIONS", "true",
                        "GITHUB_STEP_SUMMARY", step.toString(),
                        "SERVLET_BENCH_HOME", home.toString(),
                        "INPUT_BEFORE", "before.jar",
                        "INPUT_AFTER", "after.jar",
                        "INPUT_URL", "/hello",
                        "INPUT_COMPARISON", "small.yaml"),
                "sh",
                home.resolveSibling("../clone/.github/action/compare.sh")
                        .normalize()
                        .toString());

        Map<String, String> outputs = outputs();
        // Two blocks on a busy machine can have any outcome, but all reports must agree on it.
        Map<String, Integer> codes = Map.of("passed", 0, "undecided", 0, "slower", 3, "broken", 4, "unusable", 1);
        assertThat(codes).as(ended.said()).containsEntry(outputs.get("verdict"), ended.code());
        assertThat(ended.said()).contains("are equal (SHA-256): any difference that is found is a false alarm");
        CampaignFolder read = CampaignFolder.read(Path.of(outputs.get("folder")));
        assertThat(read.completeBlocks()).as(ended.said()).isEqualTo(2);
        assertThat(read.campaign().commit()).isEmpty();
        assertThat(Files.readString(Path.of(outputs.get("summary"))))
                .startsWith("<!-- servlet-bench: " + outputs.get("verdict") + " -->\n### ")
                .isEqualToIgnoringNewLines(Files.readString(step).strip() + "\n");
        assertThat(Files.readString(Path.of(outputs.get("junit")))).contains("<testsuite ", "after is not slower");
        assertThat(Json.MAPPER.readTree(Path.of(outputs.get("bmf")).toFile()).size())
                .isEqualTo(2);
        assertThat(Path.of(outputs.get("folder")).resolve("index.html")).isNotEmptyFile();
    }
}
