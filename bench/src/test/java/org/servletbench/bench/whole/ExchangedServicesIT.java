package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Services;
import org.servletbench.bench.record.ServerRun;

/**
 * The only test of services as people have them, from their file to figures with one command without a comparison file.
 */
@Tag("full")
class ExchangedServicesIT {

    @TempDir
    private Path work;

    private Rig rig;

    @BeforeEach
    void begin() throws Exception {
        rig = new Rig(work);
        // Starting such a service takes long on a busy machine.
        rig.set("load.properties", Map.of("target.start-timeout", "5m"));
    }

    @AfterEach
    void end() throws Exception {
        rig.close();
        Leftovers.awaitNone(work);
    }

    private String compare(Path app, String url, String arms, String... containers) throws Exception {
        Path campaign = work.resolve("campaign");
        String said = rig.start(
                        work,
                        "campaign.log",
                        "compare --app " + app + " --url " + url + " --arms " + arms
                                + " --generators wrk --hold 2s --blocks 2 --limit 0s"
                                + " --set measure.warmup=1s --set measure.rounds=1"
                                + rig.small() + " --out " + campaign)
                .ends(0, 1);
        assertThat(Rig.sound(campaign).serverRuns().stream().filter(ServerRun::measured))
                .as(said)
                .allSatisfy(server -> {
                    assertThat(server.loads().get(0).requests()).isPositive();
                    assertThat(server.loads().get(0).errors()).isZero();
                })
                .extracting(server -> server.proven().get("container"))
                .containsOnly(containers)
                .hasSize(2 * (containers.length + 1));
        return said;
    }

    /**
     * Newcomers try this first. The application names the class of its connector, which Jetty and Undertow do not have.
     */
    @Test
    void theRigsOwnApplication() throws Exception {
        compare(
                Rig.ROOT.resolve("target-apps/spring-boot/target/tomcat-nio-boot3/app.jar"),
                "/hello",
                "tomcat-nio,jetty,undertow",
                "tomcat",
                "jetty",
                "undertow");
    }

    /** The war's container is among the libraries that a server would provide, and its JSP needs an engine. */
    @Test
    void aWarWithJsp() throws Exception {
        assertThat(compare(Services.war("shop"), "/cities", "tomcat-nio,jetty", "tomcat", "jetty"))
                .contains("the services serve different numbers of requests at once (");
    }
}
