package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;

class PublicationTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");

    @TempDir
    Path folder;

    private static CampaignFolder golden(String name) throws IOException {
        return CampaignFolder.read(GOLDEN.resolve(name).resolve("campaign"));
    }

    @Test
    void eachCampaignHasAPageAndItsFiguresAndTheIndexNamesAll() throws IOException {
        Path index = Publication.write(List.of(golden("closed")), folder);
        Publication.write(List.of(golden("startup")), folder);

        String page = Files.readString(index);
        assertThat(page)
                .contains(
                        Publication.entry(ReportPage.published(golden("closed")))
                                .answer(),
                        "What may not be concluded");
        assertThat(Pattern.compile("<section class='published'").matcher(page).results())
                .hasSize(2);
        for (String name : List.of("closed", "startup")) {
            Path own = folder.resolve(golden(name).campaign().id());
            assertThat(own.resolve("index.html")).content().doesNotContain("simulation.log", "flame/", "id='raw'");
            try (Stream<Path> files = Files.walk(own)) {
                assertThat(files.filter(Files::isRegularFile)
                                .mapToLong(file -> file.toFile().length())
                                .sum())
                        .isLessThan(Publication.MOST_BYTES);
            }
        }
        assertLinksLive(index);
    }

    private static void assertLinksLive(Path page) throws IOException {
        List<String> links = Pattern.compile("href='([^'#]+)'")
                .matcher(Files.readString(page))
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(link -> !link.startsWith("data:"))
                .toList();
        for (String link : links) {
            Path target = page.resolveSibling(link);
            assertThat(target).exists();
            if (link.endsWith(".html")) {
                assertLinksLive(target);
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
        assertThatThrownBy(() -> Publication.write(List.of(read), folder.resolve("out")))
                .isInstanceOf(UsageException.class)
                .hasMessage("campaign 'x/../victim': its name is no name of a folder");
    }

    @Test
    void whatHasNotEndedIsNotPublished() throws IOException {
        CampaignFolder read = golden("closed");
        assertThatThrownBy(() -> Publication.write(List.of(read, read), folder))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("two campaigns are called");
    }
}
