package org.servletbench.bench.load.tool;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.model.UsageException;

/** A load generator that is a program of its own, as Debian packages it. Each knows its command line and its output. */
public sealed interface CommandLineGenerator permits Wrk, ApacheBench, Siege {

    /** All of them, in the order in which they are listed. */
    static List<CommandLineGenerator> all() {
        return List.of(new Wrk(), new ApacheBench(), new Siege());
    }

    /**
     * The one of this name.
     *
     * @throws UsageException if there is none
     */
    static CommandLineGenerator named(String name) {
        return all().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("no command-line generator '" + name + "': choose one of "
                        + all().stream().map(CommandLineGenerator::name).collect(Collectors.joining(", "))));
    }

    /** Its command: {@code wrk}, {@code ab} or {@code siege}. */
    String name();

    /** The Debian package that brings it. */
    String debianPackage();

    /** What it says its version is; empty where it is not installed. */
    Optional<String> version();

    /** The line that says what to install; empty where nothing is missing. */
    default Optional<String> missing() {
        return ToolProcess.missing(List.of(this));
    }

    /** What its figures are worth. */
    Fidelity fidelity();

    /**
     * The command line for a load, without the processors that it is pinned to.
     *
     * @param load what to apply
     * @param folder gets the files that the command names; it exists
     * @throws UsageException if this tool cannot apply such a load
     */
    List<String> command(ToolLoad load, Path folder);

    /**
     * Applies a load, to its end. Raw output is kept in the folder, also when this fails.
     *
     * @param load what to apply
     * @param folder gets the raw output; it exists, and holds no other run of the same tool
     * @param cpus processors for the tool as {@code taskset -c} takes them, for example {@code 1} or {@code 0,2-3}; empty
     *     for all
     * @param watch knows the server
     * @return what it measured
     * @throws UsageException if this tool cannot apply such a load
     * @throws LoadException if the tool is missing or failed, ran past its time, or its output makes no sense; if the server
     *     died; if this thread was interrupted. The tool's process has ended then
     */
    ToolResult run(ToolLoad load, Path folder, Optional<String> cpus, ToolWatch watch);

    /**
     * Checks published options against those that a tool takes here: none that writes elsewhere, or sends load elsewhere.
     *
     * @param tool for the message
     * @param options as published; those with a value have it in the next word
     * @param withValue options that take a value
     * @param alone options that take none
     * @throws UsageException for any other
     */
    static void requireKnown(String tool, List<String> options, List<String> withValue, List<String> alone) {
        for (int i = 0; i < options.size(); i++) {
            String option = options.get(i);
            if (withValue.contains(option) && i + 1 < options.size()) {
                i++;
            } else if (!alone.contains(option)) {
                throw new UsageException("option '" + option + "' of " + tool
                        + " is not taken here, or lacks its value:"
                        + " choose from "
                        + Stream.of(alone, withValue).flatMap(List::stream).collect(Collectors.joining(", ")));
            }
        }
    }
}
