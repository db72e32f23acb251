package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Procedure.Archives;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.process.Jdk;

class WarmStartTest {

    private static final Jdk NEW = new Jdk(Path.of("/opt/25"), "25.0.3", "25.0.3+9", "Adoptium", "HotSpot");
    private static final Jdk OLD = new Jdk(Path.of("/opt/21"), "21.0.1", "21.0.1+2", "Adoptium", "HotSpot");

    private static Archives archives(String... given) {
        return new Archives(3, Duration.ofSeconds(40), List.of(given));
    }

    private static JvmOptions jvm(String... values) {
        return new JvmOptions(List.of(values), Path.of("my.options"));
    }

    private static Arm arm(String line, WarmStart way) {
        ContainerProfile profile =
                new ContainerProfile("jetty", "Jetty", "jetty", "s", "C", List.of("boot3"), "", Optional.empty());
        Arm usual = Arm.planned("jetty", "Jetty", Arm.Role.ARM, profile, line);
        return new Arm(
                new Arm.Identity(usual.id(), usual.label(), usual.group(), usual.role()),
                new Arm.Stack(usual.profile(), usual.line(), usual.container(), usual.connector()),
                new Arm.Build("", "", "", ""),
                usual.threads(),
                way,
                ArmSpec.USUAL);
    }

    private static void check(Jdk jdk, JvmOptions jvm, Arm arm) {
        WarmStart.check(jdk.feature(), jdk.describe(), jvm, arm);
    }

    private static void rejected(Jdk jdk, JvmOptions jvm, Arm arm, String message) {
        assertThatThrownBy(() -> check(jdk, jvm, arm))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void acceptsWhatIsPossible() {
        assertThatCode(() -> {
                    check(OLD, jvm("-Xshare:off"), arm("boot2", WarmStart.NONE));
                    check(NEW, jvm("-Xmx1g"), arm("boot4", WarmStart.AOT));
                    check(OLD, jvm("-Xmx1g"), arm("boot3", WarmStart.CDS));
                })
                .doesNotThrowAnyException();
    }

    @Test
    void saysInOneLineWhatIsNotPossible() {
        rejected(
                OLD,
                jvm(),
                arm("boot3", WarmStart.AOT),
                "arms.jetty: archive aot needs JDK 25 or newer, and the server would run on JDK 21.0.1 (/opt/21): give --jdk"
                        + " HOME");
        rejected(
                NEW,
                jvm(),
                arm("boot2", WarmStart.AOT),
                "arms.jetty: archive aot: Spring Boot 2.7 has no jarmode 'tools', which extracts the AOT cache");
        rejected(
                NEW,
                jvm("-Xmx1g", "-XX:AOTCache=mine"),
                arm("boot3", WarmStart.AOT),
                "arms.jetty: archive aot sets the AOT cache of the server itself: remove -XX:AOTCache=mine from its JVM"
                        + " options");
    }

    @Test
    void optionsOfCachesThatNoArmHasAreRejected() {
        List<Arm> cds = List.of(arm("boot3", WarmStart.CDS));
        assertThatThrownBy(() -> WarmStart.requireUsed(archives("aot-caches"), cds))
                .hasMessage("'aot-caches' needs an arm with archive: aot");
        assertThatCode(() -> WarmStart.requireUsed(archives("aot-caches"), List.of(arm("boot3", WarmStart.AOT))))
                .doesNotThrowAnyException();
    }

    @Test
    void trainingsAreCountedByTheWayOfEachArm() {
        List<Arm> arms =
                List.of(arm("boot3", WarmStart.CDS), arm("boot3", WarmStart.AOT), arm("boot3", WarmStart.NONE));
        assertThat(WarmStart.costs(archives(), arms))
                .satisfiesExactlyInAnyOrder(
                        cds -> assertThat(cds).contains("up to 1 trainings, 1 for the CDS archive of each"),
                        aot -> assertThat(aot).contains("up to 3 trainings, 3 for the AOT caches of each"));
    }
}
