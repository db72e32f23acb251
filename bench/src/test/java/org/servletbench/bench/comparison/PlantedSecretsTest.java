package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.cli.Main;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.MarkdownSummary;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.ReportPage;

/**
 * Plants a value at every key of a comparison that hides its value, in each way in which it can be given, and checks
 * that no output contains it.
 */
class PlantedSecretsTest {

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));

    /** Keys that hide their value, the values below them, or the content of the file that they name. */
    private static final Set<String> HIDDEN = Set.of(
            "ArmSpec.jvm",
            "ArmSpec.properties",
            "ArmSpec.env",
            "ArmSpec.command",
            "WorkloadSpec.url",
            "WorkloadSpec.warm-up",
            "WorkloadSpec.headers",
            "WorkloadSpec.body",
            "WorkloadSpec.body-file",
            "WorkloadSpec.data",
            "MeasureSpec.jvm-options",
            "MeasureSpec.db-url");

    /** Keys that contain other keys, whose values belong to nested records. */
    private static final Set<String> ABOVE = Set.of(
            "ComparisonFile.server",
            "ComparisonFile.arms",
            "ComparisonFile.factors",
            "ComparisonFile.workloads",
            "ComparisonFile.load",
            "ComparisonFile.claims",
            "ComparisonFile.variants",
            "ComparisonFile.stop",
            "ComparisonFile.measure",
            "WorkloadSpec.requests",
            "WorkloadSpec.expect",
            "ClaimEntry.all",
            "ClaimEntry.at",
            "ClaimEntry.than-at");

    /**
     * Public keys, with the reason: their values are our own words, the user's numbers, names and paths, or meant to be
     * read.
     */
    private static final Map<String, String> SHOWN = Map.of(
            "ComparisonFile", "question note app judge published margin alpha",
            "ArmSpec",
                    "container version boot app with ready jdk threads protocol heap memory cpus agent archive workdir exports against"
                            + " label",
            "LoadSpec",
                    "workloads users rates search-rate-under from resolution in-flight starts requests keep-alive pause judge tool-threads"
                            + " tool-options",
            "WorkloadSpec", "length method simulation label extract once reset",
            "ExpectSpec", "status ignore-headers",
            "ClaimEntry", "says metric order of than at-least at-most original reading",
            "StopSpec", "precision early blocks limit pace seed",
            "MeasureSpec",
                    "generators hold rounds slice settling-time warmup generator-warmup together start-timeout peak pre-touch cpu-profile keep-raw"
                            + " delay accept-encoding aot-caches aot-training target-host target-address load-hosts host-jdk"
                            + " ssh-config target-allow-remote");

    private static final Pattern PLANTED = Pattern.compile("%[A-Z]+%");

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();
    private final List<String> planted = new ArrayList<>();

    @BeforeEach
    @AfterEach
    void forget() {
        Secrets.forget();
    }

    @Test
    void ofEveryKeyIsKnownWhetherItIsHidden() {
        Set<String> known = new TreeSet<>(HIDDEN);
        known.addAll(ABOVE);
        SHOWN.forEach((section, keys) ->
                Stream.of(keys.split(" ")).map(key -> section + "." + key).forEach(known::add));
        Set<String> all = new TreeSet<>();
        Keys.SECTIONS.forEach(
                section -> Keys.of(section).forEach(key -> all.add(section.getSimpleName() + "." + key.name())));
        assertThat(known).isEqualTo(all);
    }

    /** Replaces each %NAME% by a distinct value: a long one, or one of five characters if the name ends in SHORT. */
    private String with(String text) {
        return PLANTED.matcher(text).replaceAll(found -> {
            String name = found.group().replace("%", "");
            int number = planted.size();
            String value = name.endsWith("SHORT") ? "qZ" + number % 10 + "~x" : "plAnted" + number + "of" + name;
            if (!planted.contains(value)) {
                planted.add(value);
            }
            return value;
        });
    }

    private Path service() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "shop.Shop");
        Path jar = folder.resolve("shop.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    private Path comparison() throws IOException {
        Files.writeString(folder.resolve("rows.csv"), with("row,pin\n%ROWA%,%SHORT%\n%ROWB%,1\n"));
        Files.writeString(folder.resolve("body.txt"), with("%BODYFILE%"));
        Files.writeString(folder.resolve("jvm.options"), with("-Xmx256m\n-Dshop.of.all=%JVMFILE%\n"));
        return Files.writeString(
                folder.resolve("shop.yaml"), with("""
                question: Which?
                app: %s
                server:
                  env: {SHARED: %%ENVSERVER%%, TINY: %%ENVSHORT%%}
                  properties: {shop.mode: %%PROPERTYSERVER%%, shop.password: %%PROPERTYSHORT%%}
                  jvm: "-Dshared.one=%%JVMSERVER%% -javaagent:/x/agent.jar=%%AGENT%%"
                arms:
                  one: {env: {OWN: %%ENVARM%%}, properties: {any.name: %%PROPERTYARM%%}}
                  two: {jvm: ["-Down=%%JVMARM%%", "-agentlib:own=%%AGENTLIB%%"]}
                workloads:
                  own:
                    url: /hello?q=%%URL%%&row=${row}
                    warm-up: /hello?q=%%WARMUP%%
                    headers: {X-Any: %%HEADER%%, X-Tiny: %%HEADERSHORT%%}
                    data: rows.csv
                    reset: post
                  post:
                    url: /post?q=%%URLOFRESET%%
                    method: POST
                    headers: {Content-Type: text/plain}
                    body: "%%BODY%%"
                  plain: {url: "/plain?q=%%PLAIN%%"}
                  put:
                    url: /put
                    method: PUT
                    headers: {Content-Type: text/plain}
                    body-file: body.txt
                load: [{workloads: [own], users: [5]}]
                stop: {blocks: 2, limit: 0s}
                measure: {hold: 2s, jvm-options: %s}
                """.formatted(service(), folder.resolve("jvm.options"))));
    }

    /** Returns these keys as command-line options, one by one and as mappings. */
    private List<String> sets() {
        return Stream.of(
                        "arms.one.env.SCALAR=%SETENV%",
                        "arms.one.properties.a.b=%SETPROPERTY%",
                        "arms.two={jvm: [\"-Down=%SETJVM%\"], env: {DEEP: %SETMAPPING%, D: %SETSHORT%}}",
                        "server={env: {SHARED: %SETSERVER%}, properties: {x.y: %SETSERVERPROPERTY%}}",
                        "workloads.own.headers={Any: %SETHEADER%}",
                        "workloads.post={url: \"/post?q=%SETURL%\", method: POST, headers: {Content-Type: text/plain}, body: \"%SETBODY%\"}",
                        "variants={other: {arms: {one: {env: {V: %SETVARIANT%}}}}}")
                .map(this::with)
                .toList();
    }

    private String console(String... words) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        Main.run(writer, writer, words);
        return out.toString();
    }

    private List<String> found(String text) {
        return planted.stream().filter(text::contains).toList();
    }

    private List<String> foundIn(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            List<String> all = new ArrayList<>();
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                String text = Files.isDirectory(file)
                        ? name
                        : name + new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                found(text).forEach(one -> all.add(place.relativize(file) + ": " + one));
            }
            return all;
        }
    }

    @Test
    void noneIsWritten() throws IOException {
        Path file = comparison();
        for (boolean more : List.of(false, true)) {
            Map<String, String> given = more ? Map.of("set", String.join("\n", sets())) : Map.of();
            List<String> words = new ArrayList<>(List.of("compare", file.toString(), "--dry-run"));
            given.values().stream().flatMap(String::lines).forEach(one -> words.addAll(List.of("--set", one)));
            String console = console(words.toArray(String[]::new));
            assertThat(console).contains("one", "two", "block");
            assertThat(found(console)).as(console).isEmpty();

            Path place = folder.resolve("campaign" + given.size());
            Preparation preparation = new Preparation(ROOT, () -> "1", () -> "abc", said::add);
            Planner.Draft draft = preparation.draft(Optional.of(file.toString()), given);
            CampaignStore store = new CampaignStore(place);
            // A generator that needs no build.
            Map<String, String> simple = new TreeMap<>(given);
            simple.putAll(Map.of("generators", "wrk", "workloads", "plain"));
            Planner.Draft plain = preparation.draft(Optional.of(file.toString()), simple);
            Planner.Draft whole = new Planner.Draft(
                    plain.spec(), plain.procedure(), plain.plan(), draft.arms(), draft.workloads(), draft.command());
            store.write(preparation.begin(whole, "planted", place).campaign());
            store.write(
                    failed("one", "the server said: " + String.join(" ", known())), store.serverRun(1, 1, "one", 1));
            CampaignFolder read = CampaignFolder.read(place);
            assertThat(read.problems()).isEmpty();
            assertThat(read.serverRuns()).singleElement().satisfies(one -> assertThat(one.outcome())
                    .contains("the server said: sha256:"));
            ReportPage.of(read).write(place);
            Files.writeString(place.resolve("summary.md"), MarkdownSummary.of(Outcomes.of(read)));
            assertThat(place.resolve(ReportPage.INDEX)).isNotEmptyFile();
            assertThat(foundIn(place)).isEmpty();
            assertThat(found(String.join("\n", said))).isEmpty();
            assertThat(found(draft.order().toString())).isEmpty();
        }
    }

    /** Returns the planted values that are long enough: shorter ones may occur anywhere by chance. */
    private List<String> known() {
        return planted.stream().filter(one -> one.length() >= 6).toList();
    }

    private static ServerRun failed(String arm, String why) throws IOException {
        CampaignFolder golden = CampaignFolder.read(Path.of("src/test/resources/golden/closed/campaign"));
        ObjectNode tree = Json.MAPPER.valueToTree(golden.serverRuns().get(0));
        tree.put("arm", arm)
                .put("outcome", why)
                .put("block", 1)
                .put("position", 1)
                .put("attempt", 1);
        tree.putArray("loads");
        return Json.MAPPER.treeToValue(tree, ServerRun.class);
    }

    /** An arm from the command line is named after its differences, but not after a hidden value. */
    @Test
    void anArmIsNotCalledByAValue() throws IOException {
        Path file = comparison();
        String value = with("%NAME%");
        String console = console(
                "compare",
                file.toString(),
                "--dry-run",
                "--arms",
                "one,one:properties.any.name=" + value + ",one:jvm=-Dx=" + value);
        assertThat(console).containsPattern("one-[0-9a-f]{6}");
        assertThat(found(console)).as(console).isEmpty();
        assertThat(new Secrets()
                        .hidden(Map.of("command", "compare x --arms=one:properties.any.name=" + value))
                        .toString())
                .doesNotContain(value);
    }

    /** Only our own application queries a database. */
    @Test
    void theDatabaseIsHidden() throws IOException {
        Path file = Files.writeString(folder.resolve("query.yaml"), with("""
                arms: {jetty: , undertow: }
                load: [{workloads: [query], users: [5]}]
                measure: {generators: [wrk], db-url: "jdbc:postgresql://127.0.0.1/bench?user=me&password=%DATABASE%"}
                """));
        String set =
                with("measure={generators: [wrk], db-url: \"jdbc:postgresql://127.0.0.1/b?password=%SETDATABASE%\"}");
        for (Map<String, String> given : List.of(Map.<String, String>of(), Map.of("set", set))) {
            List<String> words = new ArrayList<>(List.of("compare", file.toString(), "--dry-run"));
            given.values().forEach(one -> words.addAll(List.of("--set", one)));
            String console = console(words.toArray(String[]::new));
            assertThat(console).contains("jetty", "undertow");
            assertThat(found(console)).as(console).isEmpty();

            Planner.Draft draft =
                    new Preparation(ROOT, () -> "1", () -> "abc", said::add).draft(Optional.of(file.toString()), given);
            String written = new Secrets()
                    .hidden(Map.of(
                            "command",
                            draft.command(),
                            "options",
                            draft.spec().texts().all()))
                    .toString();
            assertThat(written).contains("\"db.url\":\"sha256:");
            assertThat(found(written)).as(written).isEmpty();
        }
    }

    /** Headers are part of a load, which every page names. */
    @Test
    void aToolTakesNoHeaderThatWouldBeHidden() throws IOException {
        Path file = comparison();
        String value = with("%TOOL%");
        String begin = "load=[{workloads: [plain], users: [5], tool-options: ";
        for (String options : List.of("[\"-H X-Any: " + value + "\"]", "[\"--header=Cookie:" + value + "\"]")) {
            String console = console(
                    "compare", file.toString(), "--dry-run", "--generators", "wrk", "--set", begin + options + "}]");
            assertThat(console).contains("a header whose value may be secret is not taken here");
            assertThat(found(console)).as(console).isEmpty();
        }
    }

    /** A path that a command hides is needed to resume. */
    @Test
    void whatACommandHidesIsLookedForNowhereElse() {
        Secrets.learn(Map.of(
                "command", "compare quick --set=measure.jvm-options=/tmp/small.options --set=server.jdk=/opt/jdk-21"));
        assertThat(Secrets.scrubbed("/tmp/small.options /opt/jdk-21")).isEqualTo("/tmp/small.options /opt/jdk-21");
    }

    /** A message stays readable if a value is one of our words, a name, or part of a number. */
    @Test
    void wordsThatAreNoSecretStay() {
        Secrets.show(List.of("tomcat-nio", "/home/me/shop-files"));
        Secrets.learn(Map.of(
                "env",
                Map.of(
                        "A", "tomcat",
                        "B", "connect",
                        "PASSWORD", "123456",
                        "D", "localhost",
                        "E", "shop-files",
                        "F", "2026-11-28")));
        for (String text : List.of(
                "tomcat-nio and tomcat",
                "connections, reconnect",
                "1234567 requests",
                "localhost:80",
                "/home/me/shop-files/x",
                "2026-11-28T01:02:03Z",
                "connect")) {
            assertThat(Secrets.scrubbed(text)).isEqualTo(text);
        }
        assertThat(Secrets.scrubbed("could not connect: 123456"))
                .isEqualTo("could not " + Secrets.token("connect") + ": " + Secrets.token("123456"));
        Secrets.learn(Map.of("env", Map.of("G", "x7secret", "H", "x7secret-and-more")));
        assertThat(Secrets.scrubbed("ax7secret-and-moreb x7secretc"))
                .isEqualTo("a" + Secrets.token("x7secret-and-more") + "b " + Secrets.token("x7secret") + "c");
        Secrets.showAll(true);
        assertThat(Secrets.scrubbed("x7secret")).isEqualTo("x7secret");
    }
}
