package org.servletbench.bench.generator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.RequestSpec;

class ScheduleTest {

    private static final Schedule.Endpoint CREATE = new Schedule.Endpoint(
            "a create 4 users",
            "http://127.0.0.1:1",
            "/owners",
            0,
            99,
            new RequestSpec(
                    "POST", Map.of("Content-Type", "application/json"), "{\"name\": \"Zoë #{a} ${b}\"}\n", 201));

    private static Schedule schedule(int users) {
        return new Schedule(
                new Schedule.WarmUp(0, 1, 1, 5, 1),
                List.of(CREATE.server()),
                List.of(new Schedule.Window(CREATE, users, 0, 10, 20)),
                List.of(new Schedule.InterleavedLoad(
                        "create 4 users", List.of(CREATE), users, 10, 10, 10, 20, 5, 7, 0)),
                List.of(),
                "");
    }

    @Test
    void aRequestIsReadAsItWasWritten(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("schedule.json");
        schedule(4).write(file);
        assertThat(Schedule.read(file)).isEqualTo(schedule(4));
        assertThat(schedule(4).shareOf(1, 2)).as("of a load host").isEqualTo(schedule(2));
        assertThat(Schedule.read(file).rehearsals()).containsExactly(CREATE);
    }

    @Test
    void whereNothingIsSaidOfARequestItIsAPlainGet(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("schedule.json");
        schedule(4).write(file);
        JsonNode all = Json.MAPPER.readTree(file.toFile());
        all.findParents("sending").forEach(endpoint -> ((ObjectNode) endpoint).remove("sending"));
        Json.MAPPER.writeValue(file.toFile(), all);
        assertThat(Schedule.read(file).windows().get(0).endpoint().sending()).isEqualTo(RequestSpec.GET);
    }
}
