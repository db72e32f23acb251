package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.server.os.ControlGroup;

/** Tests a server without a framework, which a command starts, against the target app. */
@Tag("full")
class CommandArmIT {

    @TempDir
    private Path work;

    private Path jar;

    @BeforeEach
    void build() throws IOException {
        jar = work.resolve("plain.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, PlainServer.class.getName());
        String entry = PlainServer.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = PlainServer.class.getClassLoader().getResourceAsStream(entry)) {
            out.putNextEntry(new ZipEntry(entry));
            in.transferTo(out);
        }
    }

    private Path script(String name, String line) throws IOException {
        Path script = Files.writeString(work.resolve(name), "#!/bin/sh\n" + line + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private String java() {
        return System.getProperty("java.home") + "/bin/java -jar " + jar;
    }

    @Test
    void aCommandIsMeasuredLikeAJarAndNeverTakenFromARecord() throws Exception {
        Path comparison = Files.writeString(
                work.resolve("own.yaml"), """
                question: Is the plain server cheaper?
                arms:
                  boot: {container: tomcat-nio}
                  jar: {command: [java, -jar, %s, '${address}', '${port}'], ready: /hello}
                  script: {command: [%s], env: {ADDRESS: '${address}', PORT: '${port}'}}
                load:
                  - {workloads: hello, users: 5}
                """.formatted(jar, script("run.sh", "exec " + java() + " $ADDRESS $PORT")));
        Path campaign = work.resolve("campaign");
        try (Rig rig = new Rig(work)) {
            String said = rig.start(
                            work,
                            "campaign.log",
                            "compare " + comparison + " --hold 2s --blocks 2 --limit 0s --set measure.rounds=1"
                                    + " --set measure.warmup=500ms --set stop.seed=42" + rig.small() + " --out "
                                    + campaign)
                    .ends(0);
            assertThat(said)
                    .contains("jar: container, versions and limits unproven, JDK ")
                    .contains("script: started by its own command; unproven: container, versions and limits")
                    .contains("and JVM options, which it does not get from servlet-bench");
            assertThat(rig.start(work, "stranger.log", "compare --resume " + campaign)
                            .ends(2))
                    .contains("a record gives no consent to run its commands");
            rig.start(work, "again.log", "compare " + comparison + " --resume " + campaign)
                    .ends(0);
        }

        CampaignFolder read = Rig.sound(campaign);
        assertThat(read.completeBlocks()).isEqualTo(2);
        List<ServerRun> servers =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(servers).hasSize(8).allSatisfy(server -> {
            assertThat(server.proven().get("container"))
                    .isEqualTo(server.arm().startsWith("boot") ? "tomcat" : "unproven");
            assertThat(server.proven())
                    .containsEntry("jvm.version", System.getProperty("java.version"))
                    .doesNotContainKey("error");
            assertThat(server.loads()).singleElement().satisfies(load -> {
                assertThat(load.requests()).isPositive();
                assertThat(load.errors()).isZero();
                assertThat(load.figures())
                        .containsKeys(Metric.CPU.key(), Metric.ALLOCATION.key(), Metric.THROUGHPUT.key());
            });
            assertThat(server.warmUp().code()).as("seen by a profiler").isNotNull();
        });
        assertThat(Files.readString(campaign.resolve("index.html")))
                .contains("Is the plain server cheaper?", "unproven: container, versions and limits");
        Leftovers.awaitNone(work);
    }

    /**
     * The servers of the comparisons {@code frameworks} and {@code framework-ratio} have their own build, which needs
     * Micronaut's artifacts.
     */
    @Test
    void anotherFrameworkGivesTheSameAnswers() throws Exception {
        Rig.buildMicronaut(work);
        try (Rig rig = new Rig(work)) {
            assertThat(measured(rig, "frameworks", "frameworks --set load.0.users=5 --set load.1.users=5", 2))
                    .hasSize(10);
            assertThat(measured(
                            rig,
                            "ratio",
                            "framework-ratio --arms boot,micronaut-threads --set load.0.users=5"
                                    + " --set load.1.users=5 --set load.2.users=5",
                            3))
                    .hasSize(6);
            if (ControlGroup.canLimitProcessors()) {
                assertThat(measured(rig, "half", "framework-ratio --arms boot-half,micronaut-half --users 5", 1))
                        .hasSize(6)
                        .allSatisfy(server -> {
                            assertThat(server.proven())
                                    .containsEntry(Proven.CPU_LIMIT, "500m")
                                    .containsEntry("jvm.processors", "1");
                            assertThat(server.loads()).allSatisfy(load -> assertThat(load.figures())
                                    .containsKeys(Metric.THROTTLED.key(), Metric.THROTTLED_PERIODS.key()));
                        });
            }
        }
        Leftovers.awaitNone(work);
    }

    /**
     * Measures two blocks of a comparison of Spring Boot with Micronaut.
     *
     * @param loads its number of loads
     */
    private List<ServerRun> measured(Rig rig, String name, String comparison, int loads) throws Exception {
        Path campaign = work.resolve(name);
        rig.start(
                        work,
                        name + ".log",
                        "compare " + comparison + " --hold 2s --blocks 2 --limit 0s --set measure.rounds=1"
                                + " --set measure.warmup=500ms --set measure.generator-warmup=1s --set stop.seed=42"
                                + rig.small() + " --out " + campaign)
                .ends(0);
        CampaignFolder read = Rig.sound(campaign);
        assertThat(read.completeBlocks()).isEqualTo(2);
        List<ServerRun> servers =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(servers)
                .allSatisfy(
                        server -> assertThat(server.loads()).hasSize(loads).allSatisfy(load -> assertThat(load.errors())
                                .isZero()))
                .extracting(server -> server.proven().get("container"))
                .containsOnly("tomcat", Proven.UNPROVEN);
        return servers;
    }

    /** This includes a command whose child process serves, under another id. */
    @Test
    void aCommandThatListensElsewhereIsRefused() throws Exception {
        try (Rig rig = new Rig(work)) {
            assertThat(said(rig, "open", "[java, -jar, " + jar + ", 0.0.0.0, '${port}']"))
                    .contains(
                            "the server listens on *:", "let its command or its 'env' give it ${port} and ${address}");
            assertThat(said(
                            rig,
                            "child",
                            "[" + script("child.sh", java() + " $1 $2; true") + ", '${address}', '${port}']"))
                    .contains("the process that listens on 127.0.0.", " is not the one that the command started")
                    .contains("let a script end with exec java …");
            assertThat(said(rig, "options", "[" + script("size.sh", "sleep 300") + ", '${port}']"))
                    .contains("was not ready after 3 s");
        }
        Leftovers.awaitNone(work);
    }

    private String said(Rig rig, String name, String command) throws Exception {
        Path file = Files.writeString(work.resolve(name + ".yaml"), """
                arms:
                  own: {command: %s, ready: /hello}
                load: [{starts: 2}]
                """.formatted(command));
        return rig.start(
                        work,
                        name + ".log",
                        "compare " + file + (name.equals("options") ? " --set measure.start-timeout=3s" : "")
                                + rig.small() + " --out " + work.resolve(name))
                .ends(1);
    }
}
