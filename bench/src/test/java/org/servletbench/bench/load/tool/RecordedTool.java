package org.servletbench.bench.load.tool;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.ToolResult;

/** Reads earlier output of a tool as if the tool had just run. */
public final class RecordedTool {
    private RecordedTool() {}

    public static ToolResult result(
            String name, Batch.Task task, Path folder, long fromMs, long toMs, double cpuSeconds) {
        ToolLoad load = CommandLineGenerator.load(
                URI.create("http://127.0.0.1:8080/hello"),
                task.load().users(),
                task.settings(),
                Map.of(),
                (toMs - fromMs) / 1000);
        return ToolProcess.result(
                (CommandLineGenerator) Generators.named(name),
                load,
                folder,
                new ToolProcess.Ended(fromMs, toMs, 0, false, cpuSeconds));
    }
}
