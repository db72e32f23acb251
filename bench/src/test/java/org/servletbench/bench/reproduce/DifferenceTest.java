package org.servletbench.bench.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.model.ProfilesFolder;

class DifferenceTest {

    private static final Path ROOT = Path.of("..");

    private static List<Difference> of(Map<String, String> machine) {
        Article article = new ArticleReader(new ProfilesFolder(ROOT.resolve("profiles")))
                .read(ROOT.resolve("published"), "jmeter-nio-apr-tiers");
        return Difference.of(article, List.of(), Map.of(), machine, "");
    }

    /** The machine that directs is none of the two that are compared. */
    @Test
    void serversOnAnotherMachineAreCompared() {
        assertThat(of(Map.of("cores", "2", "target", "app1", "target.cores", "64")))
                .anySatisfy(one -> {
                    assertThat(one.what()).isEqualTo("cores");
                    assertThat(one.here()).isEqualTo("64");
                })
                .anySatisfy(one -> {
                    assertThat(one.what()).isEqualTo("network");
                    assertThat(one.here()).isEqualTo("servers on another machine");
                });
        assertThat(of(Map.of("cores", "2"))).anySatisfy(one -> {
            assertThat(one.what()).isEqualTo("network");
            assertThat(one.here()).startsWith("none: generator and server on one machine");
        });
    }
}
