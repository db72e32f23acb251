package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.ServerCommand;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ArmText;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;

/** Tests arms that a command starts: what is accepted, what is rejected, and what a record cannot do. */
class CommandArmsTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private static final String TAKES_PORT = "command: [java, -jar, app.jar, '--port=${port}']";

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();

    @AfterEach
    void forget() {
        Secrets.forget();
    }

    @BeforeEach
    void build() throws IOException {
        Secrets.forget();
        jar("app.jar", "");
        Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\n");
    }

    private void jar(String name, String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        new JarOutputStream(Files.newOutputStream(folder.resolve(name)), manifest).close();
    }

    private Preparation preparation() {
        return new Preparation(ROOT, () -> "1", () -> "abc", said::add);
    }

    /** Writes a comparison of our application with an arm that has these keys. */
    private Path comparison(String keys, String more) throws IOException {
        return Files.writeString(folder.resolve("own.yaml"), """
                arms:
                  boot: {container: tomcat-nio}
                  own: {%s}
                load:
                  - {workloads: hello, users: 10}
                measure: {generators: wrk}
                %s
                """.formatted(keys, more));
    }

    private Planner.Draft draft(String keys, String more) throws IOException {
        return preparation().draft(Optional.of(comparison(keys, more).toString()), Map.of());
    }

    private Arm own(String keys) throws IOException {
        return draft(keys, "").arms().stream()
                .filter(arm -> arm.id().equals("own"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCommandIsAnArmWithoutALineOrAContainer() throws IOException {
        Arm arm = own(TAKES_PORT + ", ready: /health, heap: 512m, jvm: -Dx=1, memory: 1g");

        assertThat(arm.spec().command())
                .containsExactly("java", "-jar", folder.resolve("app.jar").toString(), "--port=${port}");
        assertThat(arm.spec().ready()).isEqualTo("/health");
        assertThat(arm.line()).isEmpty();
        assertThat(arm.container()).isEmpty();
        assertThat(said)
                .anyMatch(line -> line.startsWith("own: started by its own command; unproven: container,")
                        && line.contains("a change of its file is noticed"));
        assertThat(ArmText.lines(draft(TAKES_PORT, "").arms()))
                .containsExactly(
                        "own is another program than boot: java -jar " + folder.resolve("app.jar") + " --port=${port}");
    }

    /** The name of an arm does not matter: its server is not compared with any container. */
    @Test
    void aCommandThatIsCalledByAContainerIsNoneOfIt() throws IOException {
        Path file = Files.writeString(folder.resolve("named.yaml"), """
                arms:
                  tomcat-nio:
                  jetty: {%s}
                load: [{workloads: hello, users: 10}]
                """.formatted(TAKES_PORT));
        assertThat(preparation().draft(Optional.of(file.toString()), Map.of()).arms())
                .filteredOn(arm -> arm.id().equals("jetty"))
                .singleElement()
                .extracting(Arm::container, Arm::line)
                .containsExactly("", "");
    }

    /** One line per mistake: which key, and what to do. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            command: [java, -jar, app.jar]                       | 'arms.own.command' has no ${port}
            TAKES_PORT, app: app.jar                             | give 'command' or 'app', not both
            TAKES_PORT, container: jetty                         | give 'command' or 'container', not both
            TAKES_PORT, version: 12.0.5                          | give 'command' or 'version', not both
            TAKES_PORT, boot: boot3                              | give 'command' or 'boot', not both
            TAKES_PORT, threads: virtual                         | 'threads' has no effect on an arm with a command
            TAKES_PORT, protocol: https                          | 'protocol' has no effect on an arm with a command
            TAKES_PORT, properties: {a: b}                       | 'properties' has no effect on an arm with a command
            TAKES_PORT, properties: defaults                     | 'settings' has no effect on an arm with a command
            TAKES_PORT, archive: cds                             | 'archive' has no effect on an arm with a command
            command: [./run.sh, '${port}'], heap: 1g             | 'heap' has no effect on an arm with a command that does not begin with
            command: [./run.sh, '${port}'], jvm: -Dx=1           | 'jvm' has no effect on an arm with a command that does not begin with
            command: [./run.sh, '${port}'], jdk: /opt/jdk        | 'jdk' has no effect on an arm with a command that does not begin with
            command: [java, -Xmx64m, -jar, app.jar, '${port}']   | -Xmx64m is an option of the JVM: give it below 'jvm'
            command: [java, '@x', -jar, app.jar, '${port}']      | @x is an option of the JVM
            command: [java, -jar, no.jar, '${port}']             | there is no file no.jar
            command: [java, -jar, target-apps/micronaut/target/no.jar, '${port}'] | target-apps/micronaut package
            command: java -jar app.jar                           | 'arms.own.command' is wrong: give words, as a list in brackets
            command: []                                          | 'arms.own.command' is wrong
            command: [java, -cp, 'a/*', -Xmx2g, Main, '${port}'] | -Xmx2g is an option of the JVM
            command: [java, -ea, -jar, app.jar, '${port}']       | -ea is an option of the JVM
            command: [java, -p, a, -verbose:gc, -m, b, '${port}'] | -verbose:gc is an option of the JVM
            TAKES_PORT, jvm: '-Da=${port}'                       | 'arms.own.jvm' has ${port}, which is filled in below 'command' and 'env' only
            command: [java, -jar, app.jar], jvm: '-Da=${address}' | 'arms.own.jvm' has ${address}, which is filled in below 'command' and 'env' only
            TAKES_PORT, env: {JAVA_TOOL_OPTIONS: -Xmx1g}         | 'arms.own.env': JAVA_TOOL_OPTIONS would set JVM options that no record shows: give them below 'jvm'
            command: [./run.sh, '${port}'], env: {_JAVA_OPTIONS: -Xmx1g} | 'arms.own.env': _JAVA_OPTIONS would set JVM options that no record shows: give them as words of the command
            container: jetty, ready: /health                     | 'arms.own.ready' is for an arm with a 'command' only
            """)
    void whatHasNoEffectIsRefused(String keys, String why) throws IOException {
        Path file = comparison(keys.strip().replace("TAKES_PORT", TAKES_PORT), "");
        assertThatThrownBy(() -> preparation().draft(Optional.of(file.toString()), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why.strip())
                .hasMessageNotContaining("\n");
    }

    /** Words after the program are its own arguments. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java -cp lib/* Main -Xmx2g",
                "java -Da=b -jar app.jar -ea",
                "java --module-path lib -m a/b @words",
                "./run.sh -Xmx2g"
            })
    void anArgumentOfTheProgramIsNoJvmOption(String words) {
        assertThat(new ServerCommand(List.of(words.split(" "))).ownJvmOption()).isEmpty();
    }

    /** Nor in the keys that all arms share: these would reach some arms only. */
    @Test
    void whatHoldsForAllArmsHoldsForACommand() throws IOException {
        assertThatThrownBy(() -> draft(TAKES_PORT, "server: {threads: virtual}"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'threads' has no effect on an arm with a command");
        assertThatThrownBy(() -> draft(TAKES_PORT, "server: {command: [java]}"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("unknown key 'server.command'");
        assertThat(draft(TAKES_PORT, "server: {heap: 256m}").arms())
                .allSatisfy(arm -> assertThat(arm.spec().heap().text()).isEqualTo("256m"));
    }

    @Test
    void variantsOfACommandKeepIt() throws IOException {
        Path file = comparison(TAKES_PORT, "");
        assertThat(preparation()
                        .draft(Optional.of(file.toString()), Map.of("arms", "own:heap=256m,own:heap=512m"))
                        .arms())
                .hasSize(3)
                .allSatisfy(arm -> {
                    assertThat(arm.spec().command()).contains("--port=${port}");
                    assertThat(arm.container()).isEmpty();
                });
    }

    /** Many servers read their port from the environment. */
    @Test
    void theEnvironmentMayHoldThePort() throws IOException {
        assertThat(own("command: [./run.sh], env: {SERVER_PORT: '${port}', SERVER_HOST: '${address}'}")
                        .spec()
                        .command())
                .containsExactly(folder.resolve("run.sh").toString());
    }

    @Test
    void theFilesThatItNamesAreHashed() throws IOException {
        jar("library.jar", "");
        jar("app.jar", "library.jar missing.jar");
        ServerCommand command = new ServerCommand(List.of(
                "java", "-cp", "/no/such.jar:" + folder.resolve("run.sh"), "-jar", "" + folder.resolve("app.jar")));
        assertThat(CommandArms.files(command))
                .containsExactly(folder.resolve("run.sh"), folder.resolve("app.jar"), folder.resolve("library.jar"));
        String before = CommandArms.build(command).sha256();
        jar("library.jar", "other.jar");
        assertThat(CommandArms.build(command).sha256()).isNotEqualTo(before);
    }

    @Test
    void aFileThatChangesDuringACampaignIsRefused() throws IOException {
        Arm planned = own(TAKES_PORT);
        Arm arm = planned.with(CommandArms.build(planned.spec().serverCommand().orElseThrow()));
        assertThatCode(() -> ServerLauncher.requireSameJar(arm)).doesNotThrowAnyException();

        jar("app.jar", "other.jar");
        assertThatThrownBy(() -> ServerLauncher.requireSameJar(arm))
                .isInstanceOf(TargetException.class)
                .hasMessage("arms.own: a file that its command names has changed since the campaign began: compare"
                        + " copies that stay");
    }

    @Test
    void aServerThatSetsCookiesNeedsAnAddressOfItsOwn() throws IOException {
        Arm arm = own(TAKES_PORT);
        CommandArms.requireOwnCookies(arm, Set.of(), URI.create("http://127.0.0.1:8080"));
        CommandArms.requireOwnCookies(arm, Set.of("hello"), URI.create("http://127.0.0.3:8080"));
        assertThatThrownBy(
                        () -> CommandArms.requireOwnCookies(arm, Set.of("hello"), URI.create("http://127.0.0.1:8080")))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("arms.own sets cookies and listens on 127.0.0.1")
                .hasMessageEndingWith("give it ${address}");
    }

    /** Returns a campaign of two commands without measurements, as read from its record. */
    private CampaignFolder recorded(String secret) throws IOException {
        Preparation preparation = preparation();
        Planner.Draft draft = preparation.draft(Optional.of(twoCommands(secret).toString()), Map.of());
        Campaign campaign = preparation.begin(draft, "c", folder.resolve("c")).campaign();
        Campaign read = Json.MAPPER.treeToValue(
                Secrets.each(new Secrets().hidden(campaign), Secrets::scrubbed), Campaign.class);
        return new CampaignFolder(read, List.of(), Map.of(), List.of(), Optional.empty(), Optional.empty());
    }

    private Path twoCommands(String secret) throws IOException {
        return Files.writeString(folder.resolve("two.yaml"), """
                arms:
                  one: {command: [java, -jar, app.jar, '--port=${port}', '${address}', '--password=%s', %s]}
                  two: {command: [./run.sh, '${port}'], env: {WORD: %s, HOST: '${address}'}}
                load:
                  - {workloads: hello, users: 10}
                measure: {generators: wrk}
                """.formatted(secret, secret, secret));
    }

    private Campaign goOn(CampaignFolder before, Optional<String> set) {
        return preparation()
                .goOn(
                        before,
                        folder,
                        Optional.of(
                                new Preparation.Named(folder.resolve("two.yaml").toString(), set.orElse(""))),
                        Map.of(),
                        Optional.empty(),
                        Optional.empty())
                .campaign();
    }

    @Test
    void aRecordGivesNoConsentToRunItsCommands() throws IOException {
        CampaignFolder before = recorded("hunter22");
        assertThat(before.campaign().arm("one").spec().command()).contains("--port=${port}", "${address}");
        assertThat(Json.MAPPER.writeValueAsString(before.campaign())).doesNotContain("hunter22");

        assertThatThrownBy(() -> preparation()
                        .goOn(before, folder, Optional.empty(), Map.of(), Optional.empty(), Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("a record gives no consent to run its commands: name the comparison again");
        Campaign campaign = goOn(before, Optional.empty());
        assertThat(campaign.arm("one").spec().command()).contains("--password=hunter22");
        assertThat(campaign.arm("one-control").spec().command()).contains("--password=hunter22");
        assertThat(campaign.arm("two").spec().env()).containsEntry("WORD", "hunter22");
    }

    /** Only the user's file counts: no process is started with a command or an environment from a record. */
    @Test
    void aRecordThatDiffersFromTheUsersFileIsRefused() throws IOException {
        CampaignFolder before = recorded("hunter22");
        String json = Json.MAPPER.writeValueAsString(before.campaign());
        for (List<String> change : List.of(
                List.of("run.sh", "evil.sh"), List.of("\"WORD\"", "\"LD_PRELOAD\""), List.of("--port=", "--exec="))) {
            Campaign strangers = Json.MAPPER.readValue(json.replace(change.get(0), change.get(1)), Campaign.class);
            CampaignFolder folderOfStranger =
                    new CampaignFolder(strangers, List.of(), Map.of(), List.of(), Optional.empty(), Optional.empty());
            assertThatThrownBy(() -> goOn(folderOfStranger, Optional.empty()))
                    .as("%s", change)
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("--resume: arms.");
        }
        Campaign onOtherJdk = Json.MAPPER.readValue(
                json.replace("\"command\" :", "\"jdk\" : \"/opt/jdk-25\", \"command\" :"), Campaign.class);
        assertThatThrownBy(() -> goOn(
                        new CampaignFolder(
                                onOtherJdk, List.of(), Map.of(), List.of(), Optional.empty(), Optional.empty()),
                        Optional.empty()))
                .hasMessageEndingWith("restore it, give the --set that changed it (instead of --jdk, --set"
                        + " server.jdk=HOME), or start a new campaign");
        twoCommands("another1");
        assertThatThrownBy(() -> goOn(before, Optional.empty()))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("--resume: arms.one was ");
        twoCommands("hunter22");
        assertThatThrownBy(() -> goOn(before, Optional.of("arms.two.command=[./run.sh,a,'${port}']")))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("--resume: arms.two was ");
    }

    @Test
    void aComparisonIsNamedAgainForCommandsOnly() throws IOException {
        CampaignFolder before = recorded("hunter22");
        Campaign plain = before.campaign()
                .with(before.campaign().arms().stream()
                        .map(arm -> arm.with(ArmSpec.USUAL))
                        .toList());
        CampaignFolder others =
                new CampaignFolder(plain, List.of(), Map.of(), List.of(), Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> goOn(others, Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--resume takes its comparison from ")
                .hasMessageContaining("leave out ");
    }
}
