package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.verdict.Settings;

/**
 * {@code campaign.json}, written before the first load. In the file, the components of all parts are on one level.
 *
 * @param arms all arms, in the given order, including controls and references
 * @param order ids of the arms for each block, in the order in which they run
 */
public record Campaign(
        int format,
        @JsonUnwrapped Origin origin,
        Plan plan,
        List<Arm> arms,
        List<List<String>> order,
        @JsonUnwrapped Surroundings surroundings,
        List<CampaignEvent> history) {

    /**
     * The campaign's name, and where it comes from.
     *
     * @param id name of the folder
     * @param created time of creation, UTC, ISO 8601
     * @param commit commit of the sources, with {@code -dirty} if they were changed; empty if not known
     */
    public record Origin(String id, String created, String commit) {}

    /**
     * Machine, versions and conditions of the measurement.
     *
     * @param machine {@code cpu}, {@code cores}, {@code memory.bytes}, {@code os}, {@code kernel}, {@code governor}, …;
     *     for servers on another machine the same keys with the prefix {@code target.}, and its name as {@code target}
     * @param versions versions of the JDK, the generators and servlet-bench
     * @param conditions options, settings and workloads at its start
     * @param pinning how processors were divided, in words
     */
    public record Surroundings(
            Map<String, String> machine, Map<String, String> versions, Conditions conditions, String pinning) {}

    /** Key in the versions for the SHA-256 of the compiled simulations, if one of them is a workload. */
    public static final String SIMULATIONS = "simulations";

    /** The only format that {@link CampaignFolder} reads. */
    public static final int FORMAT = 5;

    /**
     * Key in {@link #machine} for the name of the machine on which servers ran, if that was another one, and prefix of
     * its facts.
     */
    public static final String TARGET = "target";

    /** Prefix in {@link #machine} of the name of a load host and of its facts. */
    public static final String LOAD_HOST = "load-host ";

    /** Returns the size of an arm's heap; empty unless arms with different heaps are compared. */
    public Optional<String> heap(Arm arm) {
        return Optional.ofNullable(arm.spec().heap()).map(Size::text).filter(size -> heaps().size() > 1);
    }

    /**
     * True if JVM options of an arm determine the size of its heap, for example as a share of its memory limit, and
     * those of another arm determine it differently.
     */
    public boolean hasHeapByOptions(Arm arm) {
        return !heapByOptions(arm).isEmpty()
                && arms.stream()
                                .filter(Arm::isRanked)
                                .map(Campaign::heapByOptions)
                                .filter(heap -> !heap.isEmpty())
                                .distinct()
                                .count()
                        > 1;
    }

    /**
     * Returns the arm's own options that determine the size of the heap, with the memory limit; empty if there are
     * none.
     */
    private static List<String> heapByOptions(Arm arm) {
        List<String> options = JvmOptions.ofWholeHeap(arm.spec().jvm());
        return options.isEmpty()
                ? options
                : Stream.concat(
                                options.stream(),
                                Stream.ofNullable(arm.spec().memory()).map(Size::text))
                        .toList();
    }

    /** True if an arm has a limit of CPU time. */
    public boolean hasCpuLimits() {
        return arms.stream().anyMatch(arm -> arm.spec().cpus() != null);
    }

    /** True if each block's load depended on the noise of earlier blocks. */
    public boolean followsNoise() {
        return !conditions().followedLoad().isEmpty();
    }

    /** Returns the heaps that are compared, as they were given; empty if all are equal. */
    public List<String> heaps() {
        List<String> sizes = arms.stream()
                .filter(Arm::isRanked)
                .flatMap(arm -> Stream.ofNullable(arm.spec().heap()).map(Size::text))
                .distinct()
                .toList();
        return sizes.size() < 2 ? List.of() : sizes;
    }

    public String id() {
        return origin.id;
    }

    public String created() {
        return origin.created;
    }

    public String commit() {
        return origin.commit;
    }

    public Map<String, String> machine() {
        return surroundings.machine;
    }

    public Map<String, String> versions() {
        return surroundings.versions;
    }

    public Conditions conditions() {
        return surroundings.conditions;
    }

    public String pinning() {
        return surroundings.pinning;
    }

    public Arm arm(String id) {
        return arms.stream()
                .filter(arm -> arm.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no arm " + id));
    }

    /**
     * True if its servers touched their whole heap before the application started: see
     * {@link Metric#isShapedByPreTouch}.
     */
    @JsonIgnore
    public boolean isPreTouched() {
        return JvmOptions.isPreTouched(conditions().jvmOptions());
    }

    /** Returns facts about the machine on which its servers ran, by the names of {@link #machine}. */
    public Map<String, String> serverMachine() {
        return serverMachine(machine());
    }

    /** Returns the number of processors of the machine on which servers run. */
    public int serverProcessors() {
        return Integer.parseInt(serverMachine().get("cores"));
    }

    /** Returns the facts about the machine on which servers run, from those of all machines. */
    public static Map<String, String> serverMachine(Map<String, String> machine) {
        return machine.containsKey(TARGET) ? below(TARGET + ".", machine) : machine;
    }

    /** True if the record shows values that may be secret. */
    public boolean showsValues() {
        return conditions().options().containsKey(Secrets.OPTION);
    }

    /**
     * Returns this campaign with the values that its record hides.
     *
     * @param values values by their hashes; unknown hashes remain
     */
    public Campaign restored(Map<String, String> values) {
        JsonNode tree = Secrets.each(Json.MAPPER.valueToTree(this), text -> Secrets.restored(text, values));
        try {
            Campaign whole = Json.MAPPER.treeToValue(tree, Campaign.class);
            Conditions shown = whole.conditions().by(conditions().command());
            return new Campaign(
                    format,
                    origin,
                    plan,
                    whole.arms,
                    order,
                    new Surroundings(machine(), versions(), shown, pinning()),
                    history);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns this campaign with other arms that have the same names. */
    public Campaign with(List<Arm> others) {
        return new Campaign(format, origin, plan, others, order, surroundings, history);
    }

    /** Returns the options that were in force when the campaign began, by name. */
    public Map<String, String> asked() {
        return new TreeMap<>(conditions().options());
    }

    /** Returns the Spring Boot properties that were set, by name. */
    public Map<String, String> settings() {
        return conditions().settings();
    }

    private static Map<String, String> below(String prefix, Map<String, String> all) {
        Map<String, String> below = new TreeMap<>();
        all.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                below.put(name.substring(prefix.length()), value);
            }
        });
        return below;
    }

    public List<String> groups() {
        return arms.stream().map(Arm::group).distinct().toList();
    }

    /**
     * True if it ended by a rule that was set before the first block. With verdicts before that, the results could
     * influence the end.
     */
    public boolean hasEnded() {
        return !history.isEmpty() && history.get(history.size() - 1).what().ends();
    }

    private Campaign with(Plan newPlan, List<List<String>> newOrder, CampaignEvent event) {
        List<CampaignEvent> longer = new ArrayList<>(history);
        longer.add(event);
        return with(newPlan, newOrder, longer);
    }

    private Campaign with(Plan newPlan, List<List<String>> newOrder, List<CampaignEvent> newHistory) {
        return new Campaign(format, origin, newPlan, arms, newOrder, surroundings, List.copyOf(newHistory));
    }

    /**
     * True if it ended because it reached its precision. Verdicts would then be the only reason to measure another
     * block.
     */
    @JsonIgnore
    public boolean isPrecise() {
        return last().filter(event -> event.what() == CampaignEvent.What.PRECISION)
                .isPresent();
    }

    /** Returns the event of its end, if it ended because a claim had certainly failed. */
    public Optional<CampaignEvent> earlyEnd() {
        return last().filter(event -> event.what() == CampaignEvent.What.CLAIM_FAILED);
    }

    /** Returns why no block may follow, for people; empty if more may follow. */
    public Optional<String> over() {
        return isPrecise()
                ? Optional.of("reached its precision")
                : earlyEnd().map(event -> "ended because a claim had certainly failed");
    }

    private Optional<CampaignEvent> last() {
        return history.isEmpty() ? Optional.empty() : Optional.of(history.get(history.size() - 1));
    }

    /** Returns the settings for verdicts on its blocks: see {@link Plan#judging()}. */
    Settings judging() {
        return earlyEnd().map(event -> plan.judgingAfter(event.after())).orElseGet(plan::judging);
    }

    /** Removes a last resumption after which nothing was measured, so that the campaign ends at its earlier end. */
    Campaign withoutIdleEnd(List<ServerRun> serverRuns) {
        int last = history.size() - 1;
        if (last < 0 || history.get(last).what() != CampaignEvent.What.RESUMED) {
            return this;
        }
        // Both times are in whole seconds, UTC, ISO 8601.
        boolean idle = serverRuns.stream()
                .noneMatch(one -> one.measured()
                        && one.started().compareTo(history.get(last).when()) >= 0);
        return idle ? with(plan, order, history.subList(0, last)) : this;
    }

    /**
     * Returns the campaign after it {@link CampaignEvent.What#ends() ended} with this number of complete blocks.
     * Returns it unchanged if it had already ended.
     */
    public Campaign ended(CampaignEvent.What how, int blocks, Instant now) {
        CampaignEvent event = new CampaignEvent(how, now.toString(), blocks, blocks);
        boolean same = !history.isEmpty()
                && history.get(history.size() - 1).what() == how
                && history.get(history.size() - 1).after() == blocks;
        return same ? this : with(plan, order, event);
    }

    /**
     * Returns the campaign as it is resumed, either to its planned end, or with more blocks to reach its precision;
     * only the widths of intervals then end it. Returns it unchanged if nothing is left to do, because all blocks are
     * measured, its precision was reached, or a claim has certainly failed.
     *
     * @param limitSeconds time limit from now on, s; 0 for none
     * @throws IllegalArgumentException if fewer blocks are requested than the campaign aims at, or more without a
     *     precision to reach
     */
    public Campaign goingOn(int wanted, int measured, double limitSeconds, Instant now) {
        int aim = order.size();
        if (wanted < aim) {
            throw new IllegalArgumentException("the campaign aims at " + aim + " blocks, and can only be given more");
        }
        if (wanted > aim && (plan.precision() == 0 || over().isPresent())) {
            throw new IllegalArgumentException(
                    "the campaign has " + over().orElse("no precision")
                            + ", and adding blocks because of its verdicts would find false differences: measure another campaign");
        }
        if (wanted == aim && (measured >= aim || over().isPresent())) {
            return this;
        }
        CampaignEvent event = new CampaignEvent(CampaignEvent.What.RESUMED, now.toString(), measured, wanted);
        return with(plan.withLimit(limitSeconds), order(wanted), event);
    }

    /** Returns the order of this number of blocks. Existing blocks keep theirs. */
    private List<List<String>> order(int blocks) {
        List<List<String>> longer = new ArrayList<>(BlockOrder.all(arms, plan.seed(), blocks));
        for (int block = 0; block < Math.min(blocks, order.size()); block++) {
            longer.set(block, order.get(block));
        }
        return List.copyOf(longer);
    }
}
