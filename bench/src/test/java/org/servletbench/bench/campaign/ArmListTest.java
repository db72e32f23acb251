package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.proof.Parity;

class ArmListTest {

    /** Each arm may have a warm start of its own; arms of old records do not mention it. */
    @Test
    void anArmMayDifferByItsWarmStart() {
        ContainerProfile profile =
                new ContainerProfile("jetty", "Jetty", "jetty", "s", "C", List.of("boot3"), "", Optional.empty());
        Arm arm = Arm.planned("jetty", "Jetty", Arm.Role.ARM, profile, "boot3");
        assertThat(ArmList.differsBy(arm)).containsExactly(Parity.WARM_START);
        assertThat(ArmList.differsBy(Arm.reference("nginx", "boot3"))).isEmpty();
    }
}
