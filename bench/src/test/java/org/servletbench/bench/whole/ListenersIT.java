package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a service with a management server of its own, in a network namespace, which other machines must not reach. */
@Tag("full")
class ListenersIT {

    /** Treated as a user's own jar, which may answer on any address. */
    private static final Path JAR = Rig.ROOT.resolve("target-apps/spring-boot/target/tomcat-nio-boot3/app.jar");

    @TempDir
    private Path work;

    @Test
    void anArmThatOtherMachinesReachIsRefused() throws Exception {
        Assumptions.assumeTrue(
                new ProcessBuilder("unshare", "-n", "true").start().waitFor() == 0, "no network namespaces here");
        try (Rig rig = new Rig(work)) {
            assertThat(said(rig, "open", "jetty: {properties: {management.server.port: 9001}}"))
                    .contains("the server listens on *:9001, where other machines may reach it")
                    .contains("properties: {management.server.address: 127.0.0.1}");
            assertThat(
                            said(
                                    rig,
                                    "own",
                                    "shop: {app: " + JAR
                                            + ", properties: {management.server.port: 9001, management.server.address: 127.0.0.1}}"))
                    .doesNotContain("listens on")
                    .contains("ready");
        }
    }

    private String said(Rig rig, String name, String arm) throws Exception {
        Path file = Files.writeString(work.resolve(name + ".yaml"), """
                arms:
                  %s
                load: [{starts: 2}]
                """.formatted(arm));
        List<String> command =
                new ArrayList<>(List.of("unshare", "-n", "sh", "-c", "ip link set lo up; exec \"$@\"", "sh"));
        command.addAll(rig.command(work, "compare " + file + rig.small() + " --out " + work.resolve(name)));
        Rig.Run run = Rig.start(work.resolve(name + ".log"), command);
        return run.ends(0, 1);
    }
}
