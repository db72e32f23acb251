package org.servletbench.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Judgement;

/**
 * Finished campaigns as files that anybody can look at: an index, and for each campaign its page and the figures as CSV and JSON. Raw logs,
 * generators' reports and flame graphs stay where they are. Campaigns stand side by side; no figure joins two of them.
 */
public final class Publication {
    static final String ENTRY = "entry.json";
    /** Of a campaign's page with its figures, bytes. */
    static final long MOST_BYTES = 400_000;

    private static final int LONGEST_ENTRY = 100_000;

    private Publication() {}

    /**
     * A campaign in the index.
     *
     * @param id name of its folder
     * @param interval the widest gap, in words; empty: none
     * @param reasons sentences that begin with "Why:"; may be empty
     * @param trust its word, and the reasons for it
     * @param created UTC, ISO 8601
     * @param command that repeats it; empty: none does
     */
    record Entry(
            String id,
            String question,
            String answer,
            String interval,
            List<String> reasons,
            String conditions,
            String trust,
            String control,
            String created,
            int blocks,
            String machine,
            String versions,
            String commit,
            String command) {

        boolean isWhole() {
            return reasons != null
                    && SafeFiles.isName(id)
                    && Stream.of(
                                    question,
                                    answer,
                                    interval,
                                    conditions,
                                    trust,
                                    control,
                                    created,
                                    machine,
                                    versions,
                                    commit,
                                    command)
                            .noneMatch(Objects::isNull);
        }

        /** Day, of {@link #created}. */
        String day() {
            return created.substring(0, Math.min(10, created.length()));
        }

        /** The rest of what somebody must know to judge it. */
        String facts() {
            return String.join(" · ", List.of(day(), Words.count(blocks, "block"), machine, versions));
        }
    }

    static Entry entry(ReportPage page) {
        Judgement judgement = page.judgement();
        Campaign campaign = judgement.campaign();
        FirstScreen screen = page.firstScreen();
        Trust trust = screen.trust();
        Map<String, String> machine = campaign.serverMachine();
        String question = campaign.plan().question();
        return new Entry(
                campaign.id(),
                question.isEmpty() ? Conclusions.title(campaign) : question,
                screen.headline(),
                screen.gap(),
                screen.why(),
                screen.conditions(),
                trust.level().word() + ": " + String.join(" · ", trust.reasons()),
                judgement.family().controls().stream()
                        .map(Words::control)
                        .distinct()
                        .collect(Collectors.joining(", ")),
                campaign.created(),
                judgement.blocks(),
                Text.text(
                        "%s, %s processors, %s",
                        machine.getOrDefault("cpu", "unknown processor"),
                        machine.getOrDefault("cores", "?"),
                        machine.getOrDefault("os", "unknown system")),
                Stream.concat(judgement.groups().stream().map(Conclusions::versions), Stream.of("JDK " + page.jdks()))
                        .filter(text -> !text.isEmpty())
                        .distinct()
                        .collect(Collectors.joining(", ")),
                campaign.commit(),
                HistorySection.command(campaign));
    }

    /**
     * Writes the pages of these campaigns, and the index of all that are there.
     *
     * @param to the folder; campaigns of the same names in it are replaced
     * @return the index
     * @throws UsageException if a campaign has not ended, or two have one name
     * @throws IOException if something cannot be written
     */
    public static Path write(List<CampaignFolder> campaigns, Path to) throws IOException {
        for (CampaignFolder read : campaigns) {
            String id = read.campaign().id();
            if (!SafeFiles.isName(id)) {
                throw new UsageException("campaign '" + Text.shown(id) + "': its name is no name of a folder");
            }
            if (!read.campaign().hasEnded()) {
                throw new UsageException("campaign " + id + " has not ended: only finished ones are published");
            }
            if (campaigns.stream().filter(one -> one.campaign().id().equals(id)).count() > 1) {
                throw new UsageException("two campaigns are called " + id + ": rename the folder of one");
            }
        }
        for (CampaignFolder read : campaigns) {
            ReportPage page = ReportPage.published(read);
            Entry entry = entry(page);
            Map<String, String> files = new TreeMap<>(page.files());
            files.put(ENTRY, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(entry) + "\n");
            long bytes = files.values().stream()
                    .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                    .sum();
            if (bytes > MOST_BYTES) {
                throw new UsageException(Text.text(
                        "campaign %s: its page and figures have %,d bytes (at most %,d): publish fewer loads",
                        entry.id(), bytes, MOST_BYTES));
            }
            ReportPage.write(files, SafeFiles.folder(to, to.resolve(entry.id())));
        }
        return ReportPage.write(Map.of(ReportPage.INDEX, index(entries(to))), to)
                .resolve(ReportPage.INDEX);
    }

    /** The newest first. */
    private static List<Entry> entries(Path to) throws IOException {
        try (Stream<Path> folders = Files.list(to)) {
            return folders.map(folder -> folder.resolve(ENTRY))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(Publication::read)
                    .sorted(Comparator.comparing(Entry::created)
                            .thenComparing(Entry::id)
                            .reversed())
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Entry read(Path file) {
        try {
            Entry entry = Json.MAPPER.readValue(SafeFiles.textInFolder(file, LONGEST_ENTRY), Entry.class);
            if (entry == null
                    || !entry.isWhole()
                    || !file.getParent().getFileName().toString().equals(entry.id)) {
                throw new IOException(
                        file + " is no entry of a published campaign: delete its folder, or publish it again");
            }
            return entry;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(new IOException(
                    file + " is no entry of a published campaign: delete its folder, or publish it again"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the index shows. */
    record Index(List<Entry> entries) {}

    private static String index(List<Entry> entries) {
        PageLayout page = new PageLayout("Measured: embedded servlet containers");
        page.body().append(Template.html("published", new Index(entries)));
        return page.html();
    }
}
