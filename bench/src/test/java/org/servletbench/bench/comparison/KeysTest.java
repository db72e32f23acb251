package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Text;

class KeysTest {

    /**
     * Returns the reference page as Markdown.
     *
     * @param defaults defaults of the profiles, by option
     */
    private static String page(Map<String, String> defaults) {
        List<String> lines = new ArrayList<>(List.of("""
                # The comparison file

                A comparison is a YAML file; those that ship are in [comparisons/](../comparisons). [Recipes](recipes.md) has examples.
                Unknown and duplicate keys are rejected. `--set` sets any key (with Maven `-Dset`), list elements by their numbers from 0:
                `--set stop.limit=5m --set load.0.users=[50,200]`. A time has a unit (`500ms`, `10s`, `2m`), a size as well (`512m`, `2g`); a
                share is `3%` or `0.03`. This page is generated from the records of package `comparison` (KeysTest).""".split("\n")));
        for (Class<? extends Record> section : Keys.SECTIONS) {
            Section words = section.getAnnotation(Section.class);
            lines.addAll(List.of("", "## " + words.title(), "", words.place() + ".", ""));
            lines.addAll(List.of("| key | value | default | meaning |", "|---|---|---|---|"));
            Keys.of(section)
                    .forEach(entry -> lines.add(Text.text(
                            "| `%s` | %s | %s | %s |",
                            entry.name(),
                            brief(entry.form()),
                            standard(entry, defaults),
                            entry.key().means())));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String standard(Keys.Entry entry, Map<String, String> defaults) {
        String standard = entry.key().standard();
        return standard.startsWith("=")
                ? defaults.getOrDefault(Keys.option(entry.name()), Comparison.PRECISION) + standard.substring(1)
                : standard;
    }

    /** Returns the form without its article, examples and remarks. All choices are kept. */
    private static String brief(Form form) {
        return form.words
                .replaceFirst("^an? ", "")
                .replaceFirst(" with .*| that .*|, as a list.*|, such as .*?(?=, or |$)", "");
    }

    /** With -Dwrite.page=true the page is rewritten. */
    @Test
    void theReferencePageIsThatOfTheTable() throws IOException {
        Path page = Path.of("../docs/comparison-file.md");
        String made = page(new ProfilesFolder(Path.of("../profiles")).campaignDefaults());
        if (Boolean.getBoolean("write.page")) {
            Files.writeString(page, made);
        }
        assertThat(Files.readString(page))
                .as("stale: run this test with -Dwrite.page=true")
                .isEqualTo(made);
    }

    @Test
    void theNearestKnownNameIsOffered() {
        assertThat(Keys.nearest("user", List.of("users", "rates"))).isEqualTo(": did you mean 'users'?");
        assertThat(Keys.nearest("colour", List.of("users", "rates"))).isEqualTo(": choose from users, rates");
    }

    @ParameterizedTest
    @CsvSource({
        "tiers, users",
        "find, search-rate-under",
        "turn, slice",
        "settle, settling-time",
        "explain, cpu-profile",
        "--tiers, --users",
        "--explain, --cpu-profile"
    })
    void aFormerNameLeadsToTheNewOne(String former, String now) {
        assertThat(Keys.nearest(former, List.of("rates", now))).isEqualTo(": it is called '" + now + "' now");
        assertThat(Keys.nearest(former, List.of("rates"))).doesNotContain("now");
    }
}
