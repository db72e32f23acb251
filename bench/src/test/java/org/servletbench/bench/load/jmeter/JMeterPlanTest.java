package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.cli.RunOptions;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.UsageException;

/** Tests the plan of the open model. PlansTest in jmeter-plans loads plans into JMeter. */
class JMeterPlanTest {

    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("../profiles"));

    @TempDir
    private Path folder;

    private static JMeterPlan plan(String rate, Map<String, String> more) {
        RunOptions asked = asked(new Options(
                        Map.of("model", "open", "rate", rate, "hold", "2500ms", "workloads", "payload,hello"),
                        PROFILES.loadDefaults())
                .orElse(more));
        return JMeterPlan.of(
                Path.of("../jmeter-plans/tiers.jmx"),
                asked.load(),
                URI.create("http://127.0.0.1:8080"),
                asked.jmeterHosts());
    }

    private static RunOptions asked(Options options) {
        return new RunOptions(options, PROFILES);
    }

    private static LoadPlan usualLoad() {
        return asked(new Options(Map.of(), PROFILES.loadDefaults())).load();
    }

    private String text(JMeterPlan plan) throws IOException {
        Path file = folder.resolve("plan.jmx");
        plan.write(file);
        return Files.readString(file);
    }

    @Test
    void eachWorkloadIsAGroupThatStartsWithAPauseUntilItsOwnStart() throws IOException {
        JMeterPlan plan = plan("62.5", Map.of());

        assertThat(plan.labels()).containsExactly("payload at 62.5/s", "hello at 62.5/s");
        String text = text(plan);
        assertThat(text)
                .containsSubsequence(
                        "${__P(rate,62.5)}",
                        "${__P(hold,2.5)}",
                        "<SetupThreadGroup ",
                        "<OpenModelThreadGroup ",
                        "\"OpenModelThreadGroup.schedule\">pause(${__longSum(${__time()},",
                        ",1000)} ms)\nrate(${rate}/s) even_arrivals(${hold} s)\npause(5 s)<",
                        "testname=\"payload at ${rate}/s\"",
                        "${payload.path}",
                        "${payload.bytes.max}",
                        "<OpenModelThreadGroup ",
                        "testname=\"hello at ${rate}/s\"")
                .contains(
                        "<elementProp elementType=\"OpenModelThreadGroupController\" name=\"ThreadGroup.main_controller\">")
                .doesNotContain("<ThreadGroup ")
                .doesNotContain("${tier.")
                .doesNotContain("\"tier.1\"", "\"loops.1\"", "\"rampup\"", "\"duration\"")
                .doesNotContain("start together");
        // Two groups for each workload: one that is not counted, and one that is.
        assertThat(text.split("<OpenModelThreadGroup ", -1)).hasSize(1 + 2 * 2);
    }

    /** A user's own plan must load only the server that is started for it. */
    @Test
    void anOwnPlanRunsAsItIsOrIsRejectedInALine() throws IOException {
        LoadPlan load = usualLoad();
        String hello = Files.readString(Path.of("../jmeter-plans/hello.jmx"));
        Path file = folder.resolve("shop.jmx");
        Map<String, String> wrong = new LinkedHashMap<>();
        wrong.put("no plan", "is not a JMeter plan: line 1");
        wrong.put("<html/>", "has no TestPlan");
        wrong.put(hello.replace("${__P(host,127.0.0.1)}", "127.0.0.1"), "does not read the property host");
        wrong.put(hello.replace("${__P(port,8080)}", "8080"), "does not read the property port");
        wrong.put(hello.replace(">${host}<", ">example.com<"), "would load another server, example.com");
        wrong.put(hello.replace(">${hello.path}<", ">http://example.com/<"), "would load another server");
        assertThatThrownBy(() -> JMeterPlan.own(file, load))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("cannot read " + file);
        for (Map.Entry<String, String> one : wrong.entrySet()) {
            Files.writeString(file, one.getKey());
            assertThatThrownBy(() -> JMeterPlan.own(file, load))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining(one.getValue())
                    .hasMessageNotContaining("\n");
        }
        Files.writeString(file, hello);
        JMeterPlan own = JMeterPlan.own(file, load);
        assertThat(own.labels()).isEmpty();
        assertThat(own.writeToRun(folder.resolve("plan.jmx"))).isEqualTo(file);
        assertThat(folder.resolve("plan.jmx")).content().contains("${__P(users,100)}");
        assertThat(own.given()).isEmpty();
        System.setProperty("users", "7");
        try {
            assertThat(own.given()).containsExactly(Map.entry("users", "7"));
        } finally {
            System.clearProperty("users");
        }
    }

    /** JMeter itself would start, wait, and report only that it could not read the plan. */
    @Test
    void anElementOfAPlugInIsNamedBeforeAnythingStarts() throws IOException {
        Path home = folder.resolve("jmeter");
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib/ext"));
        Path names = home.resolve("bin/saveservice.properties");
        String hello = Files.readString(Path.of("../jmeter-plans/hello.jmx"));
        Set<String> used = Pattern.compile("(?:testclass|guiclass)=\"([^\"]+)\"")
                .matcher(hello)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        // JMeter's own file also lists two names for one class in a line.
        Files.writeString(names, String.join(",", used) + "=x\n");
        JMeter jmeter = new JMeter(home, "5.6.3", new Size("1g"), home, home, "");
        LoadPlan load = usualLoad();
        Path file = folder.resolve("shop.jmx");
        Files.writeString(file, hello);
        JMeterPlan.own(file, load).requireElements(jmeter);
        Files.writeString(file, hello.replace("testclass=\"ThreadGroup\"", "testclass=\"kg.apc.UltimateThreadGroup\""));
        assertThatThrownBy(() -> JMeterPlan.own(file, load).requireElements(jmeter))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(" needs kg.apc.UltimateThreadGroup, which JMeter 5.6.3 does not have")
                .hasMessageNotContaining("\n");
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(home.resolve("lib/ext/plug.jar")))) {
            jar.putNextEntry(new ZipEntry("kg/apc/UltimateThreadGroup.class"));
        }
        JMeterPlan.own(file, load).requireElements(jmeter);
    }

    private String refused(Path file) {
        LoadPlan load = usualLoad();
        return catchThrowableOfType(UsageException.class, () -> JMeterPlan.own(file, load))
                .getMessage()
                .replace(file.toString(), "FILE");
    }

    /** JMeter only reports "Error in NonGUIDriver" for these. */
    @Test
    void aPlanThatJMeterCannotLoadIsRefusedWithItsLine() throws IOException {
        String hello = Files.readString(Path.of("../jmeter-plans/hello.jmx"));
        Path file = folder.resolve("shop.jmx");
        String threads = hello.lines()
                .filter(line -> line.contains("ThreadGroup.num_threads"))
                .findFirst()
                .orElseThrow();
        long line = hello.lines().takeWhile(one -> !one.equals(threads)).count() + 1;
        Map<String, String> wrong = Map.of(
                "<intProp name=\"ThreadGroup.num_threads\">${users}</intProp>",
                "intProp ThreadGroup.num_threads is '${users}', and JMeter wants a number there: write a stringProp",
                "<longProp name=\"ThreadGroup.delay\"></longProp>",
                "longProp ThreadGroup.delay is '', and JMeter wants a number there",
                "<boolProp name=\"ThreadGroup.scheduler\">${timed}</boolProp>",
                "boolProp ThreadGroup.scheduler is '${timed}', and JMeter takes that for false: write a stringProp",
                "<hashTree/>",
                "a hashTree within ThreadGroup (line ");
        for (Map.Entry<String, String> one : wrong.entrySet()) {
            Files.writeString(file, hello.replace(threads, one.getKey()));
            assertThat(refused(file)).startsWith("FILE, line " + line + ": " + one.getValue());
        }
        Files.writeString(file, hello.replace(threads, "<intProp name=\"ThreadGroup.num_threads\"> 5 </intProp>"));
        JMeterPlan.own(file, usualLoad());
    }

    @Test
    void anElementAndItsTreeFollowEachOther() throws IOException {
        Path file = folder.resolve("shop.jmx");
        String end = "<a>${__P(host,h)}${__P(port,1)}</a></hashTree></jmeterTestPlan>";
        Map<String, String> wrong = Map.of(
                "<TestPlan>\n<hashTree/></TestPlan>\n" + end,
                "FILE, line 2: a hashTree within TestPlan (line 1): JMeter wants it after </TestPlan>, next to the element",
                "<TestPlan/>\n<ThreadGroup/>" + end,
                "FILE, line 2: ThreadGroup follows TestPlan (line 1) without a hashTree between them: write <hashTree/> after"
                        + " </TestPlan>",
                "<TestPlan/><hashTree/>\n<hashTree/>" + end,
                "FILE, line 2: a hashTree without an element before it");
        for (Map.Entry<String, String> one : wrong.entrySet()) {
            Files.writeString(file, "<jmeterTestPlan><hashTree>" + one.getKey());
            assertThat(refused(file)).isEqualTo(one.getValue());
        }
    }

    @Test
    void aTimeWithAUnitIsRefusedWhereThePlanReadsANumber() {
        String plan = "${__P(rampup,3)} ${__property(hold,held,5)} ${__P(think)} ${__P(pace,2s)} ${__P( users , 10 )}"
                + " ${__P(host,127.0.0.1)}";
        Map<String, String> wrong = Map.of("rampup", "4s", "hold", "1m", "think", "500ms", "users", "virtual");
        wrong.forEach((name, value) -> assertThatThrownBy(() -> JMeterPlan.requireUnits(plan, Map.of(name, value)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("-D" + name + "=" + value + " goes to the plan, which reads ${__")
                .hasMessageContaining("JMeter would take it for 0: give a number without a unit"));
        JMeterPlan.requireUnits(
                plan,
                Map.of(
                        "rampup",
                        "4",
                        "hold",
                        "${__Random(1,5)}",
                        "think",
                        "0.5",
                        "pace",
                        "3s",
                        "users",
                        "7",
                        "host",
                        "localhost",
                        "other",
                        "4s"));
    }

    @Test
    void hostsDivideTheRate() throws IOException {
        JMeterPlan plan = plan("100", Map.of("jmeter.hosts", "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"));

        assertThat(plan.hostProperties())
                .containsEntry("rate.share.127.0.0.1:1", "33.3333334")
                .containsEntry("rate.share.127.0.0.1:3", "33.3333334");
        assertThat(plan.labels()).contains("hello at 100/s");
        assertThat(text(plan))
                .contains("${__P(rate.share.${__P(__jm.D_TG,)},0)}")
                .contains("\nrate(${rate.share}/s) ")
                .contains("testname=\"hello at ${rate}/s\"");
    }
}
