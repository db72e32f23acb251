package org.servletbench.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.load.tool.RecordedTool;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.SliceReader;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.Json;

/**
 * A generator that sends nothing, but returns the files that a generator left in a folder earlier.
 *
 * @param folder folder of the generator's load, as a campaign keeps it
 */
public record Replayed(String name, Path folder) implements Generator {

    private static final List<String> LOGS = List.of("simulation.log", "results.csv");

    @Override
    public Optional<String> version(Path root) {
        return Optional.of("recorded");
    }

    @Override
    public GeneratorFacts facts() {
        return GeneratorFacts.find(name).orElseThrow();
    }

    @Override
    public Results run(Batch batch, Path ignored, Watch watch) {
        try {
            return new Results(results(batch), 0, 0, Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<LoadResult> results(Batch batch) throws IOException {
        Optional<Path> file;
        try (Stream<Path> files = Files.walk(folder)) {
            file = files.filter(one -> LOGS.contains(one.getFileName().toString()))
                    .findFirst();
        }
        return file.isPresent() ? logged(batch, RawLog.of(file.get())) : reported(batch);
    }

    private List<LoadResult> logged(Batch batch, RawLog log) throws IOException {
        List<LoadResult> results = new ArrayList<>();
        List<Batch.Task> whole = new ArrayList<>();
        for (Batch.Task task : batch.loads()) {
            if (batch.inTimeSlices(task)) {
                results.addAll(inTimeSlices(task, log));
            } else if (!task.isSearch()) {
                whole.add(task);
            }
        }
        Map<String, Batch.TaskWindow> windows = new HashMap<>();
        batch.windows(whole, batch.rounds(), new Random(1)).forEach(one -> windows.put(one.name(), one));
        if (!windows.isEmpty()) {
            results.addAll(LoadResult.windows(log, windows, Set.of(), List.of()));
        }
        results.addAll(LoadResult.searches(batch, log, folder, List.of()));
        return results;
    }

    private List<LoadResult> inTimeSlices(Batch.Task task, RawLog log) throws IOException {
        String load = task.load().name();
        Interleaving interleaving = Schedule.readInterleaving(Schedule.interleavingFile(folder, load));
        List<SliceUsage> uses = new ArrayList<>();
        List<String> lines = Files.readAllLines(folder.resolve("slices-" + load.replace(' ', '-') + ".csv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] row = line.split(",");
            uses.add(new SliceUsage(
                    Integer.parseInt(row[0]),
                    Long.parseLong(row[1]),
                    Long.parseLong(row[2]),
                    Long.parseLong(row[3]),
                    Long.parseLong(row[4])));
        }
        return LoadResult.timeSlices(
                task, SliceReader.read(interleaving, List.of(), task.load().users(), uses, 0, log::read), List.of());
    }

    /**
     * Each window has a folder with the tool's output and {@code ended.json}, which says between which rows of the
     * monitor it ran.
     */
    private List<LoadResult> reported(Batch batch) throws IOException {
        List<LoadResult> results = new ArrayList<>();
        try (Stream<Path> folders = Files.list(folder)) {
            for (Path place : folders.filter(Files::isDirectory).sorted().toList()) {
                JsonNode ended =
                        Json.MAPPER.readTree(place.resolve("ended.json").toFile());
                for (Batch.Task task : batch.loads()) {
                    for (Schedule.Endpoint endpoint : task.endpoints()) {
                        if (place.getFileName().toString().startsWith(endpoint.name() + "-round-")) {
                            long from = ended.path("from").asLong();
                            long to = ended.path("to").asLong();
                            results.add(RecordedTool.result(
                                            name,
                                            task,
                                            place,
                                            from,
                                            to,
                                            ended.path("cpu.s").asDouble())
                                    .of(task, endpoint.name(), from, to));
                        }
                    }
                }
            }
        }
        return results;
    }
}
