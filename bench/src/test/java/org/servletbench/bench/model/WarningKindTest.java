package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Hint.Where;
import org.servletbench.bench.model.WarningKind.Effect;

class WarningKindTest {

    private static final Path PAGE = Path.of("../docs/warnings.md");

    private static final String TOP = """
            # Warnings

            A warning stands next to a figure with its numbers, its limit, what follows and what to do. Some hit slow
            servers more often than fast ones. These leave out all blocks of their arm under that load: dropping only
            blocks with the warning would keep those in which the arm happened to be fast.

            - `warm-up` counts only if the load does not show that the server was warm ([bound](method.md#warm-up)).
            - With JMeter, `littles-law` and `users-held` make throughput a lower bound.
            - A heap size whose server fails twice is left out in all blocks.
            """;

    /** With -Dwrite.page=true the page is rewritten. */
    @Test
    void thePageOfWarningsIsThatOfTheKinds() throws IOException {
        String made = TOP + lists();
        if (Boolean.getBoolean("write.page")) {
            Files.writeString(PAGE, made);
        }
        assertThat(Files.readString(PAGE))
                .as("stale: run this test with -Dwrite.page=true")
                .isEqualTo(made);
    }

    private static String lists() {
        return Arrays.stream(Effect.values())
                .map(effect -> Arrays.stream(WarningKind.values())
                        .filter(kind -> kind.effect() == effect)
                        .map(kind -> "- `" + kind.key() + "`: " + kind.meaning() + "\n")
                        .collect(Collectors.joining("", "\n## " + effect.words() + "\n\n", "")))
                .collect(Collectors.joining());
    }

    /** A hint that names options of another place does not help the reader. */
    @Test
    void whereAMarkIsShownThereIsARemedyOfThatPlace() {
        for (WarningKind kind : WarningKind.values()) {
            assertThat(kind.shown()).isNotEmpty();
            for (Where where : kind.shown()) {
                String hint = kind.hint(where);
                assertThat(hint).as("%s in %s", kind, where).isNotEmpty();
                if (where != Where.RUN) {
                    assertThat(hint).as("%s in %s", kind, where).doesNotContainPattern("-D[a-z]");
                }
                if (where != Where.CAMPAIGN) {
                    assertThat(hint).as("%s in %s", kind, where).doesNotContain("--");
                }
            }
        }
    }

    /**
     * If a slow server may be the cause, all of its blocks are dropped. Otherwise only its fast blocks would remain.
     */
    @Test
    void noEffectDependsOnHowFastAServerWas() {
        for (WarningKind kind : WarningKind.values()) {
            if (kind.excludes() && kind != WarningKind.SERVER_FAILED) {
                assertThat(kind.effect())
                        .as(kind.key())
                        .isEqualTo(
                                switch (kind.cause()) {
                                    case SERVER -> Effect.EXCLUDES_ARM;
                                    case GENERATOR -> Effect.LOWER_BOUND;
                                    case RECORD -> Effect.EXCLUDES_BLOCK;
                                    case MACHINE -> throw new AssertionError(kind + ": other programs exclude nothing");
                                });
            }
        }
    }

    /**
     * Logs, time slices and tools that report only figures all have these warnings, and each used to have its own
     * limits and texts.
     */
    @Test
    void errorsEmptyResultsAndLittlesLawAreRaisedInOneClass() throws IOException {
        for (WarningKind kind : List.of(WarningKind.ERRORS, WarningKind.EMPTY, WarningKind.LITTLES_LAW)) {
            Pattern raised = Pattern.compile(
                    "(\\bWarning\\.(of|notJudged|add)\\(|new Warning\\(|WarningKind kind =)[^;]*\\bWarningKind\\."
                            + kind.name() + "\\b");
            try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
                assertThat(files.filter(file -> file.toString().endsWith(".java")
                                        && raised.matcher(text(file)).find())
                                .map(file -> file.getFileName().toString()))
                        .as(kind.key())
                        .containsExactly("Audit.java");
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
