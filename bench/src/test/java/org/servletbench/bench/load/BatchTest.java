package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.ToolSettings;

class BatchTest {

    private static Schedule.InterleavedLoad timeSlices(ToolSettings settings) {
        Batch.Task task = new Batch.Task(
                new Load("hello", 20, 0),
                settings,
                List.of(new Schedule.Endpoint("a", "http://127.0.0.1:1", "/hello", 5, 5)));
        return new Batch(
                        new Batch.Work(List.of(task), List.of()),
                        new Batch.Pace(1000, 60_000, 1, 100),
                        new Batch.Settling(new Schedule.WarmUp(0, 1, 1, 5, 1), 2000, 0, 0),
                        new Batch.Run(7, "test", Optional.empty(), false, Path.of("")),
                        Machines.NONE,
                        Optional.empty())
                .timeSlices(task, 7);
    }

    /** The amount of load is the same; only the length of a time slice differs. */
    @Test
    void aLoadMayHaveLongTurns() {
        assertThat(timeSlices(ToolSettings.PLAIN).timeSliceMs()).isEqualTo(100);
        assertThat(timeSlices(ToolSettings.LONG_SLICES).timeSliceMs()).isEqualTo(ToolSettings.LONG_MS);
        assertThat(timeSlices(ToolSettings.LONG_SLICES)
                        .interleaving(ToolSettings.LONG_MS, 0)
                        .rounds())
                .isEqualTo(20);
    }
}
