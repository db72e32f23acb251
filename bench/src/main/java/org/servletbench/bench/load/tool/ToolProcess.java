package org.servletbench.bench.load.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.RunFolder;

/**
 * The process of a command-line generator, from its start to its certain end. It ends with servlet-bench
 * ({@link ManagedProcess}).
 */
final class ToolProcess {

    private static final long LOOK_MILLIS = 100;
    private static final Duration VERSION_PATIENCE = Duration.ofSeconds(10);
    private static final int LONGEST_WORDS = 300;
    private static final long LONGEST_OUTPUT = 64 << 20;
    private static final Pattern COLOUR = Pattern.compile("\u001B?\\[[0-9;]*m");

    /**
     * A process that has ended.
     *
     * @param fromMs time when it started, ms since the epoch
     * @param toMs time when it had ended, ms since the epoch
     * @param late true if it ran past its time and its {@linkplain CommandLineGenerator#margin margin}, and had to be
     *     ended
     * @param cpuSeconds processor time that it used, s; NaN if the system does not report it
     */
    record Ended(long fromMs, long toMs, int exitCode, boolean late, double cpuSeconds) {

        boolean isCrash() {
            return ManagedProcess.isCrash(exitCode);
        }
    }

    private ToolProcess() {}

    static Path out(Path folder, String name) {
        return folder.resolve(name + ".out");
    }

    static Path err(Path folder, String name) {
        return folder.resolve(name + ".err");
    }

    /** Returns what a tool prints when asked for its version; empty if it is not installed. */
    static Optional<String> version(String tool, List<String> arguments) {
        if (ManagedProcess.onPath(tool).isEmpty()) {
            return Optional.empty();
        }
        Path home = null;
        try {
            // siege writes into the home folder even when it is only asked for its version.
            home = Files.createTempDirectory("servlet-bench");
            List<String> command = new ArrayList<>(List.of(tool));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("HOME", home.toString());
            ManagedProcess.Ended asked = ManagedProcess.run(builder, VERSION_PATIENCE);
            return Optional.of(asked.late() ? "" : asked.output());
        } catch (IOException e) {
            return Optional.of("");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("");
        } finally {
            delete(home);
        }
    }

    /** Deletes a folder of servlet-bench, with its contents. A leftover does no harm. */
    static void delete(Path folder) {
        try {
            if (folder != null) {
                RunFolder.delete(folder);
            }
        } catch (IOException e) {
            // Nothing depends on a leftover.
        }
    }

    /**
     * Runs a tool, and returns when it has ended, whether it succeeded or not.
     *
     * @param builder the tool's own command line and environment; {@code TOOL.out} and {@code TOOL.err} are written to
     *     its folder
     * @param cpus processors in the format of {@code taskset -c}
     */
    static Ended execute(
            CommandLineGenerator tool, ToolLoad load, ProcessBuilder builder, Optional<String> cpus, ToolWatch watch) {
        String name = tool.name();
        tool.missing().ifPresent(LoadException::raise);
        Path out = out(builder.directory().toPath(), name);
        builder.redirectOutput(out.toFile())
                .redirectError(err(builder.directory().toPath(), name).toFile());
        // A proxy would send the load elsewhere.
        builder.environment().keySet().removeIf(variable -> variable.toLowerCase(Locale.ROOT)
                .endsWith("_proxy"));
        double before = ManagedProcess.endedSeconds();
        Process process;
        boolean late = false;
        long from = System.currentTimeMillis();
        try {
            process = ManagedProcess.start(builder, ManagedProcess.Farewell.KILL, cpus);
        } catch (IOException e) {
            throw new LoadException(name + " could not be started: " + e.getMessage());
        }
        try {
            watch.loadedBy(process.toHandle());
            long deadline =
                    System.nanoTime() + load.longest().plus(tool.margin()).toNanos();
            while (!late && !process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                requireAlive(watch);
                late = System.nanoTime() > deadline;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load; " + name + " was stopped");
        } finally {
            // These tools keep no data, so a graceful end would save nothing.
            ManagedProcess.stop(process, Duration.ZERO);
        }
        return new Ended(
                from, System.currentTimeMillis(), process.exitValue(), late, ManagedProcess.endedSeconds() - before);
    }

    /**
     * @throws LoadException if the process failed, or its output makes no sense
     */
    static ToolResult result(CommandLineGenerator tool, ToolLoad load, Path folder, Ended ended) {
        String name = tool.name();
        if (ended.late) {
            throw new LoadException(name + " still ran " + tool.margin().toSeconds() + " s after its time of "
                    + load.longest().toSeconds() + " s was over; it was stopped; its output is "
                    + out(folder, name));
        }
        if (ended.exitCode != 0) {
            throw new LoadException(
                    name + " failed (" + ManagedProcess.exit(ended.exitCode) + "): " + lastWords(folder, name));
        }
        try {
            return new ToolResult(
                    ended.fromMs,
                    ended.toMs,
                    tool.read(load, folder, out(folder, name)),
                    ended.cpuSeconds,
                    folder,
                    files(folder));
        } catch (UnreadableLogException e) {
            throw new LoadException(e.getMessage());
        } catch (IOException e) {
            throw new LoadException("cannot read what " + name + " measured (" + e.getMessage() + ")");
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static void requireAlive(ToolWatch watch) {
        watch.death().map(death -> "the server died under load: " + death).ifPresent(LoadException::raise);
    }

    /** Returns the last line that a tool printed on standard error or, if that is empty, on standard output. */
    private static String lastWords(Path folder, String name) {
        return last(err(folder, name)).or(() -> last(out(folder, name))).orElse("it printed nothing; see " + folder);
    }

    private static Optional<String> last(Path file) {
        try {
            List<String> lines = COLOUR.matcher(text(file))
                    .replaceAll("")
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
            if (lines.isEmpty()) {
                return Optional.empty();
            }
            String line = lines.get(lines.size() - 1);
            // wrk and siege print their options after the reason.
            if (lines.stream().anyMatch(text -> text.startsWith("Usage:"))) {
                line = lines.get(0);
            }
            return Optional.of(line.length() > LONGEST_WORDS ? line.substring(0, LONGEST_WORDS) + "…" : line);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns a tool's output. */
    static String text(Path file) throws IOException {
        if (Files.size(file) > LONGEST_OUTPUT) {
            throw new UnreadableLogException(file + ": too long for a tool's output");
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /** Checks that a tool's own figures agree. Its seconds are known to this resolution, s. */
    static void requireConsistent(Path file, long completed, double seconds, double throughput, double resolution)
            throws UnreadableLogException {
        double least = completed / (seconds + resolution);
        double most = seconds > resolution ? completed / (seconds - resolution) : Double.POSITIVE_INFINITY;
        // A number printed with two decimals may be off by half a unit of the last decimal.
        if (!(throughput >= least * 0.999 - 0.01 && throughput <= most * 1.001 + 0.01)) {
            throw new UnreadableLogException(Text.text(
                    "%s: %d requests in %s s are not %s requests/s: the output is damaged",
                    file, completed, seconds, throughput));
        }
    }
}
