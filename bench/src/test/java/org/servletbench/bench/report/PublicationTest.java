package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignRecord;

class PublicationTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");

    /** Published numbers are rounded to seven digits. */
    private static final Comparator<Double> WITHIN_SEVEN_DIGITS =
            (a, b) -> Math.abs(a - b) <= 1e-6 * Math.abs(a) ? 0 : Double.compare(a, b);

    @TempDir
    Path folder;

    private static CampaignFolder golden(String name) throws IOException {
        return CampaignFolder.read(GOLDEN.resolve(name).resolve("campaign"));
    }

    private Path publish(CampaignFolder read) throws IOException {
        return Publication.write(List.of(read), List.of(), "", folder);
    }

    @Test
    void eachCampaignHasAPageAndItsFiguresAndTheIndexNamesAll() throws IOException {
        Path index = publish(golden("closed"));
        publish(golden("startup"));

        String page = Files.readString(index);
        assertThat(page)
                .contains(
                        PublishedEntry.of(ReportPage.published(golden("closed")))
                                .answer(),
                        "figures of two cards or machines cannot be compared");
        assertThat(Pattern.compile("<section class='published card'")
                        .matcher(page)
                        .results())
                .hasSize(2);
        List<PublishedIndex.Question> questions = PublishedIndex.of(folder).questions();
        assertThat(questions).hasSize(2).allSatisfy(question -> {
            assertThat(page)
                    .contains("<a href='#" + question.anchor() + "'>", "<h2 id='" + question.anchor() + "'>")
                    .doesNotContain("Measured 1 times");
            assertThat(index.resolveSibling(Publication.MARKDOWN))
                    .content()
                    .contains("](#" + question.anchor() + ")", "## " + question.text());
        });
        for (String name : List.of("closed", "startup")) {
            Path own = folder.resolve(golden(name).campaign().id());
            assertThat(own.resolve("index.html"))
                    .content()
                    .doesNotContain("simulation.log", "flame/", "id='raw'", ".csv");
            assertThat(own.resolve("tables")).isDirectoryNotContaining("glob:**.csv");
            try (Stream<Path> files = Files.walk(own)) {
                assertThat(files.filter(Files::isRegularFile)
                                .mapToLong(file -> file.toFile().length())
                                .sum())
                        .isLessThan(Publication.MOST_BYTES);
            }
        }
        assertLinksLive(index);
    }

    /** A table that no longer exists would be mistaken for one of the new campaign. */
    @Test
    void aCampaignIsReplacedWithItsTables() throws IOException {
        CampaignFolder read = golden("closed");
        Path index = publish(read);
        Path tables = folder.resolve(read.campaign().id()).resolve(Table.FOLDER);
        Path old = Files.writeString(tables.resolve("of-before.json"), "{}");
        Path notOurs = Files.writeString(tables.resolve("notes.txt"), "mine");

        publish(read);
        assertThat(old).doesNotExist();
        assertThat(notOurs).exists();
        assertThat(tables.resolve("controls.json")).exists();
        assertThat(index).content().contains("servlet-bench at ");
    }

    /** Returns a campaign in a separate folder, as if it had been repeated. */
    private CampaignFolder again(String name, String id) throws IOException {
        Path from = GOLDEN.resolve(name).resolve("campaign");
        Path to = folder.resolve("campaigns").resolve(id);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
        Path campaign = to.resolve("campaign.json");
        Files.writeString(
                campaign, Files.readString(campaign).replaceFirst("\"id\" *: *\"[^\"]*\"", "\"id\": \"" + id + "\""));
        return CampaignFolder.read(to);
    }

    @Test
    void threeOfOneComparisonHaveAPageOfAllTogether() throws IOException {
        List<CampaignFolder> three = List.of(again("closed", "a"), again("closed", "b"), again("closed", "c"));

        Path index = Publication.write(three, List.of(), "together", folder.resolve("pages"));
        assertThat(Files.readString(index))
                .contains("Over 3 campaigns", "pooled from a, b and c (A/A check ", "href='together/index.html'")
                .doesNotContain("href='together/tables/controls.json'");
        assertThat(index.resolveSibling(Publication.MARKDOWN)).content().contains("[page](together/index.html)");
        PublishedIndex.Question question =
                PublishedIndex.of(index.getParent()).questions().get(0);
        assertThat(question.answers())
                .extracting(PublishedEntry::id)
                .as("the pool, then the newest")
                .containsExactly("together", "c", "b", "a");
        assertThat(question.campaigns()).isEqualTo(3);
        assertThat(Files.readString(index))
                .contains(
                        "Command, and 3 pooled campaigns</summary>",
                        "href='records/a.zip'",
                        "href='b/tables/controls.json'")
                .doesNotContain("href='a/index.html'");
        assertThat(index.resolveSibling("a/README.md")).exists();
        assertThat(index.resolveSibling("a/index.html")).doesNotExist();
        assertLinksLive(index);
        assertThatThrownBy(() -> Publication.write(three.subList(0, 2), List.of(), "two", folder.resolve("pages")))
                .isInstanceOf(UsageException.class)
                .hasMessage("--pool: give three campaigns or more of one comparison whose A/A check has not failed");
        assertThatThrownBy(() -> Publication.write(three, List.of(), "a", folder.resolve("pages")))
                .hasMessageContaining("two campaigns are called a");
    }

    /**
     * If one question has figures from two machines, they would contradict each other unless the machines are named.
     */
    @Test
    void aQuestionThatTwoMachinesAnswerIsOneCardWithAColumnForEach() throws IOException {
        CampaignFolder own = again("closed", "other");
        Path campaign = own.root().orElseThrow().resolve("campaign.json");
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(campaign.toFile());
        ((ObjectNode) tree.get("machine")).put("cpu", "Another(R) Chip Processor");
        Json.write(campaign, tree);
        Path index = Publication.write(
                List.of(again("closed", "usual"), again("closed", "more"), CampaignFolder.read(campaign.getParent())),
                List.of(),
                "",
                folder.resolve("pages"));

        PublishedIndex.Question question =
                PublishedIndex.of(index.getParent()).questions().get(0);
        assertThat(question.shown())
                .extracting(PublishedEntry::processor)
                .hasSize(2)
                .contains("Another Chip");
        assertThat(question.others()).hasSize(1);
        assertThat(Files.readString(index.resolveSibling(Publication.MARKDOWN)))
                .containsPattern(
                        "\\|Throughput, hello at \\d+ users, against [^|]+\\|(Another Chip\\|AMD EPYC|AMD EPYC\\|Another"
                                + " Chip)\\|\n\\|---\\|---:\\|---:\\|\n")
                .contains("**Another Chip: ");
        assertThat(Files.readString(index))
                .containsOnlyOnce("<section class='published card'")
                .contains("<b>Another Chip: ", "<summary>Command, and 1 other campaign</summary>");
    }

    /** People share this page: a chat must show the answer, not the site's name. */
    @Test
    void titlesAndDescriptionsAreTheAnswer() throws IOException {
        Path index = publish(golden("closed"));
        PublishedEntry entry = PublishedEntry.all(folder).get(0);

        assertThat(entry.answer()).endsWith(".");
        for (Path page : List.of(index, folder.resolve(entry.id()).resolve("index.html"))) {
            assertThat(Files.readString(page))
                    .contains(
                            "<title>" + Html.escape(entry.answer()) + "</title>",
                            "<meta property='og:title' content='" + Html.escape(entry.answer()) + "'>");
        }
        assertThat(folder.resolve(entry.id()).resolve("index.html"))
                .content()
                .contains(
                        "<meta name='description' content='" + Html.escape(entry.question()),
                        "<meta property='og:description' content='" + Html.escape(entry.question()),
                        "Trust: ");
    }

    /** A pool of campaigns that were published on different days equals a pool of their folders. */
    @Test
    void recordsArePooledAsTheirCampaignsAre() throws IOException {
        List<CampaignFolder> three = List.of(again("closed", "a"), again("closed", "b"), again("closed", "c"));
        Path whole = folder.resolve("whole");
        Publication.write(three, List.of(), "together", whole);
        Path later = folder.resolve("later");
        Publication.write(three.subList(0, 2), List.of(), "", later);

        Publication.write(three.subList(2, 3), List.of(record(later, "a"), record(later, "b")), "together", later);
        assertThat(later.resolve("a/index.html")).doesNotExist();
        for (String file : List.of("tables/pooled.json", "tables/campaigns.json", Publication.MARKDOWN)) {
            assertThat(later.resolve("together").resolve(file))
                    .hasSameTextualContentAs(whole.resolve("together").resolve(file));
        }
        for (String name : List.of("a", "b", "c")) {
            assertThat(later.resolve("records/" + name + ".zip"))
                    .hasSameBinaryContentAs(whole.resolve("records/" + name + ".zip"));
        }
        assertThat(PublishedEntry.all(later)).isEqualTo(PublishedEntry.all(whole));
        assertThatThrownBy(() -> Publication.write(List.of(), List.of(record(later, "a")), "", later))
                .isInstanceOf(UsageException.class)
                .hasMessage("records are only for --pool: give the folder of the campaign");
    }

    private static CampaignFolder record(Path pages, String name) throws IOException {
        return CampaignRecord.read(pages.resolve(Publication.RECORDS).resolve(name + ".zip"));
    }

    @Test
    void aRecordHasEveryServerAndNamesNoFolderOfTheMachine() throws IOException {
        CampaignFolder read = golden("closed");
        publish(read);
        CampaignFolder again = record(folder, read.campaign().id());
        assertThat(again.serverRuns()).hasSameSizeAs(read.serverRuns());
        assertThat(again.serverRuns().get(0).loads())
                .usingRecursiveComparison()
                .withComparatorForType(WITHIN_SEVEN_DIGITS, Double.class)
                .isEqualTo(read.serverRuns().get(0).loads());
        assertThat(again.serverRuns().get(0).profile()).isNull();
        assertThat(again.toString())
                .doesNotContain(
                        read.serverRuns().get(0).proven().get("jvm.home"), System.getProperty("user.home") + "/");
        assertThat(ReportPage.published(again).files()).containsKey(ReportPage.INDEX);
    }

    @Test
    void whatIsNoRecordIsRejected() throws IOException {
        Path text = Files.writeString(folder.resolve("text.zip"), "no zip");
        assertThatThrownBy(() -> CampaignRecord.read(text))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(text + " is not a record of a campaign: ")
                .hasMessageNotContaining("\n");
        Path empty = folder.resolve("empty.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(empty))) {
            zip.putNextEntry(new ZipEntry("notes.txt"));
        }
        assertThatThrownBy(() -> CampaignRecord.read(empty)).hasMessageContaining("there is no campaign.zip in it");
    }

    /** The page in the campaign's own folder names them. */
    @Test
    void foldersOfTheMachineAreLeftOut() throws IOException {
        CampaignFolder read = golden("closed");
        String home = read.serverRuns().get(0).proven().get("jvm.home");
        assertThat(ReportPage.published(read).files().get("index.html")).contains(home);

        publish(read);
        publish(golden("startup"));
        List<String> roots = List.of("/usr/", "/tmp/", "/home/", "/work/", "~/", System.getProperty("user.home") + "/");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().endsWith(".zip")))
                    .hasSizeGreaterThan(10)
                    .allSatisfy(file -> assertThat(file).content().doesNotContain(roots));
        }
        for (String name :
                List.of(read.campaign().id(), golden("startup").campaign().id())) {
            try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("records/" + name + ".zip"));
                    FileSystem inner = FileSystems.newFileSystem(zip.getPath("campaign.zip"));
                    Stream<Path> files = Files.walk(inner.getPath("/"))) {
                assertThat(files.filter(Files::isRegularFile))
                        .hasSizeGreaterThan(4)
                        .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContain(roots));
            }
        }
    }

    /** This includes records, whose versions name a JDK by its home. */
    @Test
    void severalJdksStaySeveral() throws IOException {
        Path strange = again("closed", "jdks").root().orElseThrow();
        Path campaign = strange.resolve("campaign.json");
        Files.writeString(
                campaign,
                Files.readString(campaign)
                        .replaceFirst(
                                "\"jdk.home\"",
                                "\"jdk@/opt/b/jdk\" : \"B\", \"jdk@/opt/c/jdk\" : \"C\", \"jdk@/opt/c/other\" : \"D\", \"jdk.home\""));
        CampaignFolder read = CampaignFolder.read(strange);
        assertThat(read.campaign().versions()).containsKeys("jdk@/opt/b/jdk", "jdk@/opt/c/jdk");
        publish(read);
        assertThat(record(folder, "jdks").campaign().versions())
                .containsEntry("jdk@…/jdk", "B")
                .containsEntry("jdk@…/jdk-2", "C")
                .containsEntry("jdk@…/other", "D");
    }

    /** As comparison files do. */
    @Test
    void aCommandNamesEachJdkByItsVersion() throws IOException {
        Path own = again("closed", "homes").root().orElseThrow();
        Path campaign = own.resolve("campaign.json");
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(campaign.toFile());
        ((ObjectNode) tree.get("versions"))
                .put("jdk", "OpenJDK 64-Bit Server VM 17.0.15+6-Debian-1deb12u1 (Debian)")
                .put("jdk.home", "/opt/a/jdk")
                .put("jdk@/opt/b/jdk", "OpenJDK 64-Bit Server VM 25.0.3+9-LTS (Eclipse Adoptium)");
        ((ObjectNode) tree.get("conditions"))
                .put(
                        "command",
                        "compare jdks --jdk /opt/a/jdk --set=arms.jdk-25.jdk=/opt/b/jdk --set server.jdk=/opt/c/jdk");
        Json.write(campaign, tree);

        publish(CampaignFolder.read(own));

        assertThat(Files.readString(folder.resolve("homes/index.html")))
                .contains("--jdk HOME-OF-JDK-17 --set=arms.jdk-25.jdk=HOME-OF-JDK-25 --set server.jdk=HOME");
    }

    @Test
    void filesOfTheCommandKeepTheirNamesAlone() throws IOException {
        Path own = again("closed", "files").root().orElseThrow();
        Path campaign = own.resolve("campaign.json");
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(campaign.toFile());
        ObjectNode conditions = (ObjectNode) tree.get("conditions");
        conditions.put(
                "command", "compare /opt/me/shop.yaml --set=measure.jvm-options=/opt/me/small.options --url /opt/me");
        ((ObjectNode) conditions.get("options")).put("jvm.options", "/opt/me/small.options");
        Json.write(campaign, tree);

        publish(CampaignFolder.read(own));

        assertThat(Files.readString(folder.resolve("files/index.html")))
                .contains("compare shop.yaml ", "jvm-options=small.options", ">small.options<", "--url /opt/me");
    }

    /** Only programs and jars are shortened, because another word may be the path of a request. */
    @Test
    void programsOfServersKeepTheirNamesAlone() throws IOException {
        Path own = again("closed", "programs").root().orElseThrow();
        Path campaign = own.resolve("campaign.json");
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(campaign.toFile());
        ((ObjectNode) tree.get("arms").get(1).get("spec"))
                .putArray("command")
                .add("/opt/me/run.sh")
                .add("/opt/me/lib.jar:/opt/me/shop.jar")
                .add("/hello")
                .add("${port}");
        Json.write(campaign, tree);

        publish(CampaignFolder.read(own));

        assertThat(Files.readString(folder.resolve("programs/index.html")))
                .contains("run.sh lib.jar:shop.jar /hello ${port}")
                .doesNotContain("/opt/me");
    }

    static void assertLinksLive(Path index) throws IOException {
        Set<Path> seen = new LinkedHashSet<>(Set.of(index.normalize()));
        Deque<Path> pages = new ArrayDeque<>(seen);
        while (!pages.isEmpty()) {
            Path page = pages.pop();
            List<Path> targets = Pattern.compile("href='([^'#]+)'")
                    .matcher(Files.readString(page))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .filter(link -> !link.startsWith("data:"))
                    .map(link -> page.resolveSibling(link).normalize())
                    .toList();
            for (Path target : targets) {
                assertThat(target).exists();
                // Pages of one campaign link to each other.
                if (target.toString().endsWith(".html") && seen.add(target)) {
                    pages.add(target);
                }
            }
        }
    }

    @Test
    void aStrangersNameLeadsNowhere() throws IOException {
        Path strange = folder.resolve("strange");
        Files.createDirectories(strange);
        Files.writeString(
                strange.resolve("campaign.json"),
                Files.readString(GOLDEN.resolve("closed/campaign/campaign.json"))
                        .replaceFirst("\"id\" *: *\"[^\"]*\"", "\"id\": \"x/../victim\""));
        CampaignFolder read = CampaignFolder.read(strange);
        assertThatThrownBy(() -> Publication.write(List.of(read), List.of(), "", folder.resolve("out")))
                .isInstanceOf(UsageException.class)
                .hasMessage("campaign 'x/../victim': its name is not a valid folder name");
    }

    @Test
    void whatHasNotEndedIsNotPublished() throws IOException {
        CampaignFolder read = golden("closed");
        assertThatThrownBy(() -> Publication.write(List.of(read, read), List.of(), "", folder))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("two campaigns are called");
    }

    /** An untrusted record may name any folder. The page and its figures must be complete nevertheless. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "/<", "/a", "/style", "/td>", "/span", "/body>"})
    void aFolderThatIsAPartOfAPageTakesNothingFromIt(String name) throws IOException {
        CampaignFolder usual = again("closed", "own");
        publish(usual);
        String page = Files.readString(folder.resolve("own/index.html"));
        Path strange = again("closed", "strange").root().orElseThrow();
        Path campaign = strange.resolve("campaign.json");
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(campaign.toFile());
        tree.get("arms").forEach(arm -> ((ObjectNode) arm).put("jar", name));
        ((ObjectNode) tree.get("conditions")).put("folder", name);
        Json.write(campaign, tree);
        publish(CampaignFolder.read(strange));
        String other = Files.readString(folder.resolve("strange/index.html"));
        for (String part : List.of("<style", "</style>", "<td", "</td>", "<span", "</span>", "</body>", "<svg")) {
            assertThat(count(other, part)).as(part).isEqualTo(count(page, part));
        }
        for (String file : List.of("tables/controls.json", PublishedEntry.FILE)) {
            assertThat(Json.MAPPER
                            .readTree(folder.resolve("strange").resolve(file).toFile())
                            .size())
                    .isEqualTo(Json.MAPPER
                            .readTree(folder.resolve("own").resolve(file).toFile())
                            .size());
        }
        assertThat(record(folder, "strange").serverRuns()).hasSameSizeAs(usual.serverRuns());
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length;
    }

    /** The entry's file may be untrusted, and Markdown would use its link unchanged. */
    @Test
    void theRecordOfAnEntryIsThatOfItsId() throws IOException {
        publish(again("closed", "own"));
        Path entry = folder.resolve("own").resolve(PublishedEntry.FILE);
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(entry.toFile());
        Json.write(entry, tree.put("record", "x) <b>[here](javascript:alert(1)"));
        PublishedIndex index = PublishedIndex.of(folder);
        assertThat(index.entries()).singleElement().satisfies(one -> assertThat(one.record())
                .isEqualTo("records/own.zip"));
        assertThat(index.markdown()).contains("[data](records/own.zip)").doesNotContain("javascript");
        Json.write(entry, tree.put("record", ""));
        assertThat(PublishedIndex.of(folder).markdown()).doesNotContain("[data](");
    }
}
