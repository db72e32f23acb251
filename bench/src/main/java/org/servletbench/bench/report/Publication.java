package org.servletbench.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignRecord;

/**
 * Finished campaigns as files for publication: an index, and for each campaign its page, the figures as JSON, and its
 * record. Index and summaries are also written as Markdown, for repositories. Raw logs, generators' reports and flame
 * graphs are not copied. Campaigns are shown side by side; they are pooled only on request.
 */
public final class Publication {
    static final String MARKDOWN = "README.md";
    static final String RECORDS = "records";
    private static final String HTML = ".html";
    /** Maximum size of a campaign's pages, bytes. Its figures are stored next to them. */
    static final long MOST_BYTES = 400_000;

    private Publication() {}

    /**
     * Writes the pages and records of these campaigns, and the index of all campaigns in the folder. Campaigns that are
     * pooled have one page together, and each only its summary, tables and record.
     *
     * @param recorded campaigns to pool with them, read from their records; their summaries stay as they are
     * @param pool name of the page that pools all these campaigns; empty for none
     * @param to the folder; campaigns of the same names in it are replaced, including their tables
     * @return the index
     * @throws UsageException if a campaign has not ended, two have the same name, or they cannot be pooled
     * @throws IOException if something cannot be written
     */
    public static Path write(List<CampaignFolder> campaigns, List<CampaignFolder> recorded, String pool, Path to)
            throws IOException {
        if (pool.isEmpty() && !recorded.isEmpty()) {
            throw new UsageException("records are only for --pool: give the folder of the campaign");
        }
        List<CampaignFolder> shown = campaigns.stream()
                .map(read -> HiddenFolders.removedFrom(read, List.of(read)))
                .toList();
        List<CampaignFolder> all = Stream.concat(recorded.stream(), campaigns.stream())
                .sorted(Comparator.comparing(read -> read.campaign().created()))
                .toList();
        List<String> names = Stream.concat(
                        all.stream().map(read -> read.campaign().id()),
                        Stream.of(pool).filter(name -> !name.isEmpty()))
                .toList();
        for (String name : names) {
            if (!SafeFiles.isName(name)) {
                throw new UsageException("campaign '" + Text.shown(name) + "': its name is not a valid folder name");
            }
            if (names.stream().filter(name::equals).count() > 1) {
                throw new UsageException(
                        "two campaigns are called " + name + ": give each once, or publish one into another folder");
            }
        }
        campaigns.stream()
                .map(CampaignFolder::campaign)
                .filter(campaign -> !campaign.hasEnded())
                .findFirst()
                .ifPresent(campaign -> {
                    throw new UsageException(
                            "campaign " + campaign.id() + " has not ended: only finished ones are published");
                });
        Optional<PooledCampaigns> several = pool.isEmpty()
                ? Optional.empty()
                : Optional.of(pooled(all.stream()
                        .map(read -> HiddenFolders.removedFrom(read, all))
                        .toList()));
        List<String> pooled = several.map(PooledCampaigns::ids).orElse(List.of());
        List<PublishedEntry> written = new ArrayList<>();
        for (CampaignFolder read : recorded) {
            written.add(PublishedEntry.of(ReportPage.published(read)));
        }
        for (CampaignFolder read : shown) {
            ReportPage page = ReportPage.published(read);
            Map<String, String> files = new TreeMap<>(page.files());
            PublishedEntry entry = PublishedEntry.of(page);
            boolean hasPage = !pooled.contains(entry.id());
            files.put(MARKDOWN, MarkdownSummary.published(Outcomes.of(read), hasPage));
            if (!hasPage) {
                files.keySet().removeIf(name -> name.endsWith(HTML));
            }
            write(entry, files, to);
            SafeFiles.folder(to, to.resolve(RECORDS));
            Json.replace(to.resolve(entry.record()), CampaignRecord.of(read));
            written.add(entry);
        }
        if (several.isPresent()) {
            write(
                    PublishedEntry.of(
                            pool,
                            several.get(),
                            written.stream()
                                    .filter(one -> pooled.contains(one.id()))
                                    .sorted(Comparator.comparing(PublishedEntry::created))
                                    .toList()),
                    files(several.get()),
                    to);
            for (String id : pooled) {
                delete(to.resolve(id), page -> page.toString().endsWith(HTML));
            }
        }
        PublishedIndex index = PublishedIndex.of(to);
        return ReportPage.write(Map.of(ReportPage.INDEX, index.html(), MARKDOWN, index.markdown()), to)
                .resolve(ReportPage.INDEX);
    }

    private static void write(PublishedEntry entry, Map<String, String> files, Path to) throws IOException {
        files.put(PublishedEntry.FILE, entry.json());
        long bytes = files.entrySet().stream()
                .filter(file -> !file.getKey().endsWith(".json"))
                .map(Map.Entry::getValue)
                .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > MOST_BYTES) {
            throw new UsageException(Text.text(
                    "campaign %s: its pages have %,d bytes (at most %,d): only campaigns of fewer loads or arms can be published",
                    entry.id(), bytes, MOST_BYTES));
        }
        Path folder = SafeFiles.folder(to, to.resolve(entry.id()));
        ReportPage.write(files, folder);
        // Readers would take tables of an earlier version of the campaign for its figures.
        delete(
                folder.resolve(Table.FOLDER),
                file -> file.toString().matches(".*\\.(csv|json)")
                        && !files.containsKey(Table.FOLDER + "/" + file.getFileName()));
    }

    /** Deletes the matching files of a folder; does nothing if it does not exist. */
    private static void delete(Path folder, Predicate<Path> such) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(such).toList()) {
                Files.delete(file);
            }
        }
    }

    static PooledCampaigns pooled(List<CampaignFolder> campaigns) {
        if (SeveralCampaigns.of(campaigns, List.of()) instanceof PooledCampaigns pool) {
            return pool;
        }
        throw new UsageException(
                "--pool: give three campaigns or more of one comparison whose A/A check has not failed");
    }

    /** Returns the files of a pool, except its entry. */
    static Map<String, String> files(PooledCampaigns several) {
        Map<String, String> files = new TreeMap<>(several.published());
        files.put(ReportPage.INDEX, files.remove(SeveralCampaigns.PAGE));
        files.put(MARKDOWN, PooledSummary.of(several));
        return files;
    }
}
