package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;

class JMeterOpenModelTest {

    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("../profiles"));

    @TempDir
    private Path folder;

    @Test
    void eachWorkloadIsAGroupThatStartsRequestsAtTheRate() throws Exception {
        LoadPlan load = LoadPlan.of(
                new Options(
                        Map.of("model", "open", "rate", "200", "hold", "2500ms", "workloads", "hello,payload"),
                        PROFILES.loadDefaults()),
                PROFILES);
        JMeterPlan plan = JMeterPlan.of(
                Path.of("../jmeter-plans/tiers.jmx"),
                load,
                URI.create("http://127.0.0.1:8080"),
                new JMeterHosts(List.of()));
        Path file = folder.resolve("plan.jmx");
        plan.write(file);

        assertThat(plan.labels()).containsExactly("hello at 200/s", "payload at 200/s");
        String text = Files.readString(file);
        assertThat(text.split("<OpenModelThreadGroup ", -1)).hasSize(3);
        assertThat(text)
                .contains("rate(${__P(rate,200)}/s) even_arrivals(${__P(hold,2.5)} s)")
                .contains("testname=\"payload at 200/s\"")
                .contains("${payload.path}")
                .contains("<SetupThreadGroup ")
                .doesNotContain("<ThreadGroup ")
                .doesNotContain(" users\"")
                .doesNotContain("start together");
    }
}
