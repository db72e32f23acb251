package org.servletbench.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignRecord;

/**
 * A published campaign, or several that are pooled, as the index shows it: the file {@value #FILE} in its folder.
 *
 * @param id name of the folder
 * @param meaning what the answer means for a service, in sentences; empty if that is not known
 * @param note when the answer applies; empty if its comparison does not say it
 * @param plots a plot for each group of arms, or for each load of factors; empty if nothing is tested
 * @param trust the level of trust, and what decided it; the campaigns of a pool, and those that were left out
 * @param control outcome of the A/A check; empty for a pool
 * @param created time of creation in UTC, ISO 8601
 * @param command the command that repeats the campaign; empty if there is none
 * @param record path of the {@link CampaignRecord}, relative to the index; empty if there is none. It always follows
 *     from the id, whatever path a file gives
 * @param pooled ids of the pooled campaigns; empty for a single campaign
 */
record PublishedEntry(
        String id,
        String question,
        String answer,
        String meaning,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String note,
        List<AnswerPlot> plots,
        String conditions,
        String trust,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String control,
        String created,
        int blocks,
        String machine,
        String versions,
        String commit,
        String command,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String record,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> pooled) {

    static final String FILE = "entry.json";
    private static final int LONGEST = 100_000;

    PublishedEntry {
        note = note == null ? "" : note;
        control = control == null ? "" : control;
        pooled = pooled == null ? List.of() : List.copyOf(pooled);
        record = record == null || record.isEmpty() ? "" : Publication.RECORDS + "/" + id + CampaignRecord.END;
    }

    static PublishedEntry of(ReportPage page) {
        Analysis analysis = page.analysis();
        Campaign campaign = analysis.campaign();
        CampaignAnswer answer = page.answer();
        return new PublishedEntry(
                campaign.id(),
                answer.question(),
                answer.each(part -> Effects.concluded(analysis, part.group())
                        .map(Effects::ofFactors)
                        .orElse(part.headline())),
                answer.each(CampaignAnswer.Part::meaning),
                campaign.plan().note(),
                answer.parts().stream()
                        .flatMap(part -> AnswerPlot.of(analysis, part).stream())
                        .toList(),
                answer.conditions(),
                answer.each(part -> part.trust().words() + ".").replaceFirst("[.]$", ""),
                analysis.family().controls().stream()
                        .map(Words::control)
                        .distinct()
                        .collect(Collectors.joining(", ")),
                campaign.created(),
                analysis.blocks(),
                Provenance.machine(campaign),
                Provenance.versions(analysis),
                campaign.commit(),
                HistorySection.again(campaign),
                Publication.RECORDS + "/" + campaign.id() + CampaignRecord.END,
                List.of());
    }

    /** Returns the pool's entry, with the facts that all of its campaigns share. */
    static PublishedEntry of(String name, PooledCampaigns several, List<PublishedEntry> campaigns) {
        PublishedEntry last = campaigns.get(campaigns.size() - 1);
        return new PublishedEntry(
                name,
                last.question(),
                several.answer(),
                last.meaning(),
                last.note(),
                several.answerPlots(),
                last.conditions(),
                "pooled from " + parts(campaigns)
                        + "; " + several.agreement()
                        + several.leftOut().stream().map(line -> "; " + line).collect(Collectors.joining()),
                "",
                last.created(),
                campaigns.stream().mapToInt(PublishedEntry::blocks).sum(),
                campaigns.stream().map(PublishedEntry::machine).distinct().collect(Collectors.joining("; ")),
                last.versions(),
                campaigns.stream().map(PublishedEntry::commit).distinct().collect(Collectors.joining(", ")),
                last.command().replaceFirst(HistorySection.SEED + "\\d+", ""),
                "",
                campaigns.stream().map(PublishedEntry::id).toList());
    }

    /** Returns the campaigns of a pool and the outcome of their A/A checks: "a, b and c (A/A check passed)". */
    private static String parts(List<PublishedEntry> campaigns) {
        return campaigns.stream().map(PublishedEntry::control).distinct().count() == 1
                ? Text.list(campaigns.stream().map(PublishedEntry::id).toList()) + " (A/A check "
                        + campaigns.get(0).control() + ")"
                : campaigns.stream()
                        .map(one -> one.id() + " (A/A check " + one.control() + ")")
                        .collect(Collectors.joining(", "));
    }

    /** Returns the entries in a folder of published campaigns, the newest first. */
    static List<PublishedEntry> all(Path to) throws IOException {
        try (Stream<Path> folders = Files.list(to)) {
            return folders.map(folder -> folder.resolve(FILE))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(PublishedEntry::read)
                    .sorted(Comparator.comparing(PublishedEntry::created)
                            .thenComparing(PublishedEntry::id)
                            .reversed())
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static PublishedEntry read(Path file) {
        try {
            PublishedEntry entry = Json.MAPPER.readValue(SafeFiles.textInFolder(file, LONGEST), PublishedEntry.class);
            if (entry == null
                    || !entry.isWhole()
                    || !file.getParent().getFileName().toString().equals(entry.id())) {
                throw new IOException(
                        file + " is not an entry of a published campaign: delete its folder, or publish it again");
            }
            return entry;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(new IOException(
                    file + " is not an entry of a published campaign: delete its folder, or publish it again"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isWhole() {
        return plots != null
                && SafeFiles.isName(id)
                && Stream.of(question, answer, meaning, conditions, trust, created, machine, versions, commit, command)
                        .noneMatch(Objects::isNull);
    }

    String json() throws JsonProcessingException {
        return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n";
    }

    boolean isPool() {
        return !pooled.isEmpty();
    }

    /** Returns the rank among the answers to a question: pools first, then campaigns whose A/A check passed. */
    int rank() {
        return isPool() ? 0 : control.equals(Words.HELD) ? 1 : 2;
    }

    /** Returns what distinguishes the answer from others to its question. */
    String heading() {
        return Text.text("%s, %s, %s", id, day(), Words.count(blocks, "block"));
    }

    /** Returns the day of {@link #created}. */
    String day() {
        return created.substring(0, Math.min(10, created.length()));
    }

    /** Returns the machine in a few words, which is its processor. */
    String processor() {
        return machine.replaceFirst(",.*", "").replaceAll("\\(R\\)| Processor", "");
    }

    /** Returns the shortened commits with which it was measured. */
    private String shortCommit() {
        return commit.replaceAll("\\b([0-9a-f]{8})[0-9a-f]+", "$1");
    }

    /** Returns further facts that help to judge the answer. */
    String facts() {
        return Stream.of(machine, versions, commit.isEmpty() ? "" : "servlet-bench at " + shortCommit())
                .filter(fact -> !fact.isEmpty())
                .collect(Collectors.joining(" · "));
    }
}
