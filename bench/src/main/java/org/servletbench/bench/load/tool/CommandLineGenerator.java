package org.servletbench.bench.load.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * A load generator that is a separate program, as Debian packages it. It runs as a process for each window, whose
 * shortest slice is whole seconds. Each subclass knows its command line and its output.
 */
public abstract class CommandLineGenerator implements Generator {

    /** Length of a time slice, s. */
    private static final double SLICE_SECONDS = 2;

    /**
     * Maximum number of runs of one load with a tool that fails by its own fault, independent of the server. siege
     * 4.0.7 crashed in 1 of 60 runs of 1 s, and never ended in 4 of 360. It cancels its threads at any instruction,
     * when one of them may hold a lock of malloc.
     */
    private static final int MOST_RUNS = 3;

    private final GeneratorFacts facts;
    private final String name;
    private final String debianPackage;
    private final List<String> askVersion;
    private final Pattern version;

    /**
     * @param debianPackage package that contains it
     * @param askVersion arguments that make it print its version
     * @param version pattern that finds the version in that output, as its first group
     */
    CommandLineGenerator(GeneratorFacts facts, String debianPackage, List<String> askVersion, Pattern version) {
        this.facts = facts;
        this.name = facts.name();
        this.debianPackage = debianPackage;
        this.askVersion = askVersion;
        this.version = version;
    }

    public static List<CommandLineGenerator> all() {
        return Generators.all().stream()
                .filter(CommandLineGenerator.class::isInstance)
                .map(CommandLineGenerator.class::cast)
                .toList();
    }

