package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.record.CampaignFolder;

/**
 * Tests a campaign with secrets in all places where a comparison can have them. None of them may be in its folder, on
 * its console or in ps.
 */
@Tag("full")
class SecretsIT {

    private static final List<String> SECRETS = List.of(
            "S3cretHeader00",
            "S3cretBody0000",
            "S3cretRow00000",
            "S3cretQuery000",
            "S3cretProperty",
            "S3cretVariable",
            "S3cretJvm00000",
            "S3cretOfOwnEnv");

    private static final String FILE = """
            question: Which?
            arms:
              jetty: {}
            server:
              env: {SHOP_KEY: S3cretVariable, OWN: "${env:OWN_SECRET}"}
              properties: {shop.password: S3cretProperty}
              jvm: "-Dshop.token=S3cretJvm00000"
            workloads:
              own:
                url: /hello?token=S3cretQuery000&row=${row}
                headers: {Authorization: Bearer S3cretHeader00, X-Own: "${env:OWN_SECRET}"}
                data: rows.csv
              post:
                url: /hello
                method: POST
                body: '{"a": "S3cretBody0000"}'
                headers: {Content-Type: application/json}
                expect: {status: 405}
            load:
              - {workloads: [own, post], users: [5]}
            stop: {blocks: 2, limit: 0s}
            measure:
              generators: [gatling, jmeter]
              hold: 2s
              rounds: 1
              warmup: 500ms
            """;

    @TempDir
    private Path work;

    @Test
    void noneIsWrittenOrSeen() throws Exception {
        Path file = Files.writeString(work.resolve("shop.yaml"), FILE);
        Files.writeString(work.resolve("rows.csv"), "row\nS3cretRow00000\n");
        Path campaign = work.resolve("campaign");
        Set<String> seen = new TreeSet<>();
        try (Rig rig = new Rig(work)) {
            List<String> command = rig.command(work, "compare " + file + rig.small() + " --out " + campaign);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(work.resolve("said.log").toFile());
            builder.environment().put("OWN_SECRET", "S3cretOfOwnEnv");
            Process process = builder.start();
            // Once while it runs, and once after a kill, when it continues with the values of its file.
            boolean killed = false;
            while (process.isAlive()) {
                process.descendants().forEach(one -> seen.addAll(found(cmdline(one))));
                seen.addAll(found(campaign));
                if (!killed && Files.exists(campaign.resolve("blocks/2"))) {
                    killed = true;
                    process.destroyForcibly().waitFor();
                    Leftovers.awaitNone(work);
                    process = resumed(rig, campaign);
                }
                Thread.sleep(100);
            }
            assertThat(killed).as(Files.readString(work.resolve("said.log"))).isTrue();
            // Two blocks of two seconds may come out unusable (1) or VOID (4), but the campaign must end.
            assertThat(process.exitValue())
                    .as(Files.readString(work.resolve("said.log")))
                    .isIn(0, 1, 4);
            assertThat(CampaignFolder.read(campaign).campaign().hasEnded()).isTrue();
            Process report = Mirror.rig(work, List.of("report", campaign.toString()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            work.resolve("said.log").toFile()))
                    .start();
            assertThat(report.waitFor())
                    .as(Files.readString(work.resolve("said.log")))
                    .isZero();
        }
        seen.addAll(found(campaign));
        seen.addAll(found(work.resolve("said.log")));
        assertThat(seen).isEmpty();
        assertThat(Files.readString(campaign.resolve("campaign.json")))
                .contains("${env:OWN_SECRET}", "SHOP_KEY", "Authorization", "sha256:");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(campaign)))
                .isEqualTo("rwx------");
    }

    private Process resumed(Rig rig, Path campaign) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(rig.command(work, "compare --resume " + campaign))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        work.resolve("said.log").toFile()));
        builder.environment().put("OWN_SECRET", "S3cretOfOwnEnv");
        return builder.start();
    }

    private static byte[] cmdline(ProcessHandle process) {
        try {
            return Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static List<String> found(byte[] in) {
        String text = new String(in, StandardCharsets.ISO_8859_1);
        return SECRETS.stream().filter(text::contains).map(one -> "ps: " + one).toList();
    }

    private static List<String> found(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .flatMap(file -> {
                        try {
                            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                            return SECRETS.stream().filter(text::contains).map(one -> file + ": " + one);
                        } catch (IOException e) {
                            return Stream.empty();
                        }
                    })
                    .toList();
        } catch (java.io.UncheckedIOException e) {
            return List.of();
        }
    }
}
