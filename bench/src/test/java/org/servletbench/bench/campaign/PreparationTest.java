package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.Conditions;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.ClassArchive;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.verdict.Baseline;

/** Tests a resumed campaign, which keeps its own options, its own jars, and the planned number of blocks. */
class PreparationTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    @TempDir
    private Path folder;

    private Path jar;
    private final List<String> said = new ArrayList<>();

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

    private Preparation preparation() {
        return new Preparation(ROOT, () -> "1", () -> "abc", said::add);
    }

    /** Returns a campaign without measurements. */
    private CampaignFolder interrupted() {
        return interrupted(
                Map.of("settling-time", "7s", "seed", "3"),
                List.of("payload"),
                List.of(new MeasuredLoad("payload", 100, 0, "wrk")));
    }

    private CampaignFolder interrupted(Map<String, String> given, List<String> workloads, List<MeasuredLoad> loads) {
        Arm app = new Arm(
                new Arm.Identity("app", "App", "own", Arm.Role.BASELINE),
                new Arm.Stack("app", "", "", ""),
                new Arm.Build("", "", jar.toString(), ""),
                Threads.PLATFORM,
                WarmStart.NONE,
                ArmSpec.USUAL);
        Plan plan = new Plan(
                new Plan.Subject("full", "", ClaimList.NONE),
                new Plan.Design(7, 2, true, 1080),
                new Plan.Windows(1, 5, 1, 30, 0.1),
                loads,
                new Plan.Rule(
                        List.of("throughput"), Map.of(), Shares.of(0.03), 0.05, Shares.of(0), Baseline.BOTH_COPIES),
                "equalised",
                true);
        CampaignSpec spec = CampaignSpec.of(given, PROFILES);
        Planner.Draft draft = new Planner.Draft(
                spec,
                Planner.procedure(spec, PROFILES),
                plan,
                List.of(app),
                Planner.workloads(spec.measure(), List.of(), PROFILES, workloads),
                "");
        return folder(preparation().begin(draft, "c", folder.resolve("c")).campaign());
    }

    private static CampaignFolder folder(Campaign campaign) {
        return new CampaignFolder(campaign, List.of(), Map.of(), List.of(), Optional.empty(), Optional.empty());
    }

    /** Returns a campaign recorded with other values. Keys with empty values are removed. */
    private static CampaignFolder recorded(
            CampaignFolder before,
            Map<String, String> machine,
            Map<String, String> versions,
            UnaryOperator<Conditions> conditions) {
        Campaign was = before.campaign();
        return folder(new Campaign(
                was.format(),
                new Campaign.Origin(was.id(), was.created(), was.commit()),
                was.plan(),
                was.arms(),
                was.order(),
                new Campaign.Surroundings(
                        changed(was.machine(), machine),
                        changed(was.versions(), versions),
                        conditions.apply(was.conditions()),
                        was.pinning()),
                was.history()));
    }

    private static Conditions setting(Conditions was, String value) {
        return conditions(was, was.options(), changed(was.settings(), Map.of("server.undertow.threads.io", value)));
    }

    private static Conditions without(Conditions was, String option) {
        return conditions(was, changed(was.options(), Map.of(option, "")), was.settings());
    }

    private static Conditions conditions(Conditions was, Map<String, String> options, Map<String, String> settings) {
        return new Conditions(
                new Conditions.Asked(was.folder(), was.command(), options, was.given()),
                new Conditions.Servers(
                        was.jvmOptions(), settings, was.workloads(), was.exchanges(), was.setByRig(), was.changed()),
                was.followedLoad());
    }

    private static Map<String, String> changed(Map<String, String> was, Map<String, String> by) {
        Map<String, String> all = new TreeMap<>(was);
        all.putAll(by);
        all.values().removeIf(String::isEmpty);
        return all;
    }

    private Prepared goOn(CampaignFolder before, Optional<Integer> blocks, Optional<Double> limit) {
        return preparation().goOn(before, folder, Optional.empty(), Map.of(), blocks, limit);
    }

    private void assertRejected(CampaignFolder before, String why) {
        assertThatThrownBy(() -> goOn(before, Optional.empty(), Optional.empty()))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("the campaign cannot go on")
                .hasMessageContaining(why)
                .hasMessageEndingWith("restore that, or start a new campaign");
    }

    @Test
    void itHasTheOptionsThatItBeganWith() {
        Prepared ready = goOn(interrupted(), Optional.empty(), Optional.empty());

        assertThat(ready.procedure().settling()).hasSeconds(7);
        assertThat(ready.procedure().hasHold()).as("a default").isFalse();
        assertThat(ready.campaign().conditions().given()).contains("seed").doesNotContain("rounds");
        assertThat(ready.workloads()).extracting(Workload::name).containsExactly("payload");
        assertThat(ready.campaign().plan().limitSeconds()).isEqualTo(1080);
        assertThat(ready.campaign().history()).singleElement().satisfies(event -> assertThat(event.what())
                .isEqualTo(What.RESUMED));
        assertThat(said).noneMatch(line -> line.startsWith("warning"));
    }

    @Test
    void itDoesNotGoOnWithOtherSettingsOrJvmOptions() throws IOException {
        Path options = folder.resolve("jvm.options");
        Files.writeString(options, "-Xmx512m\n");
        CampaignFolder before = interrupted(
                Map.of("jvm.options", options.toString()),
                List.of("payload"),
                List.of(new MeasuredLoad("payload", 100, 0, "wrk")));
        assertThat(goOn(before, Optional.empty(), Optional.empty()).workloads()).hasSize(1);

        assertRejected(
                recorded(before, Map.of(), Map.of(), was -> setting(was, "9")),
                "settings.server.undertow.threads.io was '9' and is '2'");
        assertRejected(
                recorded(before, Map.of(), Map.of(), was -> setting(was, "")),
                "settings.server.undertow.threads.io was not set and is '2'");
        Files.writeString(options, "-Xmx513m\n");
        assertRejected(
                before,
                "jvmOptions was '[\"-Xmx512m\",\"-XX:+AlwaysPreTouch\",\"-XX:+UseTransparentHugePages\"]' and is"
                        + " '[\"-Xmx513m\",\"-XX:+AlwaysPreTouch\",\"-XX:+UseTransparentHugePages\"]'");
    }

    @Test
    void norOnAnotherMachineNorWithAnotherTool() {
        CampaignFolder before = interrupted();

        assertRejected(
                recorded(before, Map.of("cores", "99"), Map.of(), was -> was), "machine.cores was '99' and is '");
        assertRejected(recorded(before, Map.of("cpu", "Z80"), Map.of(), was -> was), "machine.cpu was 'Z80' and is '");
        assertRejected(
                recorded(before, Map.of(), Map.of("wrk", "wrk 0.1"), was -> was), "versions.wrk was 'wrk 0.1' and is ");
        Prepared elsewhere = goOn(
                recorded(before, Map.of("memory.bytes", "1", "load.before", "9"), Map.of("siege", "1"), was -> was),
                Optional.empty(),
                Optional.empty());
        assertThat(elsewhere.campaign().history()).hasSize(1);
    }

    @Test
    void anOptionThatItBeganWithoutIsNotTakenFromToday() {
        CampaignFolder before = interrupted();

        assertRejected(
                recorded(before, Map.of(), Map.of(), was -> without(was, "disturbed.percent")),
                "options.disturbed.percent was not set and is '5'");
    }

    @Test
    void otherSourcesOfTheRigAreSaid() {
        CampaignFolder before = interrupted();
        new Preparation(ROOT, () -> "1", () -> "def", said::add)
                .goOn(before, folder, Optional.empty(), Map.of(), Optional.empty(), Optional.empty());

        assertThat(said)
                .anyMatch(line -> line.startsWith("warning: the campaign began with servlet-bench of commit abc"));
    }

    /** The first workload is the one used to measure an application's time to ready. */
    @Test
    void workloadsKeepTheirOrder() {
        CampaignFolder before = interrupted(Map.of(), List.of("payload", "hello"), List.of(MeasuredLoad.START_UP));

        assertThat(goOn(before, Optional.empty(), Optional.empty()).workloads())
                .extracting(Workload::name)
                .containsExactly("payload", "hello");
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
        assertThatThrownBy(() -> goOn(interrupted(), Optional.of(5), Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--blocks 5: the campaign has no precision");
        assertThatThrownBy(() -> goOn(interrupted(), Optional.of(1), Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--blocks 1");
    }

    /**
     * It is refused before any machine is contacted: the ssh configuration in an untrusted record could run commands.
     */
    @Test
    void aRecordNamesNoMachineAndGivesNoConsent() throws IOException {
        Path ran = folder.resolve("ran");
        Path config = Files.writeString(folder.resolve("config"), "Host *\n  ProxyCommand sh -c 'touch " + ran + "'\n");
        CampaignFolder stranger = recorded(
                interrupted(),
                Map.of(),
                Map.of(),
                was -> was.with(Map.of(
                        "target.host", "elsewhere",
                        "load.hosts", "others",
                        "ssh.config", config.toString(),
                        "target.allow-remote", "true")));
        assertThatThrownBy(() -> goOn(stranger, Optional.empty(), Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("a record does not name machines or allow load on them")
                .hasMessageContaining("load.hosts=others, target.allow-remote=true, target.host=elsewhere")
                .hasMessageNotContaining("config");
        assertThatThrownBy(() -> preparation()
                        .goOn(
                                stranger,
                                folder,
                                Optional.empty(),
                                Map.of("target.host", "mine", "target.allow-remote", "true"),
                                Optional.empty(),
                                Optional.empty()))
                .isInstanceOf(UsageException.class);
        assertThat(ran).doesNotExist();
    }

    /** This includes the way ssh reaches them, which may run commands. */
    @Test
    void machinesThatAreNamedAgainAreThoseOfTheCommand() throws IOException {
        Map<String, String> machines = Map.of("target.host", "no-such-host.invalid", "target.allow-remote", "true");
        Map<String, String> configs = new TreeMap<>();
        for (String of : List.of("record", "command")) {
            configs.put(
                    of,
                    Files.writeString(
                                    folder.resolve(of + ".config"),
                                    "Host *\n  ProxyCommand touch " + folder.resolve(of) + "\n")
                            .toString());
        }
        CampaignFolder before = recorded(interrupted(), Map.of(), Map.of(), was -> was.with(machines)
                .with(Map.of("ssh.config", configs.get("record"))));
        Map<String, String> again = new TreeMap<>(machines);
        again.put("ssh.config", configs.get("command"));
        assertThatThrownBy(() ->
                        preparation().goOn(before, folder, Optional.empty(), again, Optional.empty(), Optional.empty()))
                .isInstanceOf(TargetException.class);
        assertThat(folder.resolve("record")).doesNotExist();
        if (ManagedProcess.onPath("ssh").isPresent()) {
            assertThat(folder.resolve("command")).exists();
        }
    }

    @Test
    void aDatabaseElsewhereIsNotTakenFromARecord() {
        String url = "jdbc:postgresql://db.example.org/shop";
        CampaignFolder before = recorded(interrupted(), Map.of(), Map.of(), was -> was.with(Map.of("db.url", url)));
        assertThatThrownBy(() -> goOn(before, Optional.empty(), Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("name again db.url=" + url);
        assertThat(preparation()
                        .goOn(
                                before,
                                folder,
                                Optional.empty(),
                                Map.of("db.url", url),
                                Optional.empty(),
                                Optional.empty())
                        .procedure()
                        .start()
                        .database())
                .contains(url);
        CampaignFolder here = recorded(
                interrupted(),
                Map.of(),
                Map.of(),
                was -> was.with(Map.of("db.url", "jdbc:postgresql://127.0.0.1/shop")));
        assertThat(goOn(here, Optional.empty(), Optional.empty())
                        .procedure()
                        .start()
                        .database())
                .contains("jdbc:postgresql://127.0.0.1/shop");
    }

    /** In an untrusted folder, a link could redirect the results. */
    @ParameterizedTest
    @ValueSource(strings = {"blocks/1", "blocks", "settings", "blocks/2/load-1", "blocks/1/1-app/server.log"})
    void aFolderWithALinkDoesNotGoOn(String place) throws IOException {
        CampaignFolder before = interrupted();
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Path campaign = folder.resolve("c");
        Path link = campaign.resolve(place);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, elsewhere);
        assertThatThrownBy(() -> preparation()
                        .goOn(before, campaign, Optional.empty(), Map.of(), Optional.empty(), Optional.empty()))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(place + " is a link or a device");
        CampaignStore store = new CampaignStore(campaign);
        if (place.startsWith("blocks") && !place.endsWith(".log")) {
            assertThatThrownBy(() -> store.make(campaign.resolve(place).resolve("x")))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("is a link, and we do not write through links");
        }
        assertThat(elsewhere).isEmptyDirectory();
    }

    /** Makes an executable jar with one library. */
    private void service(String boot, String library, String... properties) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Main-Class", "org.springframework.boot.loader.launch.JarLauncher");
        manifest.getMainAttributes().putValue("Spring-Boot-Version", boot);
        manifest.getMainAttributes().putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
        manifest.getMainAttributes().putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
        Stream.of(properties).filter(one -> one.startsWith("main=")).forEach(one -> manifest.getMainAttributes()
                .putValue("Start-Class", one.substring(5)));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new ZipEntry("BOOT-INF/lib/" + library));
            out.putNextEntry(new ZipEntry("BOOT-INF/classes/application.properties"));
            out.write(String.join("\n", properties).getBytes(StandardCharsets.UTF_8));
            // Compiled for Java 99.
            out.putNextEntry(new ZipEntry("BOOT-INF/classes/shop/New.class"));
            out.write(new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, (byte) (44 + 99)});
        }
    }

    private Planner.Draft ofService(String arms) {
        return preparation()
                .draft(
                        Optional.empty(),
                        Map.of("app", jar.toString(), "url", "/api/owners", "users", "50", "arms", arms));
    }

    /** Otherwise the unchanged jar would run under the name of a container that it does not contain. */
    @ParameterizedTest
    @CsvSource({
        "undertow-core-2.3.23.Final.jar, 'tomcat-nio,jetty', tomcat jetty, tomcat jetty",
        "tomcat-embed-core-10.1.60.jar, 'tomcat-nio,undertow', '- undertow', tomcat undertow",
        "tomcat-embed-core-10.1.60.jar, 'tomcat,undertow:heap=256m', '- undertow', tomcat undertow"
    })
    void anArmThatIsCalledByAConnectorHasIt(String library, String arms, String exchanged, String containers)
            throws IOException {
        service("3.5.16", library);

        assertThat(ofService(arms).arms())
                .filteredOn(arm -> arm.role() != Arm.Role.CONTROL)
                .satisfies(all -> assertThat(all)
                        .extracting(arm -> arm.spec().container() == null
                                ? "-"
                                : arm.spec().container())
                        .containsExactly(exchanged.split(" ")))
                .extracting(Arm::container)
                .containsExactly(containers.split(" "));
    }

    /**
     * A third-party starter may bring Undertow, which Spring Boot 4 dropped. Such a jar is an arm unchanged, and
     * Undertow goes into no other jar.
     */
    @Test
    void aJarThatBringsUndertowToSpringBoot4IsAnArmAsItIs() throws IOException {
        service("4.1.1", "undertow-core-2.4.4.Final.jar");

        assertThat(ofService("undertow:heap=256m,undertow:heap=512m").arms())
                .filteredOn(arm -> arm.role() != Arm.Role.CONTROL)
                .hasSize(2)
                .allSatisfy(arm -> {
                    assertThat(arm.spec().container()).isNull();
                    assertThat(arm.container()).isIn("", "undertow");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "tomcat-nio2,jetty | 'arms.tomcat-nio2': Spring Boot has no property for Tomcat's connector",
                "tomcat,x:container=tomcat-apr | Spring Boot has no property for Tomcat's connector",
                "tomcat,jety | 'arms.jety': there is no container 'jety'"
            })
    void anArmThatAServiceCannotHaveIsRejected(String arms, String why) throws IOException {
        service("3.5.16", "tomcat-embed-core-10.1.60.jar");

        assertThatThrownBy(() -> ofService(arms))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }

    /** Without this check it would fail only after minutes, with a less helpful message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "4.1.1  | tomcat-embed-core-11.0.1.jar  | tomcat,undertow | - | arms.undertow: Spring Boot 4 has no Undertow: leave this arm out",
                "2.1.3.RELEASE | tomcat-embed-core-9.0.16.jar | tomcat,jetty | - | is built with Spring Boot 2.1.3.RELEASE: the oldest that can be compared is 2.7",
                "3.5.16 | tomcat-embed-core-10.1.60.jar | tomcat,jetty | main=shop.New | is built for Java 99, and its servers would run on JDK",
                "3.5.16 | tomcat-embed-core-10.1.60.jar | tomcat,jetty | spring.datasource.url=jdbc:h2:file:./shop;MODE=MySQL | its database is in a file (jdbc:h2:file:./shop), which one server at a time can open, and servers run together: give --set measure.together=false, or each its own file: --set 'server.properties.spring.datasource.url=jdbc:h2:file:./shop-${arm}'",
                "3.5.16 | tomcat-embed-core-10.1.60.jar | tomcat,jetty | server.servlet.context-path=/shop | arms.tomcat: /api/owners is not below its context path /shop (server.servlet.context-path): give /shop/api/owners",
                "3.5.16 | tomcat-embed-core-10.1.60.jar | tomcat:archive=cds,jetty | - | app.jar has no jarmode 'tools', which extracts it for an archive of its classes",
                "3.5.16 | tomcat-embed-core-10.1.60.jar | tomcat | - | has one arm, and nothing to compare it with: compare JDKs, heaps or two builds, such as",
            })
    void whatAServiceCannotDoIsSaidBeforeAnythingStarts(
            String boot, String library, String arms, String properties, String why) throws IOException {
        service(boot, library, properties);

        assertThatThrownBy(() -> ofService(arms))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aRequestBelowTheContextPathIsTaken() throws IOException {
        service("3.5.16", "tomcat-embed-core-10.1.60.jar", "server.servlet.context-path=/api");

        assertThat(ofService("tomcat,jetty").arms()).hasSize(3);
    }

    @Test
    void aContainerThatIsLeftOutIsNamedWithTheReason() throws IOException {
        service("4.1.1", "tomcat-embed-core-11.0.1.jar");
        preparation().draft(Optional.empty(), Map.of("app", jar.toString(), "url", "/", "users", "50"));
        assertThat(said).contains("undertow is left out: Spring Boot 4 has no Undertow");

        said.clear();
        service("3.5.16", "tomcat-embed-core-10.1.60.jar");
        preparation().draft(Optional.empty(), Map.of("app", jar.toString(), "url", "/", "users", "50"));
        assertThat(said).noneMatch(line -> line.contains("left out"));
    }

    /** The two arms would not differ. */
    @ParameterizedTest
    @CsvSource({"3.5.16, 25.0.1, true", "3.1.12, 25.0.1, false", "3.5.16, 17.0.9, false"})
    void aLimitThatVirtualThreadsDoNotHaveIsRejected(String boot, String jdk, boolean rejected) throws IOException {
        service(boot, "tomcat-embed-core-10.1.60.jar", "spring.threads.virtual.enabled=true");
        Planner.Draft draft = preparation()
                .draft(
                        Optional.empty(),
                        Map.of(
                                "app",
                                jar.toString(),
                                "url",
                                "/api",
                                "arms",
                                "tomcat,jetty",
                                "set",
                                "arms.tomcat.properties.server.tomcat.threads.max=200"));
        List<Jdk> jdks = List.of(new Jdk(Path.of("/jdk"), jdk, jdk, "vendor", "vm"));

        ThrowingCallable check = () -> ServiceArms.requirePossible(draft, jdks);

        if (rejected) {
            assertThatThrownBy(check)
                    .isInstanceOf(UsageException.class)
                    .hasMessage(
                            "arms.tomcat: server.tomcat.threads.max=200 limits nothing: its threads are virtual, and"
                                    + " Tomcat starts one for each request: leave it out, or compare platform threads");
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
    }

    /** Otherwise two sets of equal servers would be compared, and virtual threads would seem to change nothing. */
    @ParameterizedTest
    @CsvSource({
        "3.5.16, 25.0.1, true, false",
        "3.1.12, 25.0.1, true, true",
        "2.7.18, 25.0.1, true, true",
        "3.1.12, 25.0.1, false, false",
        "3.5.16, 17.0.9, true, true"
    })
    void virtualThreadsThatNoServerHasAreRejected(String boot, String jdk, boolean asked, boolean rejected)
            throws IOException {
        service(boot, "tomcat-embed-core-10.1.60.jar");
        Planner.Draft plain = ofService("tomcat,jetty");
        ArmSpec own = Json.MAPPER.readValue(
                Json.MAPPER
                        .writeValueAsString(plain.arms().get(1).spec())
                        .replaceFirst(
                                "\\{", "{\"properties\": {\"spring.threads.virtual.enabled\": \"" + asked + "\"},"),
                ArmSpec.class);
        Planner.Draft draft =
                plain.with(List.of(plain.arms().get(0), plain.arms().get(1).with(own)));
        List<Jdk> jdks = List.of(new Jdk(Path.of("/jdk"), jdk, jdk, "vendor", "vm"));

        ThrowingCallable check = () -> ServiceArms.requirePossible(draft, jdks);

        if (rejected) {
            assertThatThrownBy(check)
                    .isInstanceOf(UsageException.class)
                    .hasMessage("arms.jetty: spring.threads.virtual.enabled has no effect with Spring Boot " + boot
                            + " on JDK " + jdk + ": virtual threads need Spring Boot 3.2 and JDK 21, or newer ones");
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
    }

    /** Spring Boot 3.5.16 fails with "Invalid library location WEB-INF/lib-provided/…". */
    @Test
    void aWarWithProvidedLibrariesHasNoArchiveOfClasses() throws IOException {
        Path war = folder.resolve("shop.war");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(war))) {
            out.putNextEntry(new ZipEntry("WEB-INF/lib/spring-boot-jarmode-tools-3.5.16.jar"));
        }
        assertThat(ClassArchive.lacksTools(war)).isEmpty();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(war))) {
            out.putNextEntry(new ZipEntry("WEB-INF/lib/spring-boot-jarmode-tools-3.5.16.jar"));
            out.putNextEntry(new ZipEntry("WEB-INF/lib-provided/tomcat-embed-core-10.1.55.jar"));
        }
        assertThat(ClassArchive.lacksTools(war))
                .hasValueSatisfying(why -> assertThat(why).contains("is a war with libraries in WEB-INF/lib-provided"));
    }

    /** A dry run reports it as well. */
    @Test
    void whatNeedsMavenIsRefusedWhereThereIsNone() throws IOException {
        service("3.5.16", "tomcat-embed-core-10.1.60.jar");
        Planner.Draft exchange = ofService("tomcat,jetty");
        ArmBuilds zip = new ArmBuilds(folder, said::add);

        assertThatThrownBy(() -> zip.requireBuildable(exchange.arms(), exchange.plan(), false))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith(
                        "jetty: exchanging the container of app.jar needs Maven, which is not on the PATH");
        Planner.Draft ours = PlannerTest.draft("quick", Map.of());
        assertThatThrownBy(() -> zip.requireBuildable(ours.arms(), ours.plan(), true))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("is built from the sources of servlet-bench");
        Planner.Draft heaps = ofService("tomcat:heap=256m,tomcat:heap=512m");
        assertThatThrownBy(() -> zip.requireBuildable(heaps.arms(), heaps.plan(), false))
                .hasMessageStartingWith("generator gatling is built from the sources of servlet-bench");
        assertThatCode(() -> new ArmBuilds(ROOT, said::add).requireBuildable(heaps.arms(), heaps.plan(), false))
                .doesNotThrowAnyException();
    }

    @Test
    void aJarThatIsNotStartedIsNoService() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();

        Path after = Files.copy(jar, jar.resolveSibling("after.jar"));
        assertThatThrownBy(() -> preparation().draft(Optional.empty(), Map.of("app", jar + "\n" + after, "url", "/")))
                .isInstanceOf(UsageException.class)
                .hasMessage("arms.before: app.jar cannot be started (its manifest has no Main-Class): give the jar that"
                        + " spring-boot:repackage or bootJar makes");
    }

    /** The command that the message suggests works. */
    @Test
    void aServiceOnNettyIsComparedInOtherWays() throws IOException {
        service("3.5.16", "reactor-netty-http-1.2.0.jar");

        assertThatThrownBy(() -> ofService("netty")).hasMessageContaining("--arms netty:heap=256m,netty:heap=512m");
        assertThat(ofService("netty:heap=256m,netty:heap=512m"))
                .satisfies(draft -> assertThat(draft.plan().question()).isEmpty())
                .satisfies(draft -> assertThat(draft.arms())
                        .extracting(arm -> arm.id() + " " + arm.spec().container())
                        .containsExactly("netty-256m null", "netty-512m null", "netty-256m-control null"));
        assertThatThrownBy(() -> ofService("netty,jetty")).hasMessageContaining("netty:heap=256m,netty:heap=512m");
    }

    @Test
    void whatIsSetForAServiceIsSaid() throws IOException {
        service(
                "3.5.16",
                "tomcat-embed-core-10.1.60.jar",
                "server.tomcat.threads.max=50",
                "server.tomcat.accesslog.enabled=true",
                "server.ssl.key-store=classpath:own.p12",
                "management.server.port=9001");
        Planner.Draft draft = ofService("tomcat,jetty");

        assertThat(String.join("\n", said))
                .contains(
                        "tomcat: its own server.tomcat.threads.max=50 stay; the rig sets server.tomcat.accept-count=4096, ")
                .contains("jetty: the rig sets server.jetty.connection-idle-timeout=300s, ")
                .contains("the rig moves its management.server.port=9001 to a free port on each server's own address")
                .contains("server.tomcat.accesslog.enabled=true, server.tomcat.threads.max=50 has an effect on that"
                        + " container alone")
                .contains("it speaks https, with a certificate of the rig");
        assertThat(draft.arms()).allSatisfy(arm -> {
            assertThat(arm.spec().speaks()).isEqualTo(Protocol.HTTPS);
            assertThat(ServiceArms.arguments(arm.spec()))
                    .containsExactly(
                            "--management.server.port=${port}", "--management.server.address=${server.address}");
        });
        ArmSpec tomcat = draft.arms().get(0).spec();
        Path set = PROFILES.settings("equalised");
        assertThat(ProfilesFolder.settingsValues(ServiceArms.settings(set, tomcat, folder, "tomcat")))
                .doesNotContainKey("server.tomcat.threads.max")
                .hasSize(ProfilesFolder.settingsValues(set).size() - 1);
        ArmSpec asked =
                ofService("tomcat:properties=equalised,jetty").arms().get(0).spec();
        assertThat(ServiceArms.settings(set, asked, folder, "tomcat")).isEqualTo(set);
    }

    @Test
    void whatDoesNotReachAServiceIsSaid() throws IOException {
        service("3.5.16", "tomcat-embed-core-10.1.60.jar");
        Planner.Draft draft = ofService("tomcat,jetty");

        assertThat(ServiceArms.words(draft, PROFILES, Map.of("SPRING_PROFILES_ACTIVE", "prod")))
                .containsOnlyKeys("tomcat", "jetty")
                .allSatisfy((arm, words) -> assertThat(words)
                        .endsWith("SPRING_PROFILES_ACTIVE of this shell does not reach it: give --set"
                                + " server.env.SPRING_PROFILES_ACTIVE=prod"));
    }

    @Test
    void aServicesRootHasAName() throws IOException {
        service("3.5.16", "tomcat-embed-core-10.1.60.jar");

        Planner.Draft draft =
                preparation().draft(Optional.empty(), Map.of("app", jar.toString(), "url", "/", "users", "50"));
        assertThat(draft.plan().loads())
                .extracting(load -> load.withoutGenerator().name())
                .containsExactly("GET-root 50 users");
        assertThat(draft.plan().question()).startsWith("Which container is fastest for / of ");
        assertThat(ofService("tomcat,tomcat:heap=256m").plan().question()).isEmpty();
    }

    /** The suggested comparison of two builds has both jars and the request filled in. */
    @Test
    void twoJarsAreWhatWasBeforeAChangeAndWhatIsAfterIt() throws IOException {
        service("3.5.16", "tomcat-embed-core-10.1.60.jar");
        Path after = Files.copy(jar, jar.resolveSibling("after.jar"));
        Preparation preparation = preparation();
        Planner.Draft draft =
                preparation.draft(Optional.empty(), Map.of("app", jar + "\n" + after, "url", "/api/owners?page=1"));

        assertThat(draft.plan().name()).isEqualTo("pull-request");
        assertThat(String.join("\n", said))
                .contains("before, after: the rig sets server.tomcat.accept-count=4096, ")
                .doesNotContain("server.jetty.");
        assertThat(draft.plan().question()).isEqualTo("Is after.jar slower than app.jar for /api/owners?page=1?");
        Path sameName =
                Files.copy(jar, Files.createDirectory(folder.resolve("new")).resolve("app.jar"));
        assertThat(preparation
                        .draft(Optional.empty(), Map.of("app", jar + "\n" + sameName, "url", "/"))
                        .plan()
                        .question())
                .isEqualTo("Is new/app.jar slower than " + folder.getFileName() + "/app.jar for /?");
        Path requests = Files.writeString(jar.resolveSibling("mine.yaml"), """
                arms:
                  before: {app: before.jar}
                  after: {app: after.jar}
                workloads:
                  list: {url: /list}
                  show: {url: /show}
                load:
                  - {workloads: [list, show], users: 4}
                """);
        assertThat(preparation
                        .draft(Optional.of(requests.toString()), Map.of("app", jar + "\n" + after))
                        .workloads())
                .extracting(Workload::path)
                .containsExactly("/list", "/show");
        assertThatThrownBy(() -> preparation.draft(
                        Optional.of(requests.toString()), Map.of("app", jar + "\n" + after, "url", "/")))
                .hasMessage("--url is for a comparison with one workload of its own, and " + requests
                        + " has 2: leave it out");
        assertThat(draft.arms()).extracting(Arm::id).containsExactly("before", "after", "before-control");
        assertThat(draft.arms())
                .extracting(arm -> arm.spec().app())
                .containsExactly(jar.toString(), after.toString(), jar.toString());
        assertThat(draft.workloads()).singleElement().extracting(Workload::path).isEqualTo("/api/owners?page=1");
        assertThat(draft.plan().loads())
                .extracting(draft.plan()::primary)
                .containsExactly(List.of("cpu", "alloc"), List.of("mean"));
        assertThat(draft.plan().margin().of(Metric.MEAN)).isEqualTo(0.2);
        assertThat(draft.plan().margin().of(Metric.ALLOCATION)).isEqualTo(0.01);
        assertThat(draft.plan().margin().of(Metric.CPU)).isEqualTo(0.05);
        assertThat(draft.plan().precision()).isEqualTo(0.04);
        assertThat(draft.plan().claims().all()).hasSize(3);
        assertThat(draft.command()).startsWith("compare ").contains("--app=" + jar + " ", "--app=" + after);
        assertThat(said).anyMatch(line -> line.startsWith("note: app.jar and after.jar are equal (SHA-256): "));

        Planner.Draft start = preparation.draft(
                Optional.of("pull-request-start"), Map.of("app", jar + "\n" + after, "url", "/api/owners"));
        assertThat(start.plan().isStartUp()).isTrue();
        assertThat(start.command()).startsWith("compare pull-request-start --");
        assertThatThrownBy(() -> preparation.draft(Optional.of("quick"), Map.of("app", jar + "\n" + after, "url", "/")))
                .hasMessageStartingWith("two --app are the arms before and after, and quick has others");
        assertThatThrownBy(() ->
                        preparation.draft(Optional.empty(), Map.of("app", jar + "\n" + jar + "\n" + after, "url", "/")))
                .hasMessageStartingWith("--app: give one jar, or two");
    }

    /** The jar's own container is the baseline, in the unchanged jar. Spring Boot 4 does not support Undertow. */
    @ParameterizedTest
    @CsvSource({
        "3.5.16, tomcat-embed-core-10.1.60.jar, tomcat jetty undertow",
        "4.1.0, jetty-server-12.1.5.jar, jetty tomcat"
    })
    void aServiceIsComparedOnTheContainersOfItsSpringBoot(String boot, String library, String containers)
            throws IOException {
        service(boot, library);
        Planner.Draft draft = preparation()
                .draft(
                        Optional.empty(),
                        Map.of(
                                "app",
                                jar.toString(),
                                "url",
                                "/api/owners?page=1",
                                "users",
                                "50",
                                "set",
                                "stop.limit=5m"));

        List<String> names = List.of(containers.split(" "));
        assertThat(draft.arms())
                .filteredOn(arm -> arm.role() != Arm.Role.CONTROL)
                .extracting(Arm::id)
                .containsExactlyElementsOf(names);
        assertThat(draft.arms().get(0).role()).isEqualTo(Arm.Role.BASELINE);
        assertThat(draft.plan().loads())
                .extracting(load -> load.withoutGenerator().name())
                .containsExactly("GET-api-owners 50 users");
        assertThat(draft.workloads()).singleElement().satisfies(workload -> {
            assertThat(workload.path()).isEqualTo("/api/owners?page=1");
            assertThat(workload.hasLength()).isFalse();
        });
        assertThat(draft.command()).startsWith("compare ").contains("--app=" + jar, "--url=");
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
