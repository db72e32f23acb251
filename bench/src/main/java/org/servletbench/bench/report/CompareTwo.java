package org.servletbench.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.across.CommonArms;
import org.servletbench.bench.verdict.AcrossCampaigns;
import org.servletbench.bench.verdict.AcrossCampaigns.Lack;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Spread;

/**
 * Two campaigns, before and after an upgrade: for each arm that changed, each load and each primary metric the ratio after /
 * before, seen through the arms that did not change ({@link AcrossCampaigns}). Where that cannot be, the page is descriptive:
 * estimates without verdicts.
 */
public final class CompareTwo {
    public static final String PAGE = "comparison.html";

    /**
     * @param arm that changed, as it is in the later campaign
     * @param common arms of its group that did not change
     * @param judged the ratio after / before beside the common arms, and the verdict on what came after
     */
    public record Change(
            Arm arm, List<Arm> common, Cell cell, Metric metric, Spread before, Spread after, AcrossCampaigns judged) {
        /** Whether the arm has usable figures in both campaigns. */
        boolean measured() {
            return before.n() > 0 && after.n() > 0;
        }
    }

    /** Why not every change can have a verdict. */
    public enum Descriptive {
        /** One of the campaigns has no verdicts of its own. */
        CAMPAIGN_WITHOUT_VERDICTS,
        /** Every arm that both have is the same in both. */
        NOTHING_CHANGED,
        /** An arm has no arm beside it that is the same in both campaigns. */
        NO_COMMON_ARM,
        /** An arm has one such arm, and no spread from campaign to campaign is given. */
        NO_CAMPAIGN_SPREAD,
        /** No change has a verdict, each for a reason of its own; or unchanged arms contradict the spread that was given. */
        NO_VERDICT
    }

    final Judgement before;
    final Judgement after;
    final OptionalDouble campaignSpread;
    final Settings settings;
    final List<Cell> cells;
    final List<Metric> metrics;
    final Map<Arm, List<CommonArms.Differs>> arms;
    private final List<String> load;
    private final List<Change> changes;
    final List<String> problems;

    /**
     * @param before the earlier campaign
     * @param after the later one; its margin and level are used
     * @param campaignSpread standard deviation of the log ratio of two unchanged arms from campaign to campaign, above 0;
     *     empty to estimate it from the common arms
     * @param problems lines for people about what could not be read
     * @throws IllegalArgumentException if they have no arm, load and primary metric in common: one line for people
     */
    public CompareTwo(Judgement before, Judgement after, OptionalDouble campaignSpread, List<String> problems) {
        this.before = before;
        this.after = after;
        this.campaignSpread = campaignSpread;
        this.problems = List.copyOf(problems);
        settings = after.settings();
        cells = after.cells().stream().filter(before.cells()::contains).toList();
        metrics = after.primary().stream().filter(before.primary()::contains).toList();
        CommonArms both = new CommonArms(
                before.campaign(), after.campaign(), scheduling(before).equals(scheduling(after)));
        arms = both.arms();
        load = both.load();
        if (arms.isEmpty() || cells.isEmpty() || metrics.isEmpty()) {
            throw new IllegalArgumentException("campaigns " + before.campaign().id() + " and "
                    + after.campaign().id() + " have no arm, load and primary metric in common");
        }
        changes = judged();
    }

