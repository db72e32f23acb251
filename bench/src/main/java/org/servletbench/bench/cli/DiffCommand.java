package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.server.exchange.JarDifference;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Says what two builds of a service differ in. */
@Command(
        name = "diff",
        description =
                "Lists the differences between two executable jars of Spring Boot: libraries, own classes, configuration.",
        footer = {
            "",
            "Nothing of the jars is run. Configuration is listed by name, without values.",
            "Exit code: 0 done, 2 bad usage, or a file that is no executable jar of Spring Boot."
        })
final class DiffCommand extends BenchCommand implements Callable<Integer> {

    /** Most packages that are listed. */
    private static final int MOST_PACKAGES = 5;

    /** Forms of the output. */
    enum Format {
        TEXT,
        MARKDOWN,
        JSON
    }

    /** One line: what it is about, and what differs. */
    private record Line(String about, String what) {}

    @Parameters(index = "0", paramLabel = "BEFORE", description = "an executable jar or war of Spring Boot")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "another build of it")
    private Path after;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, markdown or json. Default: text",
            converter = ToFormat.class,
            defaultValue = "text")
    private Format format;

    @Override
    public Integer call() throws JsonProcessingException {
        JarDifference difference = JarDifference.between(before, after);
        switch (format) {
            case JSON ->
                console().println(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(difference));
            case MARKDOWN -> markdown(lines(difference));
            case TEXT -> lines(difference).forEach(line -> console().println(text("%-15s %s", line.about, line.what)));
        }
        return 0;
    }

    private void markdown(List<Line> lines) {
        console().println("| | " + before.getFileName() + " → " + after.getFileName() + " |");
        console().println("|---|---|");
        lines.forEach(line -> console().println("| " + line.about + " | " + line.what.replace("|", "\\|") + " |"));
    }

    private static List<Line> lines(JarDifference difference) {
        if (difference.isEmpty()) {
            return List.of(new Line("no difference", "in libraries, own classes and configuration"));
        }
        List<Line> lines = new ArrayList<>();
        difference
                .facts()
                .forEach(fact -> lines.add(new Line(
                        fact.name(), JarDifference.known(fact.before()) + " → " + JarDifference.known(fact.after()))));
        lines.add(new Line(
                "libraries",
                text(
                        "%d changed, %d added, %d removed; %d in all",
                        difference.changed().stream()
                                .mapToInt(family -> family.members().size())
                                .sum(),
                        difference.added().size(),
                        difference.removed().size(),
                        difference.libraries())));
        difference.changed().forEach(family -> lines.add(new Line("  changed", family.words())));
        difference.added().forEach(one -> lines.add(new Line("  added", one.name() + " " + one.version())));
        difference.removed().forEach(one -> lines.add(new Line("  removed", one.name() + " " + one.version())));
        JarDifference.Classes classes = difference.classes();
        lines.add(new Line(
                "own classes",
                text("%d changed, %d added, %d removed", classes.changed(), classes.added(), classes.removed())
                        + packages(classes)));
        lines.add(new Line(
                "configuration",
                difference.keys().isEmpty()
                        ? "equal"
                        : difference.keys().size() + " keys differ: " + String.join(", ", difference.keys())));
        return lines;
    }

    private static String packages(JarDifference.Classes classes) {
        if (classes.packages().isEmpty()) {
            return "";
        }
        int more = classes.packages().size() - MOST_PACKAGES;
        return classes.packages().entrySet().stream()
                .limit(MOST_PACKAGES)
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", ", ": ", more > 0 ? " and " + more + " packages more" : ""));
    }

    /** Reads a format in any case. */
    static final class ToFormat implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            try {
                return Format.valueOf(value.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'" + value + "' is no format: choose text, markdown or json");
            }
        }
    }
}
