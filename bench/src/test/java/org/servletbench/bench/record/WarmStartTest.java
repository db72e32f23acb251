package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.server.Parity;

class WarmStartTest {

    private static final Jdk NEW = new Jdk(Path.of("/opt/25"), "25.0.3", "25.0.3+9", "Adoptium", "HotSpot");
    private static final Jdk OLD = new Jdk(Path.of("/opt/21"), "21.0.1", "21.0.1+2", "Adoptium", "HotSpot");
    private static final Map<String, String> DEFAULTS =
            Map.of("warm-start", "none", "aot-caches", "3", "aot-training", "40s");

    private static Options options(String... given) {
        Map<String, String> values = new TreeMap<>();
        for (String one : given) {
            values.put(one.split("=")[0], one.split("=")[1]);
        }
        return new Options("--", values, DEFAULTS);
    }

    private static JvmOptions jvm(String... values) {
        return new JvmOptions(List.of(values), Path.of("my.options"));
    }

    private static List<Arm> arms(String line) {
        ContainerProfile profile =
                new ContainerProfile("jetty", "Jetty", "jetty", "s", "C", List.of("boot3"), "", Optional.empty());
        return List.of(
                Arm.planned("tomcat-nio", "Tomcat", Arm.Role.BASELINE, profile, "boot3"),
                Arm.planned("jetty+" + line, "Jetty", Arm.Role.ARM, profile, line));
    }

    private static void rejected(Options options, Jdk jdk, JvmOptions jvm, String line, String message) {
        assertThatThrownBy(() -> WarmStart.check(options, jdk, jvm, arms(line)))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void acceptsWhatIsPossible() {
        assertThatCode(() -> WarmStart.check(options(), OLD, jvm("-Xshare:off"), arms("boot2")))
                .doesNotThrowAnyException();
        assertThatCode(() -> WarmStart.check(options("warm-start=aot"), NEW, jvm("-Xmx1g"), arms("boot4")))
                .doesNotThrowAnyException();
        assertThatCode(() -> WarmStart.check(options("warm-start=cds"), OLD, jvm("-Xmx1g"), arms("boot3")))
                .doesNotThrowAnyException();
    }

    @Test
    void saysInOneLineWhatIsNotPossible() {
        rejected(
                options("warm-start=aot"),
                OLD,
                jvm(),
                "boot3",
                "--warm-start aot needs JDK 25 or newer, and the servers would run on JDK 21.0.1 (/opt/21): give --jdk"
                        + " HOME");
        rejected(
                options("warm-start=aot"),
                NEW,
                jvm(),
                "boot2",
                "--warm-start aot: jetty+boot2 cannot have its own AOT cache (Spring Boot 2.7 has no jarmode 'tools', which"
                        + " extracts it)");
        rejected(
                options("warm-start=aot"),
                NEW,
                jvm("-Xmx1g", "-XX:AOTCache=mine"),
                "boot3",
                "--warm-start aot sets the AOT cache of each server itself: remove -XX:AOTCache=mine from my.options");
        rejected(
                options("warm-start=cds"),
                OLD,
                jvm("-Xshare:auto"),
                "boot3",
                "--warm-start cds sets the CDS archive of each server itself: remove -Xshare:auto from my.options");
        rejected(
                options("warm-start=crac"),
                NEW,
                jvm(),
                "boot3",
                "--warm-start crac is not understood: give none, cds or aot");
        rejected(options("warm-start=cds", "aot-caches=5"), NEW, jvm(), "boot3", "--aot-caches needs --warm-start aot");
        rejected(options("aot-caches=5"), NEW, jvm(), "boot3", "--aot-caches needs --warm-start aot");
        rejected(
                options("warm-start=aot", "aot-caches=0"),
                NEW,
                jvm(),
                "boot3",
                "--aot-caches=0 is not understood: give a whole number from 1 to 100");
    }

    @Test
    void severalWaysAreForStartsOnly() {
        rejected(
                options("warm-start=none,cds"),
                NEW,
                jvm(),
                "boot3",
                "--warm-start none,cds: ways to start are compared with --startup only; all servers under load start in one"
                        + " way");
        rejected(options("warm-start=cds,cds"), NEW, jvm(), "boot3", "--warm-start names one twice");
        assertThatCode(() -> WarmStart.check(
                        options("warm-start=none,cds", "plan=startup"), OLD, jvm("-Xmx1g"), arms("boot3")))
                .doesNotThrowAnyException();
    }

    @Test
    void eachArmIsThereInEachOfSeveralWays() {
        Options several = options("warm-start=none, cds,aot", "plan=startup");
        List<Arm> all = WarmStart.each(several, arms("boot3"));

        assertThat(all)
                .extracting(Arm::id)
                .containsExactly(
                        "tomcat-nio",
                        "jetty+boot3",
                        "tomcat-nio-cds",
                        "jetty+boot3-cds",
                        "tomcat-nio-aot",
                        "jetty+boot3-aot");
        assertThat(all).extracting(Arm::label).contains("Tomcat", "Tomcat with CDS archive", "Tomcat with AOT cache");
        assertThat(all.get(2).differsBy()).containsExactly(Parity.WARM_START);
        assertThat(WarmStart.costs(several, all))
                .satisfiesExactly(
                        cds -> assertThat(cds).contains("up to 2 trainings, 1 for the CDS archive of each"),
                        aot -> assertThat(aot).contains("up to 6 trainings, 3 for the AOT caches of each"));
        assertThat(WarmStart.each(options("warm-start=cds"), arms("boot3"))).isEqualTo(arms("boot3"));
        assertThat(arms("boot3").get(0).differsBy()).isEmpty();
    }

    @Test
    void countsTheTrainingsOfAllServersThatHaveAJvm() {
        assertThat(WarmStart.costs(options("warm-start=aot"), arms("boot3")))
                .singleElement()
                .asString()
                .startsWith("before the first block: up to 6 trainings, 3 for the AOT caches of each server, of 40 s");
        assertThat(WarmStart.costs(options("warm-start=cds"), arms("boot3")))
                .singleElement()
                .asString()
                .startsWith("before the first block: up to 2 trainings, 1 for the CDS archive of each server, of 5 s");
        assertThat(WarmStart.costs(options(), arms("boot3"))).isEmpty();
    }
}
