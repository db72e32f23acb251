package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.proof.Parity;

/**
 * Tests that servers that are ranked together run on one JDK and start in the same way, from the first block to the
 * last.
 */
class OneJdkTest {

    private static final Map<String, String> JDK_25 = Map.of("jdk", "VM 25.0.3+9", "jdk.home", "/opt/25");

    @Test
    void aCampaignDoesNotGoOnWithAnotherJdk() {
        assertThatThrownBy(
                        () -> ServerLauncher.requireSame(JDK_25, Map.of("jdk", "VM 25.0.4+1", "jdk.home", "/opt/25")))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "the campaign began on VM 25.0.3+9 (/opt/25) and would go on with VM 25.0.4+1 (/opt/25): run it"
                                + " on that JDK, or start a new campaign");
    }

    @Test
    void norWithAnotherOneOfSeveral() {
        Map<String, String> before = Map.of("jdk", "VM 25", "jdk.home", "/opt/25", "jdk@17", "VM 17.0.1");

        assertThatThrownBy(() -> ServerLauncher.requireSame(
                        before, Map.of("jdk", "VM 25", "jdk.home", "/opt/25", "jdk@17", "VM 17.0.2")))
                .isInstanceOf(TargetException.class);
        assertThatThrownBy(() -> ServerLauncher.requireSame(before, Map.of("jdk", "VM 25", "jdk.home", "/opt/25")))
                .isInstanceOf(TargetException.class);
        assertThatCode(() -> ServerLauncher.requireSame(before, before)).doesNotThrowAnyException();
    }

    @Test
    void itGoesOnWithTheSameAndWhereNothingWasRecorded() {
        assertThatCode(() -> ServerLauncher.requireSame(JDK_25, JDK_25)).doesNotThrowAnyException();
        assertThatCode(() -> ServerLauncher.requireSame(Map.of("jdk", "17"), JDK_25))
                .doesNotThrowAnyException();
    }

    @Test
    void parityRejectsAMixOfJdksAndOfWarmStarts() {
        Map<String, Map<String, String>> answers = new LinkedHashMap<>();
        answers.put("tomcat-nio", Map.of("the server's JDK", "17, VM", "the server's warm start", "none"));
        answers.put("jetty", Map.of("the server's JDK", "25, VM", "the server's warm start", "AOT cache"));

        assertThatThrownBy(() -> Parity.requireSame(answers, 2))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("the server's JDK is '25, VM' on jetty and '17, VM' on tomcat-nio")
                .hasMessageContaining("the server's warm start is 'AOT cache' on jetty and 'none' on tomcat-nio");
    }
}
