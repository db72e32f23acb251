package org.servletbench.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.report.BencherMetrics;
import org.servletbench.bench.report.Early;
import org.servletbench.bench.report.GithubBenchmark;
import org.servletbench.bench.report.JUnitXml;
import org.servletbench.bench.report.MarkdownSummary;
import org.servletbench.bench.report.Outcomes;

/** Files about a campaign for programs. Each is an option of compare and of report. */
enum ResultFile {
    JUNIT(
            "verdicts and claims as JUnit XML",
            text -> text.startsWith("<?xml"),
            JUnitXml::of,
            Optional.of(JUnitXml::of)),
    SUMMARY(
            "the answer in Markdown, for a pull request",
            text -> text.startsWith(MarkdownSummary.BEGINS),
            MarkdownSummary::of,
            Optional.of(MarkdownSummary::of)),
    BMF(
            "figures in the Bencher Metric Format",
            text -> isJson(text, BencherMetrics::isOne),
            BencherMetrics::of,
            Optional.empty()),
    GITHUB_BENCHMARK(
            "figures for github-action-benchmark, as customSmallerIsBetter",
            text -> isJson(text, GithubBenchmark::isOne),
            GithubBenchmark::of,
            Optional.empty());

    /** Number of bytes to read at most; none of our files is longer. */
    private static final int LONGEST = 16 << 20;

    private final String description;
    private final Predicate<String> ours;
    private final Function<Outcomes, String> content;
    /**
     * Writes the text for a campaign that failed or was interrupted. Empty if half a campaign could be mistaken for a
     * whole one.
     */
    private final Optional<Function<Early, String>> early;

    ResultFile(
            String description,
            Predicate<String> ours,
            Function<Outcomes, String> content,
            Optional<Function<Early, String>> early) {
        this.description = description;
        this.ours = ours;
        this.content = content;
        this.early = early;
    }

    /** Returns the name of its option, without leading dashes. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String description() {
        return description;
    }

    private static boolean isJson(String text, Predicate<JsonNode> which) {
        try {
            return which.test(Json.MAPPER.readTree(text));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Removes the options of files from the given ones, and checks that the files can be written.
     *
     * @throws UsageException if one cannot be written, or exists with other content
     */
    static Map<ResultFile, Path> taken(Map<String, String> given) {
        Map<ResultFile, Path> files = new EnumMap<>(ResultFile.class);
        for (ResultFile one : values()) {
            String file = given.remove(one.key());
            if (file != null) {
                files.put(one, Path.of(file).normalize());
            }
        }
        files.forEach(ResultFile::requireWritable);
        if (files.values().stream()
                        .map(file -> file.toAbsolutePath().normalize())
                        .distinct()
                        .count()
                < files.size()) {
            throw new UsageException("two results cannot share a file: give each its own name");
        }
        return files;
    }

    private void requireWritable(Path file) {
        String option = "--" + key() + " " + file;
        if (Files.isDirectory(file)) {
            throw new UsageException(option + " is a folder: name a file");
        }
        try {
            if (Files.exists(file) && Files.size(file) > 0 && !ours.test(SafeFiles.text(file, LONGEST))) {
                throw new UsageException(
                        option + ": the file exists and is something else; name another one, or delete it");
            }
            SafeFiles.requireWritable(file);
        } catch (IOException e) {
            throw new UsageException(option + ": cannot be written (" + Main.reason(e) + ")");
        }
    }

    /** Writes the files, each completely or not at all. */
    static void write(Map<ResultFile, Path> files, Outcomes outcomes) throws IOException {
        for (Map.Entry<ResultFile, Path> file : files.entrySet()) {
            Json.replace(file.getValue(), file.getKey().content.apply(outcomes));
        }
    }

    /**
     * Writes the files that can describe a campaign that ended early.
     *
     * @param outcomes findings so far; empty if there are none
     */
    static void write(Map<ResultFile, Path> files, Optional<Outcomes> outcomes, Early why) throws IOException {
        for (Map.Entry<ResultFile, Path> file : files.entrySet()) {
            ResultFile kind = file.getKey();
            if (kind.early.isPresent()) {
                Json.replace(
                        file.getValue(),
                        outcomes.map(known -> kind.content.apply(known.ending(why)))
                                .orElseGet(() -> kind.early.get().apply(why)));
            }
        }
    }
}
