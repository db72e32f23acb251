package org.servletbench.bench.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.server.Jdk;

/** Which reproduction is gone on with, and what of it is measured again: nothing that is there. */
class UnfinishedTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));
    private static final ArticleReader ARTICLES = new ArticleReader(PROFILES);
    private static final String NAME = "wrk-hello";

    @TempDir
    private Path base;

    /** As it is on disk; with no treatments, so that only servers as published can be missing. */
    private Path reproduction(String article, String created, List<Treatment> treatments) throws IOException {
        Path folder = Files.createDirectory(base.resolve(article + "-" + created.replace(":", "")));
        Files.copy(ROOT.resolve("published").resolve(article + ".yaml"), folder.resolve(article + ".yaml"));
        new Reproduction.Header(
                        Reproduction.Header.FORMAT,
                        folder.getFileName().toString(),
                        article,
                        created,
                        "",
                        0.5,
                        Map.of(),
                        Map.of(),
                        "none",
                        treatments,
                        7,
                        600.0,
                        null,
                        Map.of("target.host", "h1"),
                        List.of("it broke"))
                .write(folder);
        return folder;
    }

    /** Every arm is "not on this machine": all of it runs without a server. */
    private static void asPublished(Path folder, String why) {
        String id = folder.getFileName().toString().replaceFirst("-2026.*", "");
        Article article = ARTICLES.read(ROOT.resolve("published"), id);
        Map<String, String> leftOut = new TreeMap<>();
        article.asPublished().arms().forEach(arm -> leftOut.put(arm, why));
        new AsPublished(
                        article,
                        Scale.FULL,
                        new AsPublished.Rig(ROOT, PROFILES, Optional.empty(), Jdk.own(), Machines.HERE, line -> {}),
                        folder)
                .run(Map.<String, Arm>of(), leftOut);
    }

    @Test
    void theNewestUnfinishedOneOfTheArticle() throws IOException {
        reproduction(NAME, "2026-11-20T10:00:00Z", List.of());
        Path newer = reproduction(NAME, "2026-11-21T10:00:00Z", List.of());
        asPublished(reproduction(NAME, "2026-11-21T11:00:00Z", List.of()), "complete");
        reproduction("ab-startup", "2026-11-21T12:00:00Z", List.of());
        Files.writeString(Files.createDirectory(base.resolve("damaged")).resolve(Reproduction.FILE), "{");

        Unfinished.Found found = Unfinished.newest(base, List.of(NAME), Map.of(), ARTICLES);

        assertThat(found.folder()).isEqualTo(newer.toAbsolutePath().normalize());
        assertThat(found.read().header().blocks()).isEqualTo(7);
        assertThat(found.read().header().limitSeconds()).isEqualTo(600);
        assertThat(found.read().header().goingOn(0).troubles()).isEmpty();
        assertThatThrownBy(() -> Unfinished.newest(base, List.of("siege-threads"), Map.of(), ARTICLES))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no unfinished reproduction of siege-threads");
    }

    @Test
    void aCampaignThatHasNotBegunIsUnfinishedToo() throws IOException {
        Path folder = reproduction(NAME, "2026-11-21T10:00:00Z", List.of(Treatment.EQUALISED));
        asPublished(folder, "left out");
        Reproduction read = Reproduction.read(folder, ARTICLES);
        assertThat(read.isComplete()).isFalse();
        assertThat(read.progress()).isEqualTo("5 of 5 servers as published, equalised settings not begun");
    }

    /** Before and after its blocks are there, as of any campaign. */
    @Test
    void startsAreGoneOnWithToo() throws IOException {
        Path folder = reproduction("ab-startup", "2026-11-21T10:00:00Z", List.of(Treatment.EQUALISED));
        asPublished(folder, "left out");
        assertThat(Reproduction.read(folder, ARTICLES).progress())
                .isEqualTo("3 of 3 servers as published, equalised settings, starts alone not begun,"
                        + " equalised settings not begun");
        measured(folder, new Leg(Treatment.EQUALISED, false), 2);
        assertThat(Reproduction.read(folder, ARTICLES).isComplete()).isFalse();
        measured(folder, new Leg(Treatment.EQUALISED, true), 1);
        Reproduction half = Reproduction.read(folder, ARTICLES);
        assertThat(half.isComplete()).isFalse();
        assertThat(half.progress())
                .contains(
                        "1 of 2 blocks with equalised settings, starts alone", "2 of 2 blocks with equalised settings");
        measured(folder, new Leg(Treatment.EQUALISED, true), 2);
        assertThat(Reproduction.read(folder, ARTICLES).isComplete()).isTrue();
    }

    /** A campaign of two blocks and one arm, of which so many were measured. */
    private static void measured(Path folder, Leg leg, int blocks) throws IOException {
        Path place = Files.createDirectories(folder.resolve(leg.folder()));
        Planner.Draft draft = leg.draft(
                ARTICLES.read(ROOT.resolve("published"), "ab-startup"),
                Wanted.of(Map.of("blocks", "2")),
                PROFILES,
                folder,
                line -> {});
        List<Arm> arms = draft.arms().subList(0, 1);
        Json.write(
                place.resolve("campaign.json"),
                new Campaign(
                        Campaign.FORMAT,
                        leg.folder(),
                        "2026-11-21T10:00:00Z",
                        "",
                        draft.plan(),
                        arms,
                        draft.with(arms, Map.of()).order(),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        "none",
                        List.of()));
        for (int block = 1; block <= blocks; block++) {
            Invocation one = new Invocation(
                    Invocation.FORMAT,
                    block,
                    1,
                    arms.get(0).id(),
                    1,
                    "2026-11-21T10:00:00Z",
                    "2026-11-21T10:00:05Z",
                    Invocation.MEASURED,
                    Map.of(),
                    Map.of("ready", 2000.0),
                    null,
                    List.of(),
                    null,
                    List.of());
            Json.write(
                    Files.createDirectories(place.resolve(CampaignFolder.usualFolder(one)))
                            .resolve("invocation.json"),
                    one);
        }
    }

    @Test
    void theArticleMustBeItsOwn() throws IOException {
        Path folder = reproduction(NAME, "2026-11-21T10:00:00Z", List.of());
        assertThat(Unfinished.in(folder, List.of(NAME), Map.of(), ARTICLES)
                        .read()
                        .header()
                        .article())
                .isEqualTo(NAME);
        assertThatThrownBy(() -> Unfinished.in(folder, List.of("ab-startup"), Map.of(), ARTICLES))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is a reproduction of wrk-hello, not of ab-startup");
    }

    /** The server that was up when it was interrupted is measured again in a folder of its own. */
    @Test
    void whatIsThereIsNeitherMeasuredAgainNorOverwritten() throws IOException {
        Path folder = reproduction(NAME, "2026-11-21T10:00:00Z", List.of());
        asPublished(folder, "first");
        Path place = folder.resolve("as-published");
        Path interrupted;
        try (Stream<Path> files = Files.list(place)) {
            interrupted = files.filter(one -> one.getFileName().toString().startsWith("3-"))
                    .findFirst()
                    .orElseThrow();
        }
        try (Stream<Path> files = Files.list(interrupted)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.writeString(interrupted.resolve("server.log"), "half a run");
        assertThat(Reproduction.read(folder, ARTICLES).servers()).hasSize(4);

        asPublished(folder, "second");

        assertThat(interrupted).isDirectoryContaining(file -> file.endsWith("server.log"));
        assertThat(Reproduction.read(folder, ARTICLES).servers())
                .hasSize(5)
                .filteredOn(server -> server.trouble().equals("second"))
                .singleElement()
                .satisfies(server -> assertThat(server.folder())
                        .isEqualTo("as-published/" + interrupted.getFileName() + "-attempt2"));
    }

    /** Rows of one table come from one JDK and one wrk; newer sources of ours are told elsewhere. */
    @Test
    void whatBeganWithOtherToolsDoesNotGoOn() {
        Map<String, String> then = Map.of("jdk", "17.0.15", "wrk", "4.1.0", "servlet-bench", "1");
        ArticleRun.requireSame(then, Map.of("jdk", "17.0.15", "wrk", "4.1.0", "servlet-bench", "2", "ab", "2.3"));
        assertThatThrownBy(() -> ArticleRun.requireSame(then, Map.of("jdk", "25", "wrk", "4.1.0")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("jdk was 17.0.15 and is 25: go on as it began");
    }
}
