package org.servletbench.bench.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Arm;

/** Which campaigns an article needs, and that the starts are those of the same servers. */
class LegTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));
    private static final ArticleReader ARTICLES = new ArticleReader(PROFILES);
    private static final Leg LOAD = new Leg(Treatment.ARTICLE, false);
    private static final Leg STARTS = new Leg(Treatment.ARTICLE, true);

    @TempDir
    private Path folder;

    private static Article article(String id) {
        return ARTICLES.read(ROOT.resolve("published"), id);
    }

    private Planner.Draft draft(Article article, Leg leg, Map<String, String> given) {
        return leg.draft(article, Wanted.of(given), PROFILES, folder, line -> {});
    }

    @Test
    void onlyAnArticleThatClaimsSomethingOfAStartHasStarts() {
        assertThat(Leg.all(article("ab-startup"), List.of(Treatment.ARTICLE))).containsExactly(STARTS, LOAD);
        assertThat(Leg.all(article("virtual-threads-blocking"), List.of(Treatment.values())))
                .extracting(Leg::starts)
                .containsExactly(true, true, true, false, false, false);
        assertThat(Leg.all(article("wrk-hello"), List.of(Treatment.ARTICLE))).containsExactly(LOAD);
        assertThat(STARTS.folder()).isEqualTo("as-it-should-be-defaults-starts");
    }

    @Test
    void theSameServersWithoutLoad() {
        Article article = article("ab-startup");
        Planner.Draft load = draft(article, LOAD, Map.of());
        Planner.Draft starts = draft(article, STARTS, Map.of());
        assertThat(starts.arms()).isEqualTo(load.arms());
        assertThat(starts.workloads()).isEqualTo(load.workloads());
        assertThat(starts.plan().settings()).isEqualTo(load.plan().settings()).isEqualTo("defaults");
        assertThat(Planner.jvmOptions(load.options(), PROFILES).values())
                .containsAll(Planner.jvmOptions(starts.options(), PROFILES).values())
                .contains("-XX:+AlwaysPreTouch");
        assertThat(Planner.jvmOptions(starts.options(), PROFILES).values()).doesNotContain("-XX:+AlwaysPreTouch");
        assertThat(starts.plan().isStartUp()).isTrue();
        assertThat(starts.plan().together()).isFalse();
        assertThat(starts.plan().primary()).containsExactly("jvm.memory.used");
        assertThat(load.plan().isStartUp()).isFalse();
    }

    @Test
    void startsAreScaledAndKeepTwoBlocks() {
        Article article = article("ab-startup");
        assertThat(draft(article, STARTS, Map.of()).plan().blocks()).isEqualTo(20);
        assertThat(draft(article, STARTS, Map.of("scale", "0.3")).plan().blocks())
                .isEqualTo(6);
        assertThat(draft(article, STARTS, Map.of("blocks", "7")).plan().blocks())
                .isEqualTo(7);
        Planner.Draft trial = draft(article, STARTS, Map.of("scale", "0.05"));
        assertThat(trial.plan().blocks()).isEqualTo(2);
        assertThat(trial.arms()).extracting(Arm::role).doesNotContain(Arm.Role.CONTROL);
    }

    /** Options of a load have no meaning, the article's properties have, and nginx is no JVM. */
    @Test
    void whatOnlyALoadHasIsLeftOut() throws IOException {
        String text = Files.readString(ROOT.resolve("published/ab-startup.yaml"));
        int second = text.indexOf("as-it-should-be:");
        Path file = folder.resolve("ab-startup.yaml");
        Files.writeString(
                file,
                text.substring(0, second)
                        + text.substring(second)
                                .replace(
                                        "line: boot2\n",
                                        "line: boot2\n    options: {turn: 0s, warmup: 10s, boot2.version: \"2.7.17\"}\n"
                                                + "    server-properties: {server.jetty.threads.max: \"300\"}\n")
                                .replace("[tomcat-nio, jetty, undertow]", "[nginx, tomcat-nio, jetty, undertow]"));
        Planner.Draft starts = draft(ARTICLES.read(file), new Leg(Treatment.EQUALISED, true), Map.of());
        assertThat(starts.arms())
                .extracting(Arm::profile)
                .doesNotContain("nginx")
                .hasSize(4);
        assertThat(starts.options().required("boot2.version")).isEqualTo("2.7.17");
        assertThat(ProfilesFolder.settingsValues(Planner.settingsFile(
                        starts.options(), PROFILES, starts.plan().settings())))
                .containsEntry("server.jetty.threads.max", "300");
    }
}
