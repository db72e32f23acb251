package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.proof.Parity;

/**
 * The only test of the application with a database, on every Spring Boot version, with a database within its JVM and
 * with PostgreSQL.
 */
class QueryIT {

    private static final List<Workload> QUERY = Arms.FOLDER.allWorkloads().stream()
            .filter(workload -> workload.name().equals("query"))
            .toList();

    @TempDir
    private Path work;

    private Map<String, String> options(String profile, String line) throws IOException {
        Arm planned = Arm.planned(profile, profile, Arm.Role.ARM, Arms.FOLDER.container(profile), line);
        Arm built = new ArmBuilds(Maven.ROOT, said -> {})
                .complete(List.of(planned), List.of("query"))
                .get(0);
        Map<String, String> options = new HashMap<>(Arms.options(profile + "," + line, work));
        options.put("bench.jar", built.jar());
        options.put("workloads", "query");
        return options;
    }

    @ParameterizedTest
    @ValueSource(strings = {"boot2", "boot4"})
    @Tag("full")
    void answersARowOfTheDatabaseWithinTheServer(String line) throws IOException {
        assertAnswers(options("tomcat-nio", line));
    }

    private Map<String, String> assertAnswers(Map<String, String> options) throws IOException {
        try (Target target = Arms.open(options, Arms.FOLDER, work)) {
            Map<String, Long> before = pool(target);
            Map<String, String> answers = Parity.of(target.url(), QUERY);
            assertThat(answers).containsKey("query: body");
            Map<String, Long> after = pool(target);
            // Each response took one connection from the pool.
            assertThat(after.get("pool.taken")).isGreaterThan(before.get("pool.taken"));
            assertThat(after.get("pool.waited.us")).isGreaterThan(before.get("pool.waited.us"));
            JsonNode json =
                    Json.MAPPER.readTree(target.folder().resolve("server.json").toFile());
            assertThat(json.get("proven").get(ServedAtOnce.LIMIT).textValue()).isEqualTo("200");
            return answers;
        }
    }

    /** Returns the pool's totals from the newest row of the monitor. */
    private static Map<String, Long> pool(Target target) throws IOException {
        target.mark();
        List<String> lines = Files.readAllLines(target.folder().resolve("monitor.csv"));
        List<String> columns = List.of(lines.get(0).split(","));
        List<String> values = List.of(lines.get(lines.size() - 1).split(",", -1));
        return Stream.of("pool.taken", "pool.waited.us")
                .collect(Collectors.toMap(name -> name, name -> Long.parseLong(values.get(columns.indexOf(name)))));
    }

    @Test
    void answersTheSameRowOfAPostgresqlThatItFillsOnce() throws IOException {
        Map<String, String> options = options("tomcat-nio", "boot3");
        Map<String, String> expected = assertAnswers(options);
        try (Postgres postgres = Postgres.start()) {
            options.put("db.url", postgres.url());
            for (int server = 0; server < 2; server++) {
                try (Target target = Arms.open(options, Arms.FOLDER, work)) {
                    assertThat(Parity.of(target.url(), QUERY)).isEqualTo(expected);
                }
                assertThat(postgres.ask("select count(*), min(id), max(id) from servlet_bench_row"))
                        .isEqualTo("10000|1|10000");
            }
        }
    }

    @Test
    @Tag("full")
    void nothingOfItIsInTheUsualApplication() throws IOException {
        try (JarFile usual = new JarFile(Arms.options("tomcat-nio,boot3", work).get("bench.jar"));
                JarFile query = new JarFile(options("tomcat-nio", "boot3").get("bench.jar"))) {
            assertThat(usual.stream().map(JarEntry::getName))
                    .noneMatch(name -> name.matches(".*(h2-|HikariCP|postgresql|spring-jdbc|QueryController).*"));
            assertThat(query.stream().map(JarEntry::getName))
                    .anyMatch(name -> name.contains("HikariCP"))
                    .anyMatch(name -> name.contains("QueryController"));
        }
    }
}
