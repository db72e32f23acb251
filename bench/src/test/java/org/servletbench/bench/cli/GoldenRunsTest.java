package org.servletbench.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.Golden;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.RunFacts;
import org.servletbench.bench.report.run.RunWarning;

/**
 * Compares a recorded single run of each generator (raw log, monitor's file, server's record) with the numbers computed
 * from it.
 */
class GoldenRunsTest {

    private static final List<String> LOGS = List.of("simulation.log", "results.csv");

    @ParameterizedTest
    @ValueSource(strings = {"gatling", "jmeter"})
    void numbersAreTheSame(String name) throws IOException {
        Path folder = Golden.FOLDER.resolve("runs").resolve(name);
        Path log = LOGS.stream()
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow();
        Measured measured = new Measured(log, RawLog.of(log).measure());
        StringWriter json = new StringWriter();
        MeasureFiles.json(List.of(measured), new PrintWriter(json));
        JsonNode numbers = Json.MAPPER.readTree(json.toString());
        numbers.path("logs").forEach(one -> {
            ((ObjectNode) one).remove("file");
            // Packed bytes depend on the JDK, so the figures are compared instead.
            one.path("loads").forEach(load -> ((ObjectNode) load).remove("steady_histogram_ms"));
            Stream.concat(Stream.of(one), Stream.of(one.path("loads")).flatMap(GoldenRunsTest::each))
                    .flatMap(place -> each(place.path("checks")))
                    .forEach(check -> ((ObjectNode) check).remove("figures"));
        });
        List<?> warnings =
                RunFacts.warnings(measured).all().stream().map(RunWarning::kind).toList();
        Golden.check(folder.resolve("numbers.json"), Map.of("measured", numbers, "warnings", warnings));
    }

    private static Stream<JsonNode> each(JsonNode array) {
        Stream.Builder<JsonNode> all = Stream.builder();
        array.forEach(all);
        return all.build();
    }
}
