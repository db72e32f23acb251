package org.servletbench.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterPlan;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;

/**
 * Tests of every plan, and of every plan made from one, with JMeter's own loader, from the jars of the unpacked JMeter.
 */
class PlansTest {

    private static final URI APP = URI.create("http://127.0.0.1:8080");
    private static final JMeterHosts HERE = new JMeterHosts(List.of());

    private static URLClassLoader jmeter;
    private static ClassLoader before;

    @TempDir
    Path folder;

    @BeforeAll
    static void startJMeter() throws Exception {
        before = Thread.currentThread().getContextClassLoader();
        Path home = Rig.home();
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path jar :
                    files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                jars.add(jar.toUri().toURL());
            }
        }
        before = Thread.currentThread().getContextClassLoader();
        jmeter = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(jmeter);
        Class<?> utils = jmeter.loadClass("org.apache.jmeter.util.JMeterUtils");
        utils.getMethod("setJMeterHome", String.class).invoke(null, home.toString());
        utils.getMethod("loadJMeterProperties", String.class)
                .invoke(null, home.resolve("bin/jmeter.properties").toString());
        utils.getMethod("initLocale").invoke(null);
    }

    @AfterAll
    static void stopJMeter() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        if (jmeter != null) {
            jmeter.close();
        }
    }

    /** Loads a plan as JMeter does, which rejects unknown elements, and saves it again. */
    private static String loadAndSave(Path plan) throws Exception {
        Class<?> service = jmeter.loadClass("org.apache.jmeter.save.SaveService");
        Class<?> tree = jmeter.loadClass("org.apache.jorphan.collections.HashTree");
        Object loaded = service.getMethod("loadTree", File.class).invoke(null, plan.toFile());
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        service.getMethod("saveTree", tree, OutputStream.class).invoke(null, loaded, saved);
        return saved.toString(StandardCharsets.UTF_8);
    }

    private String derived(Map<String, String> given, JMeterHosts hosts) throws Exception {
        Path file = folder.resolve("derived.jmx");
        JMeterPlan.of(Rig.TIERS, Rig.load(given), APP, hosts).write(file);
        return loadAndSave(file);
    }

    @Test
    void everyPlanSurvivesLoadAndSave() throws Exception {
        assertThat(Rig.plans()).hasSize(1 + Rig.PROFILES.allWorkloads().size());
        for (Path plan : Rig.plans()) {
            assertThat(loadAndSave(plan)).as(plan.toString()).isEqualTo(Files.readString(plan));
        }
    }

    @Test
    void anUnknownElementWouldBeSeen() throws IOException {
        Path foreign = folder.resolve("foreign.jmx");
        Files.writeString(
                foreign,
                Files.readString(Rig.TIERS)
                        .replace("<HeaderManager ", "<Foreign ")
                        .replace("</HeaderManager>", "</Foreign>"));
        assertThatThrownBy(() -> loadAndSave(foreign)).hasStackTraceContaining("Foreign");
    }

    @Test
    void onlyElementsOfStockJMeter() throws IOException {
        Pattern testClass = Pattern.compile("testclass=\"([^\"]+)\"");
        for (Path plan : Rig.plans()) {
            assertThat(testClass
                            .matcher(Files.readString(plan))
                            .results()
                            .map(found -> found.group(1))
                            .distinct())
                    .isSubsetOf(
                            "TestPlan",
                            "Arguments",
                            "ConfigTestElement",
                            "HeaderManager",
                            "SetupThreadGroup",
                            "ThreadGroup",
                            "LoopController",
                            "WhileController",
                            "OnceOnlyController",
                            "RunTime",
                            "HTTPSamplerProxy",
                            "ResponseAssertion",
                            "SizeAssertion",
                            "JSR223Sampler",
                            "JSR223PostProcessor",
                            "TestAction",
                            "ResultCollector");
        }
    }

    /** The numbers in the plan are defaults for people who open it. They come from profiles/. */
    @Test
    void theDefaultsOfThePlanAreThoseOfTheProfiles() throws Exception {
        assertThat(derived(Map.of(), HERE))
                .as(
                        "tiers.jmx differs from profiles/: set its variables to the values of the plan that this test expects")
                .isEqualTo(Files.readString(Rig.TIERS));
        for (Workload workload : Rig.PROFILES.allWorkloads()) {
            assertThat(Files.readString(Rig.MODULE.resolve(workload.name() + ".jmx")))
                    .contains("${__P(" + workload.name() + ".path," + workload.path() + ")}")
                    .contains("${__P(" + workload.name() + ".bytes.min," + workload.minBytes() + ")}")
                    .contains("${__P(" + workload.name() + ".bytes.max," + workload.maxBytes() + ")}");
        }
    }

    /** The handler waits for a second with users, and for a millisecond during warm-up. */
    @Test
    void aHandlerThatWaitsIsWarmedUpWithoutTheWait() throws Exception {
        String plan = derived(Map.of("users", "5", "workloads", "hello,delay", "delay", "1s"), HERE);

        List<String> paths = Pattern.compile("HTTPSampler.path\">([^<]+)<")
                .matcher(plan)
                .results()
                .map(found -> found.group(1))
                .toList();
        // The warm-up has all workloads; then each is counted.
        assertThat(paths).containsExactly("${hello.path}", "/delay/1", "${hello.path}", "${delay.path}");
        assertThat(plan).contains("${__P(delay.path,/delay/1000)}");
    }

    @Test
    void anyNumberOfTiersAndAnyOrderOfWorkloads() throws Exception {
        Map<String, String> given =
                Map.of("users", "5,10,20,40,80", "workloads", "payload,hello", "loops", "1,2,3,4,5", "warmup", "0s");
        String plan = derived(given, HERE);

        List<String> groups = Pattern.compile("<ThreadGroup [^>]*testname=\"([^\"]+)\"")
                .matcher(plan)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(groups)
                .hasSize(10)
                .startsWith("payload ${tier.1} users", "payload ${tier.2} users")
                .endsWith("hello ${tier.5} users");
        assertThat(plan)
                .contains("${__P(tier.5,80)}", "${__P(loops.5,5)}", "${__P(warmup.users,0)}", "${loops.5}")
                .doesNotContain("static ${tier")
                .doesNotContain("warm-up metrics");
        assertThat(Pattern.compile("<HTTPSamplerProxy ").matcher(plan).results())
                .hasSize(2 + 10);
        assertThat(JMeterPlan.of(Rig.TIERS, Rig.load(given), APP, HERE).labels())
                .startsWith("payload 5 users", "payload 10 users")
                .endsWith("hello 80 users");
    }

    @Test
    void fewerTiersLeaveNothingOfTheOthers() throws Exception {
        assertThat(derived(Map.of("users", "7"), HERE))
                .contains("${__P(tier.1,7)}")
                .doesNotContain("tier.2")
                .doesNotContain("loops.4");
    }

    @Test
    void theOpenModelIsAGroupOfStockJMeterForEachWorkload() throws Exception {
        assertThat(derived(Map.of("model", "open", "rate", "0.5", "hold", "1500ms", "workloads", "static,hello"), HERE))
                .containsSubsequence(
                        "<SetupThreadGroup ",
                        "testclass=\"OpenModelThreadGroup\" testname=\"warm-up static at ${rate}/s\"",
                        "even_arrivals(10 s)",
                        "prev.setIgnore()",
                        "testclass=\"OpenModelThreadGroup\" testname=\"static at ${rate}/s\"",
                        "TESTSTART.MS",
                        " ms)\nrate(${rate}/s) even_arrivals(${hold} s)\npause(5 s)",
                        "<HTTPSamplerProxy ",
                        "testname=\"hello at ${rate}/s\"")
                .doesNotContain("<ThreadGroup ");
    }

    @Test
    void refusesWhatJMeterCannotDo() {
        assertThatThrownBy(() -> derived(Map.of("hold", "1500ms"), HERE))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("-Dhold=1500ms: JMeter counts in whole seconds");
    }
}
