package org.servletbench.bench.load.tool;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.ToolResult;

/** A program of its own, a process for each window: its shortest turn is whole seconds. */
public final class ToolGenerator implements Generator {

    /** A turn, s. */
    private static final double TURN_SECONDS = 2;

    private final String name;
    private final CommandLineGenerator tool;

    /** @param name with its setting after a dash; see {@link ToolSettings} */
    private ToolGenerator(String name, CommandLineGenerator tool) {
        this.name = name;
        this.tool = tool;
    }

    /** All of them, each with its plain name. */
    public static Stream<Generator> all() {
        return CommandLineGenerator.all().stream().map(tool -> new ToolGenerator(tool.name(), tool));
    }

    /** One whose name carries a pause; empty where this is no such name. */
    public static Optional<Generator> paused(String name) {
        return ToolSettings.isPaused(name)
                ? Optional.of(new ToolGenerator(name, ToolSettings.tool(name)))
                : Optional.empty();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> missing(Path root) {
        return tool.missing();
    }

    @Override
    public Optional<String> version(Path root) {
        return tool.version();
    }

    @Override
    public Fidelity fidelity() {
        return tool.fidelity();
    }

    @Override
    public Results run(Batch batch, Path folder, Watch watch) {
        boolean turns = batch.loads().stream().anyMatch(batch::inTurns) && !ToolSettings.isCounted(batch.options());
        double window = batch.windowMs() / 1e3;
        double seconds = turns ? Math.min(TURN_SECONDS, window) : window;
        int rounds = (int) Math.round(Math.ceil(batch.rounds() * window / seconds));
        List<LoadResult> results = new ArrayList<>();
        double loadSeconds = 0;
        for (Batch.Window one : batch.windows(batch.loads(), rounds, new Random(batch.seed()))) {
            String server = one.stop().name();
            watch.begins(server);
            watch.phase(server, "measure " + one.task().load().name() + " with " + name);
            Path place = folder.resolve(one.name().replace(' ', '-'));
            try {
                Files.createDirectories(place);
            } catch (IOException e) {
                throw new LoadException("cannot make the folder " + place + " (" + e.getMessage() + ")");
            }
            ToolLoad load = ToolSettings.load(
                    batch.options(),
                    name,
                    URI.create(one.stop().server() + one.stop().path()),
                    one.task().load().tier(),
                    seconds);
            long begin = System.nanoTime();
            OptionalLong from = watch.mark(server);
            ToolResult result = tool.run(load, place, batch.cpus(), watch);
            OptionalLong to = watch.mark(server);
            results.add(new LoadResult.FromTool(
                    one.task(), server, result, from.orElse(result.fromMs()), to.orElse(result.toMs())));
            loadSeconds += (System.nanoTime() - begin) / 1e9;
        }
        return new Results(results, 0, loadSeconds);
    }
}