    /**
     * @throws UsageException if no generator has this name
     */
    public static CommandLineGenerator named(String name) {
        return all().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("no command-line generator '" + name + "': choose one of "
                        + all().stream().map(CommandLineGenerator::name).collect(Collectors.joining(", "))));
    }

    @Override
    public final GeneratorFacts facts() {
        return facts;
    }

    public final String debianPackage() {
        return debianPackage;
    }

    /** Returns the version that it reports; empty if it is not installed. */
    public final Optional<String> version() {
        return ToolProcess.version(name, askVersion).map(printed -> {
            Matcher matcher = version.matcher(printed);
            return matcher.find() ? matcher.group(1) : "unknown";
        });
    }

    @Override
    public final Optional<String> version(Path root) {
        return version();
    }

    /** Returns the line that says what to install; empty if nothing is missing. */
    public final Optional<String> missing() {
        return ManagedProcess.onPath(name).isPresent()
                ? Optional.empty()
                : Optional.of(name + " is not on this machine: apt-get install " + debianPackage);
    }

    @Override
    public final Optional<String> missing(Path root) {
        return missing();
    }

    /**
     * Returns the command line for a load, without pinning to processors.
     *
     * @param folder folder for the files that the command names; it exists
     * @throws UsageException if this tool cannot apply such a load
     */
    public abstract List<String> command(ToolLoad load, Path folder);

    /** Returns how long the tool may continue after its load should have ended. */
    Duration margin() {
        return Duration.ofSeconds(30);
    }

    /** Writes the files that the tool reads, and returns variables of its environment. */
    Map<String, String> prepare(ToolLoad load, Path folder) throws IOException {
        return Map.of();
    }

    /** Deletes files that are never read; called when the tool's process has ended. */
    void ended(Path folder) {}

    /** Reads the tool's output and its files. */
    abstract ToolFigures read(ToolLoad load, Path folder, Path out) throws IOException;

    /**
     * Applies a load, and returns when it has ended. If the tool crashes, or does not end after the load's time, it
     * runs up to twice more. Raw output of the last run stays in the folder, even if this method fails.
     *
     * @param folder folder for the raw output; it exists, and contains no other run of the same tool
     * @param cpus processors for the tool in the format of {@code taskset -c}, for example {@code 1} or {@code 0,2-3};
     *     empty for all
     * @throws UsageException if this tool cannot apply such a load
     * @throws LoadException if the tool is missing or failed, ran past its time, or its output makes no sense; if the
     *     server died; if this thread was interrupted. The tool's process has ended then.
     */
    public final ToolResult run(ToolLoad load, Path folder, Optional<String> cpus, ToolWatch watch) {
        return ToolProcess.result(
                this,
                load,
                folder,
                run(load, folder, cpus, watch, OptionalLong::empty).ended());
    }

    /**
     * The first run of the tool that did not fail by the tool's own fault; if all failed, the last run.
     *
     * @param from time of the server's monitor row before the run, ms since the epoch; empty without a monitor
     * @param to time of the server's monitor row after it
     */
    private record Run(OptionalLong from, ToolProcess.Ended ended, OptionalLong to) {}

    private Run run(ToolLoad load, Path folder, Optional<String> cpus, ToolWatch watch, Supplier<OptionalLong> mark) {
        Run run;
        int runs = 0;
        do {
            run = new Run(mark.get(), execute(load, folder, cpus, watch), mark.get());
        } while (isOwnFault(load, run.ended()) && ++runs < MOST_RUNS);
        return run;
    }

    /** True if the tool is at fault. A number of requests may just take too long, and would do so again. */
    private static boolean isOwnFault(ToolLoad load, ToolProcess.Ended ended) {
        return ended.late() ? load.duration().isPresent() : ended.isCrash();
    }

    final ToolProcess.Ended execute(ToolLoad load, Path folder, Optional<String> cpus, ToolWatch watch) {
        ProcessBuilder builder = new ProcessBuilder(command(load, folder)).directory(folder.toFile());
        try {
            builder.environment().putAll(prepare(load, folder));
            return ToolProcess.execute(this, load, builder, cpus, watch);
        } catch (IOException e) {
            throw new LoadException("cannot write to " + folder + " (" + e.getMessage() + ")");
        } finally {
            ended(folder);
        }
    }

    @Override
    public Results run(Batch batch, Path folder, Watch watch) {
        boolean counted =
                batch.loads().stream().anyMatch(task -> task.settings().isCounted());
        boolean timeSlices = batch.loads().stream().anyMatch(batch::inTimeSlices) && !counted;
        double window = batch.windowMs() / 1e3;
        double seconds = timeSlices ? Math.min(SLICE_SECONDS, window) : window;
        int rounds = (int) Math.round(Math.ceil(batch.rounds() * window / seconds));
        List<LoadResult> results = new ArrayList<>();
        double loadSeconds = 0;
        try {
            int settling = timeSlices ? (int) (batch.settlingMs() / 1e3 / seconds) : counted ? 1 : 0;
            for (Batch.TaskWindow one : batch.windows(batch.loads(), settling + rounds, new Random(batch.seed()))) {
                String server = one.endpoint().name();
                boolean settles = one.round() <= settling;
                if (settles && results.isEmpty() && loadSeconds == 0) {
                    watch.startCode("");
                } else if (!settles && results.isEmpty()) {
                    batch.loads().forEach(task -> watch.stopCode(task, false));
                }
                watch.begins(server);
                watch.phase(
                        server,
                        (settles ? "settle under " : "measure ")
                                + one.task().load().name() + " with "
                                + one.task().settings().label(name));
                Path place = SafeFiles.folder(folder, folder.resolve(one.name().replace(' ', '-')));
                ToolLoad load = load(
                        URI.create(one.endpoint().server() + one.endpoint().path()),
                        one.task().load().users(),
                        one.task().settings(),
                        one.endpoint().sending().headers(),
                        seconds);
                long begin = System.nanoTime();
                Run run = run(load, place, batch.cpus(), watch, () -> watch.mark(server));
                loadSeconds += (System.nanoTime() - begin) / 1e9;
                if (settles) {
                    continue;
                }
                ToolProcess.Ended ended = run.ended();
                results.add(ToolProcess.result(this, load, place, ended)
                        .of(
                                one.task(),
                                server,
                                run.from().orElse(ended.fromMs()),
                                run.to().orElse(ended.toMs())));
            }
        } catch (IOException e) {
            throw new LoadException("cannot write to " + folder + " (" + e.getMessage() + ")");
        }
        return new Results(results, 0, loadSeconds, Optional.empty());
    }

    /**
     * Returns a tool's load for a load of a campaign.
     *
     * @param headers headers of each request
     * @param seconds length of the load, s, unless it ends after a number of requests
     * @throws org.servletbench.bench.model.UsageException if no tool can apply it
     */
    public static ToolLoad load(
            URI url, int users, ToolSettings settings, Map<String, String> headers, double seconds) {
        Pause pause = settings.pause();
        if (!pause.isNone() && pause.kind() != Pause.Kind.UNIFORM) {
            throw new UsageException(
                    "'pause: " + pause + "' needs Gatling or JMeter: siege has random pauses only, such as 'pause: up"
                            + " to " + Time.of(pause.length()) + "', wrk and ab have none");
        }
        boolean counted = settings.isCounted();
        List<String> options = new ArrayList<>(settings.options());
        headers.forEach((name, value) -> options.addAll(List.of("-H", name + ": " + value)));
        return new ToolLoad(
                url,
                users,
                counted ? Optional.empty() : Optional.of(Duration.ofSeconds(Math.round(Math.ceil(seconds)))),
                counted ? OptionalLong.of(settings.requests()) : OptionalLong.empty(),
                settings.keepAlive(),
                settings.threads() > 0 ? OptionalInt.of(settings.threads()) : OptionalInt.empty(),
                settings.pause().length().toMillis() / 1e3,
                options);
    }

    /** The fields of a JSON object that a tool printed. Fields that are read must exist. */
    record Fields(Path file, String tool, JsonNode node) {

        Fields in(String key) throws UnreadableLogException {
            JsonNode value = node.get(key);
            if (value == null || !value.isObject()) {
                throw damaged("'" + key + "' is missing");
            }
            return new Fields(file, tool, value);
        }

        double number(String key) throws UnreadableLogException {
            JsonNode value = node.get(key);
            if (value == null || !value.isNumber() || value.doubleValue() < 0) {
                throw damaged("'" + key + "' is not a number from 0 up");
            }
            return value.doubleValue();
        }

        long count(String key) throws UnreadableLogException {
            double value = number(key);
            if (value != Math.rint(value)) {
                throw damaged("'" + key + "' is not a whole number");
            }
            return (long) value;
        }

        UnreadableLogException damaged(String what) {
            return new UnreadableLogException(file + ": " + tool + "'s figures are damaged: " + what);
        }
    }

    /** Checks published options against the tool's allowed ones, none of which writes files or sends load elsewhere. */
    final void requireKnown(List<String> options, List<String> withValue, List<String> alone) {
        for (int i = 0; i < options.size(); i++) {
            String option = options.get(i);
            if (withValue.contains(option) && i + 1 < options.size()) {
                i++;
            } else if (!alone.contains(option)) {
                throw new UsageException("option '" + option + "' of " + name
                        + " is not allowed here, or lacks its value:"
                        + " choose from "
                        + Stream.of(alone, withValue).flatMap(List::stream).collect(Collectors.joining(", ")));
            }
        }
    }
}
