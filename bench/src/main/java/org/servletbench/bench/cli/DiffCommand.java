package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.server.exchange.JarDifference;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Lists the differences between two builds of a service. */
@Command(
        name = "diff",
        description =
                "Lists the differences between two executable jars of Spring Boot: libraries, own classes, configuration.",
        footer = {
            "",
            "Nothing in the jars is run. Configuration is listed by name, without values.",
            "Exit code: 0 done, 2 bad usage, or a file that is not an executable jar of Spring Boot."
        })
final class DiffCommand extends BenchCommand implements Callable<Integer> {

    enum Format {
        TEXT,
        MARKDOWN,
        JSON
    }

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
            case MARKDOWN -> markdown(difference.lines());
            case TEXT ->
                difference.lines().forEach(line -> console().println(text("%-15s %s", line.about(), line.what())));
        }
        return 0;
    }

    private void markdown(List<JarDifference.Line> lines) {
        console().println("| | " + before.getFileName() + " → " + after.getFileName() + " |");
        console().println("|---|---|");
        lines.forEach(line ->
                console().println("| " + line.about() + " | " + line.what().replace("|", "\\|") + " |"));
    }

    /** Parses a format regardless of case. */
    static final class ToFormat implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            try {
                return Format.valueOf(value.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'" + value + "' is not a format: choose text, markdown or json");
            }
        }
    }
}
