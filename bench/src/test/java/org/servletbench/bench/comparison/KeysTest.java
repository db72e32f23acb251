package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Text;

class KeysTest {

    /**
     * The reference page, as Markdown.
     *
     * @param defaults of the profiles, by option
     */
    private static String page(Map<String, String> defaults) {
        List<String> lines = new ArrayList<>(List.of("""
                # The comparison file

                A comparison is a YAML file: those that ship are in [comparisons/](../comparisons). Unknown and duplicate keys are rejected.
                `--set` sets any key: `--set stop.limit=5m --set load.0.tiers=[50,200]`. A time has a unit (`500ms`, `10s`, `2m`), a size as well
                (`512m`, `2g`); a share is `3%` or `0.03`. KeysTest writes this page from `Keys.java`.""".split("\n")));
        Keys.ALL.forEach((section, keys) -> {
            lines.addAll(List.of("", "## " + section.title, "", section.place + ".", ""));
            lines.addAll(List.of("| key | value | default | meaning |", "|---|---|---|---|"));
            keys.forEach(key -> lines.add(Text.text(
                    "| `%s` | %s | %s | %s |", key.name(), brief(key.type()), standard(key, defaults), key.meaning())));
        });
        return String.join("\n", lines) + "\n";
    }

    private static String standard(Keys.Key key, Map<String, String> defaults) {
        return key.standard().startsWith("=")
                ? defaults.getOrDefault(Keys.option(key.name()), Comparison.PRECISION)
                        + key.standard().substring(1)
                : key.standard();
    }

    private static String brief(Keys.Type type) {
        return type.words.replaceFirst("^an? ", "").replaceFirst("( with| that|,).*", "");
    }

    /** With -Dwrite.page=true the page is written. */
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
        assertThat(Keys.nearest("tier", List.of("tiers", "rates"))).isEqualTo(": did you mean 'tiers'?");
        assertThat(Keys.nearest("colour", List.of("tiers", "rates"))).isEqualTo(": choose from tiers, rates");
    }
}
