package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.model.UsageException;

class CampaignSpecTest {

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    private static CampaignSpec spec(String name, Map<String, String> given) {
        return Comparison.read(ROOT, name, given, PROFILES).spec();
    }

    @Test
    void aFileIsOverTheProfiles() {
        CampaignSpec spec = spec("quick", Map.of("hold", "5s", "set", "measure.keep-raw=false"));
        assertThat(spec.measure().hold()).isEqualTo(new Time("5s"));
        assertThat(spec.measure().keepRaw()).isFalse();
        assertThat(spec.measure().slice()).isEqualTo(new Time("250ms"));
        assertThat(spec.measure().generators()).containsExactly("gatling");
        assertThat(spec.measure().dbUrl()).isNull();
        assertThat(spec.stop().blocks()).isEqualTo(20);
        assertThat(spec.stop().precision()).hasToString(Comparison.PRECISION);
        assertThat(spec.judged().margin()).hasToString("0.03");
        assertThat(spec.texts().given()).containsExactlyInAnyOrder("primary", "precision", "hold", "keep-raw");
        assertThat(spec.asked()).containsEntry("hold", "5s").doesNotContainKey("slice");
    }

    @Test
    void eachKindOfLoadHasItsOwnDefaults() {
        assertThat(spec("quick", Map.of()).measure().together()).isTrue();
        CampaignSpec starts = spec("startup", Map.of());
        assertThat(starts.measure().together()).isFalse();
        assertThat(starts.measure().preTouch()).isFalse();
        assertThat(starts.stop().precision()).isNull();
        CampaignSpec find = spec("capacity", Map.of("set", "load.0.in-flight=2000"));
        assertThat(find.measure().slice()).isEqualTo(new Time("0s"));
        assertThat(find.load().search().orElseThrow().users()).isEqualTo(2000);
        assertThat(find.load().search().orElseThrow().resolution()).isEqualTo(0.02);
        assertThat(find.texts().all()).containsEntry("in-flight", "2000").containsEntry("from", "100");
    }

    private static Map<String, String> commands(String file, String... arms) {
        return Map.of(
                "set",
                Stream.of(arms).map(arm -> "arms." + arm + ".command.2=" + file).collect(Collectors.joining(";")));
    }

    /** A resumed campaign keeps the values it started with. */
    @Test
    void whatIsOnRecordBindsToTheSameValues() {
        for (String name : Comparison.names(ROOT)) {
            // Any file will do here for a jar, also for the servers that have builds of their own.
            String file = "pom.xml";
            CampaignSpec spec = spec(
                    name,
                    switch (name) {
                        case "backtest", "pull-request", "pull-request-start" ->
                            Map.of("set", "arms.before.app=" + file + ";arms.after.app=README.md");
                        case "frameworks" -> commands(file, "micronaut", "micronaut-threads");
                        case "framework-ratio" -> commands(file, "micronaut", "micronaut-threads", "micronaut-half");
                        case "upgrade" -> Map.of("set", "app=" + file);
                        default -> Map.of();
                    });
            CampaignSpec again =
                    CampaignSpec.of(spec.texts().all(), spec.texts().given());
            assertThat(again.judged()).as(name).isEqualTo(spec.judged());
            assertThat(again.stop()).as(name).isEqualTo(spec.stop());
            assertThat(again.measure()).as(name).isEqualTo(spec.measure());
            assertThat(again.load().search()).as(name).isEqualTo(spec.load().search());
            assertThat(again.jdks()).as(name).isEqualTo(spec.jdks());
            assertThat(again.profile()).as(name).isEqualTo(spec.profile());
            assertThat(again.texts()).as(name).isEqualTo(spec.texts());
        }
    }

    @Test
    void sharesByMetricAreOnRecordAsTheyWereGiven() {
        CampaignSpec spec = spec("quick", Map.of("set", "margin={cpu: 5%, throughput: 1%}"));
        assertThat(spec.texts().all()).containsEntry("margin", "cpu=5%,throughput=1%");
        CampaignSpec again = CampaignSpec.of(spec.texts().all(), spec.texts().given());
        assertThat(again.judged().margin()).isEqualTo(spec.judged().margin());
    }

    @Test
    void aMalformedValueOfTheProfilesIsNamed() {
        Map<String, String> all =
                new TreeMap<>(CampaignSpec.of(Map.of(), PROFILES).texts().all());
        all.put("hold", "12");
        assertThatThrownBy(() -> CampaignSpec.of(all, List.of()))
                .isInstanceOf(UsageException.class)
                .hasMessage("hold=12 is not understood: give a time with its unit, such as 10s, 500ms or 2m");
    }
}