    private List<Change> judged() {
        List<Function<AcrossCampaigns, Change>> found = new ArrayList<>();
        List<AcrossCampaigns.Change> claims = new ArrayList<>();
        arms.forEach((arm, differences) -> {
            if (differences.isEmpty()) {
                return;
            }
            List<Arm> common = common(arm.group());
            List<Arm> all = new ArrayList<>(List.of(arm));
            all.addAll(common);
            for (Cell cell : cells) {
                for (Metric metric : metrics) {
                    claims.add(new AcrossCampaigns.Change(
                            common.size(),
                            rows(before, all, cell, metric),
                            rows(after, all, cell, metric),
                            metric,
                            Math.max(before.resolutionMs(all, cell), after.resolutionMs(all, cell)),
                            isLimited(all, cell, metric)));
                    Spread was = before.describe(metric, values(before, arm, cell, metric));
                    Spread is = after.describe(metric, values(after, arm, cell, metric));
                    found.add(judged -> new Change(arm, common, cell, metric, was, is, judged));
                }
            }
        });
        List<AcrossCampaigns> judged = AcrossCampaigns.judge(claims, campaignSpread, settings);
        boolean silent = isSilent();
        List<Change> all = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            all.add(found.get(i).apply(silent ? judged.get(i).withoutVerdict() : judged.get(i)));
        }
        return List.copyOf(all);
    }

    /** What servers that took turns were to the scheduler; earlier campaigns do not say. Others had nobody to share it with. */
    private static Set<String> scheduling(Judgement judgement) {
        Campaign campaign = judgement.campaign();
        return campaign.plan().cells().stream().noneMatch(campaign.plan()::inTurns)
                ? Set.of()
                : judgement.chosen().stream()
                        .map(server -> server.proven().getOrDefault(Scheduling.FACT, ""))
                        .map(fact -> fact.isEmpty() ? "unknown" : Scheduling.isShared(fact) ? "shared" : "own")
                        .collect(Collectors.toSet());
    }

    /** Whether the generator was the limit of one of these arms in either campaign, and figures of this kind are then floors. */
    private boolean isLimited(List<Arm> some, Cell cell, Metric metric) {
        return Stream.of(before, after)
                .anyMatch(campaign -> some.stream().anyMatch(arm -> campaign.isLimited(arm, cell, metric)));
    }

    List<Arm> common(String group) {
        return arms.keySet().stream()
                .filter(arm -> arms.get(arm).isEmpty() && arm.group().equals(group))
                .toList();
    }

    /** The usable values of an arm, which each campaign has as its own, by block. */
    private static SortedMap<Integer, Double> values(Judgement judgement, Arm arm, Cell cell, Metric metric) {
        return judgement.values(judgement.campaign().arm(arm.id()), cell, metric);
    }

    /** For each block that has all of these arms their values. */
    static double[][] rows(Judgement judgement, List<Arm> some, Cell cell, Metric metric) {
        List<Map<Integer, Double>> columns = new ArrayList<>();
        some.forEach(arm -> columns.add(values(judgement, arm, cell, metric)));
        return columns.get(0).keySet().stream()
                .filter(block ->
                        columns.stream().allMatch(column -> column.containsKey(block) && column.get(block) > 0))
                .map(block -> columns.stream()
                        .mapToDouble(column -> column.get(block))
                        .toArray())
                .toArray(double[][]::new);
    }

    public List<Change> changes() {
        return changes;
    }

    /** Whether a control of either campaign is broken, so that nothing may be said. */
    public boolean isVoid() {
        return before.family().isVoid() || after.family().isVoid();
    }

    boolean isSilent() {
        return Stream.of(before, after).anyMatch(Judgement::isSilent);
    }

    /** Why some or all changes have no verdict, whatever was measured; empty if all can have one. */
    public Optional<Descriptive> descriptive() {
        if (isSilent()) {
            return Optional.of(Descriptive.CAMPAIGN_WITHOUT_VERDICTS);
        }
        if (changes.isEmpty()) {
            return Optional.of(Descriptive.NOTHING_CHANGED);
        }
        if (lacks(Lack.NO_COMMON_ARM)) {
            return Optional.of(Descriptive.NO_COMMON_ARM);
        }
        if (lacks(Lack.NO_CAMPAIGN_SPREAD)) {
            return Optional.of(Descriptive.NO_CAMPAIGN_SPREAD);
        }
        return lacks(Lack.CAMPAIGN_SPREAD_TOO_SMALL)
                        || changes.stream()
                                .allMatch(change -> change.judged().lack().isPresent())
                ? Optional.of(Descriptive.NO_VERDICT)
                : Optional.empty();
    }

    private boolean lacks(Lack lack) {
        return changes.stream().anyMatch(change -> change.judged().lack().equals(Optional.of(lack)));
    }

    /** {@link #descriptive} as a sentence with its remedy, without a full stop; empty if every change can have a verdict. */
    public String withoutVerdicts() {
        return descriptive()
                .map(why -> switch (why) {
                    case CAMPAIGN_WITHOUT_VERDICTS ->
                        Stream.of(before, after)
                                .filter(Judgement::isSilent)
                                .map(judgement -> judgement.campaign().id() + ": "
                                        + HistorySection.withoutVerdicts(judgement.campaign()))
                                .findFirst()
                                .orElseThrow();
                    case NOTHING_CHANGED ->
                        "no arm differs between the campaigns (jar, JDK, JVM options, settings, load)";
                    case NO_COMMON_ARM ->
                        load.isEmpty()
                                ? "no arm of the group is the same in both campaigns, so a change of the arm and a change of the day"
                                        + " cannot be told apart. Measure both jars in one campaign"
                                : "the load is not the same in both campaigns (" + Text.list(load)
                                        + "), which changes the figures"
                                        + " of every arm. Repeat one campaign with the load of the other, or measure both jars in"
                                        + " one campaign";
                    case NO_CAMPAIGN_SPREAD ->
                        "one arm is the same in both campaigns, and how much two unchanged arms move against each other from"
                                + " campaign to campaign is not known. Give it with --campaign-spread, keep a second"
                                + " arm unchanged, or measure both jars in one campaign";
                    case NO_VERDICT ->
                        changes.stream()
                                .flatMap(change -> change.judged().lack().stream())
                                .distinct()
                                .map(CompareTwo::words)
                                .collect(Collectors.joining("; "));
                })
                .orElse("");
    }

    /** The claims for programs: each arm may not have become slower. */
    public Claims claims() {
        List<Claims.Claim> claims = changes.stream()
                .map(change -> new Claims.Claim(
                        change.arm().group() + "." + change.cell().id() + "."
                                + change.metric().key(),
                        name(change.arm()) + " after against before",
                        change.judged().verdict(),
                        sentence(change),
                        true,
                        change.measured()))
                .toList();
        return new Claims(before.campaign().id() + " to " + after.campaign().id(), claims, isVoid(), why());
    }

    String why() {
        return Stream.of(before, after)
                .filter(judgement -> judgement.family().isVoid())
                .map(judgement -> "campaign " + judgement.campaign().id()
                        + " is void: two copies of the same arm came out different")
                .collect(Collectors.joining("; "));
    }

    /** With its group where another group has an arm of the same name. */
    String name(Arm arm) {
        boolean taken = after.campaign().arms().stream()
                .filter(other ->
                        other.role() != Arm.Role.CONTROL && !other.group().equals(arm.group()))
                .anyMatch(other -> after.name(other).equals(after.name(arm)));
        return taken ? after.name(arm) + " (" + arm.group() + ")" : after.name(arm);
    }

    String names(List<Arm> some) {
        return Text.list(some.stream().map(after::name).toList());
    }

    String sentence(Change change) {
        return "For " + after.wording().cell(change.cell()) + " " + clause(change);
    }

    private String clause(Change change) {
        AcrossCampaigns judged = change.judged();
        String metric = "the " + change.metric().words() + " of " + name(change.arm());
        if (Double.isNaN(judged.ratio())) {
            return change.measured()
                    ? metric + " cannot be compared: " + names(change.common()) + " has no figures beside it"
                    : metric + " was not measured in both campaigns";
        }
        boolean fine = Numbers.fine(judged.ratio(), judged.low(), judged.high(), settings.margin());
        String changed = metric + " changed by " + Numbers.percent(judged.ratio(), fine) + " %"
                + (change.common().isEmpty() ? "" : " beside " + names(change.common()));
        if (judged.lack().isPresent()) {
            return changed + "; no verdict: " + words(judged.lack().get());
        }
        String interval = Numbers.percent(judged.low(), fine) + " to " + Numbers.percent(judged.high(), fine) + " %";
        return switch (judged.verdict()) {
            case FASTER -> changed + " (" + interval + "), which is better";
            case SLOWER -> changed + " (" + interval + "), which is worse";
            case EQUIVALENT ->
                metric + " is what it was, within " + Numbers.share(settings.margin()) + " (" + interval + ")";
            case INCONCLUSIVE ->
                isSilent()
                        ? changed + " (" + interval + "); no verdict"
                        : "no change of " + metric + " can be shown or ruled out (" + interval + ")";
            default -> changed + " (" + interval + "), perhaps by less than the margin";
        };
    }

    private static String words(Lack lack) {
        return switch (lack) {
            case NO_COMMON_ARM -> "no common arm";
            case NO_CAMPAIGN_SPREAD -> "spread from campaign to campaign unknown";
            case CAMPAIGN_SPREAD_TOO_SMALL -> "unchanged arms moved by more than --campaign-spread";
            case TOO_FEW_BLOCKS -> "too few blocks";
            case NO_SPREAD -> "values do not vary";
            case GENERATOR_LIMIT -> "the generator was the limit of one of the arms";
        };
    }

    /** A verdict in a word or two, or why there is none. */
    String word(Change change) {
        return isVoid()
                ? "void"
                : isSilent()
                        ? "no verdict"
                        : change.judged()
                                .lack()
                                .map(CompareTwo::words)
                                .orElseGet(() -> Words.word(change.judged().verdict(), change.metric()));
    }

    /** The page and its tables, not yet written: content by file name. */
    public Map<String, String> files() {
        return new CompareTwoPage(this).files();
    }

    /** Writes the page and its tables into the later campaign's folder. */
    public Path write(Path to) throws IOException {
        return ReportPage.write(files(), to).resolve(PAGE);
    }
}
