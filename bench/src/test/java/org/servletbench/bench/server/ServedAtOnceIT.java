package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.proof.AtOnceCount;
import org.servletbench.bench.server.proof.JvmProbe;
import org.servletbench.bench.server.proof.Parity;

/**
 * The only test of limits other than those of the equalised settings, which {@link TargetIT} counts for every arm. With
 * one server of each kind, the count must find each limit three times out of three. Most of the time is waiting, so two
 * tests run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class ServedAtOnceIT {

    @TempDir
    private Path work;

    private static JsonNode proven(Target target) throws IOException {
        return Json.MAPPER
                .readTree(target.folder().resolve("server.json").toFile())
                .get("proven");
    }

    /** @param reserve threads of its pool that the container may keep for itself */
    private void assertLimit(Map<String, String> options, ProfilesFolder folder, String kind, String limit, int reserve)
            throws IOException {
        options.put("workloads", "delay");
        options.put("users", "100");
        try (Target target = Arms.open(options, folder, work)) {
            assertLimit(target, kind, limit, reserve);
        }
    }

    /** Checks the limit of a server that serves the workload {@code delay}. */
    static void assertLimit(Target target, String kind, String limit, int reserve) throws IOException {
        JsonNode proven = proven(target);
        String first = proven.get(ServedAtOnce.LIMIT).textValue();
        assertThat(proven.get(ServedAtOnce.KIND).textValue()).isEqualTo(kind);
        assertThat(proven.path("effective.threads.virtual").asText()).isEqualTo(virtual(kind, proven));
        assertLimit(first, limit, reserve);
        assertThat(target.runtime()).containsEntry(Parity.AT_ONCE, first);
        assertThat(target.description()).contains(kind + " threads, requests served at once: " + first);
        try (JvmProbe probe = JvmProbe.attach(target.pids().get(0))) {
            // Without an expected limit, the count is repeated.
            for (int again = limit.equals(ServedAtOnce.NO_LIMIT) ? 0 : 1; again < 2; again++) {
                Map<String, String> facts = AtOnceCount.facts(target.url(), probe, 250, "");
                assertThat(AtOnceCount.kind(target.url())).isEqualTo(kind);
                assertLimit(facts.get(ServedAtOnce.LIMIT), limit, reserve);
            }
            if (limit.equals(ServedAtOnce.NO_LIMIT)) {
                // If the container reports a limit that it does not have, all requests are sent.
                assertThat(AtOnceCount.facts(target.url(), probe, 400, "20"))
                        .containsEntry(ServedAtOnce.LIMIT, limit)
                        .containsEntry(ServedAtOnce.SENT, "400");
            } else if (reserve > 0) {
                // Only as many requests are sent as it takes to find the limit. This is hardest for a container that
                // reserves threads.
                Map<String, String> facts = AtOnceCount.facts(target.url(), probe, 1000, limit);
                assertLimit(facts.get(ServedAtOnce.LIMIT), limit, reserve);
                assertThat(facts).containsEntry(ServedAtOnce.SENT, "" + (2 * Integer.parseInt(limit) + 250));
            }
        }
    }

    /** Returns what the container itself reports of its threads. Tomcat does not report virtual ones, nor Jetty 9 its kind. */
    private static String virtual(String kind, JsonNode proven) {
        String container = proven.get("container").textValue() + " "
                + proven.get("container.version").textValue();
        boolean silent = kind.equals("virtual") ? container.startsWith("tomcat") : container.startsWith("jetty 9.");
        return silent ? "" : Boolean.toString(kind.equals("virtual"));
    }

    private static void assertLimit(String found, String limit, int reserve) {
        if (limit.equals(ServedAtOnce.NO_LIMIT)) {
            assertThat(found).isEqualTo(limit);
        } else {
            int most = Integer.parseInt(limit);
            assertThat(Integer.parseInt(found)).isBetween(most - reserve, most);
        }
    }

    /** Once Jetty has been busy, it reserves up to one thread per processor, but at most a tenth of its pool. */
    static int reserve(String arm, int pool) {
        return arm.startsWith("jetty") ? Math.min(Runtime.getRuntime().availableProcessors(), pool / 10) : 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat-nio,boot3", "jetty,boot3", "undertow,boot3"})
    @Tag("full")
    void findsALimitThatAPropertySets(String arm) throws IOException {
        ProfilesFolder folder = withSettings(
                arm,
                "server.tomcat.threads.max=37",
                "server.undertow.threads.worker=37",
                "server.undertow.threads.io=2",
                // Jetty's own threads are part of its pool.
                "server.jetty.threads.max=40",
                "server.jetty.threads.acceptors=1",
                "server.jetty.threads.selectors=2");
        Map<String, String> options = Arms.options(arm, work);
        options.put("settings", "limited");
        assertLimit(options, folder, "platform", "37", reserve(arm, 40));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat-nio,boot3", "jetty,boot3", "undertow,boot3", "jetty,boot4"})
    @Tag("full")
    void findsWhatLimitsVirtualThreads(String arm) throws IOException {
        Map<String, String> options = Arms.options(arm, work);
        options.put("jdk", Jdks.recent().home().toString());
        options.put("threads", "virtual");
        if (arm.startsWith("jetty")) {
            // Limit of its pool of virtual threads, some of which its acceptor and selectors use.
            assertLimit(options, Arms.FOLDER, "virtual", "202", 3);
        } else {
            assertLimit(options, Arms.FOLDER, "virtual", ServedAtOnce.NO_LIMIT, 0);
        }
    }

    @Test
    void rejectsVirtualThreadsBeforeAnythingStarts() throws IOException {
        Map<String, String> options = Arms.options("jetty,boot2", work);
        options.put("threads", "virtual");

        assertThatThrownBy(() -> Arms.open(options, Arms.FOLDER, work))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "-Dthreads=virtual: Spring Boot 2.7 cannot serve with virtual threads: choose boot3 or boot4");
        assertThat(work.resolve("results")).doesNotExist();
    }

    @Test
    void rejectsAQueryWithoutADatabase() throws IOException {
        Map<String, String> options = Arms.options("tomcat-nio,boot3", work);
        options.put("workloads", "query");

        assertThatThrownBy(() -> Arms.open(options, Arms.FOLDER, work))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("the workload query needs the Maven profile query");
    }

    private ProfilesFolder withSettings(String arm, String... lines) throws IOException {
        Path copy = work.resolve("profiles");
        Files.createDirectories(copy.resolve("settings"));
        for (String file :
                List.of(arm.split(",")[0] + ".properties", "load.properties", "workloads.properties", "jvm.options")) {
            Files.copy(Arms.FOLDER.path().resolve(file), copy.resolve(file));
        }
        Files.write(copy.resolve("settings/limited.properties"), List.of(lines));
        return new ProfilesFolder(copy);
    }
}
