package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.Effect;
import org.servletbench.bench.comparison.Factorial;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.verdict.Baseline;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Stopping;

/**
 * All decisions made before the first load. They never change later, except for the time limit when a campaign is
 * resumed. In files, the components of all parts are on one level.
 *
 * @param settings name of the settings set: {@code equalised}, {@code defaults} or the user's own
 * @param keepRaw true if raw logs are kept after measuring
 */
public record Plan(
        @JsonUnwrapped Subject subject,
        @JsonUnwrapped Design design,
        @JsonUnwrapped Windows windows,
        List<MeasuredLoad> loads,
        @JsonUnwrapped Rule rule,
        String settings,
        boolean keepRaw) {

    /**
     * The question.
     *
     * @param name name of the comparison
     * @param question question that the comparison answers, in words; empty if its file has none, or if options changed
     *     the comparison
     * @param claims claims of the comparison
     * @param factorial design, if the comparison has factors; otherwise null, as in older records
     * @param note when the answer applies; empty if the comparison does not say it, as in older records
     */
    public record Subject(
            String name,
            String question,
            ClaimList claims,
            @JsonInclude(JsonInclude.Include.NON_NULL) Factorial factorial,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String note) {

        public Subject {
            note = note == null ? "" : note;
        }

        /** Creates a subject without factors and a note. */
        public Subject(String name, String question, ClaimList claims) {
            this(name, question, claims, null, "");
        }
    }

    /**
     * The servers that run, and their order.
     *
     * @param seed seed from which the order of every block is drawn
     * @param blocks maximum number of blocks; a campaign that continued beyond it to its precision has more in its
     *     {@link Campaign#order}
     * @param together true if all servers of a group are up at once and their windows take turns; otherwise they run
     *     one after the other
     * @param limitSeconds time limit, s: no block begins that would end later; 0 for no limit
     */
    public record Design(long seed, int blocks, boolean together, double limitSeconds) {}

    /**
     * The load of a server.
     *
     * @param rounds number of windows of each load in each server run
     * @param windowSeconds length of a window under full load, s
     * @param rampUpSeconds time within which all users of a load start, s
     * @param warmUpSeconds longest warm-up of a server, s
     * @param timeSliceSeconds shortest time slice of a server, s; 0 for whole windows, one after the other
     */
    public record Windows(
            int rounds, double windowSeconds, double rampUpSeconds, double warmUpSeconds, double timeSliceSeconds) {}

    /**
     * The rule for verdicts.
     *
     * @param primary keys of the tested metrics, each of which is tested under at least one load
     * @param byLoad tested metrics of loads that do not have all of them, by the load's id
     * @param margin equivalence margin of each metric, as a share: 0.03
     * @param alpha probability of any false verdict in the campaign
     * @param precisions half widths, as shares, by metric; the campaign stops when every interval is this narrow; 0 for
     *     never
     * @param baseline how the other arms are compared with the baseline
     * @param earlyEnd true if a claim that has certainly failed ends the campaign; otherwise null
     */
    public record Rule(
            List<String> primary,

            @JsonProperty("primary-by-load") @JsonInclude(JsonInclude.Include.NON_EMPTY)
            Map<String, List<String>> byLoad,

            Shares margin,
            double alpha,
            @JsonProperty("precision") Shares precisions,
            Baseline baseline,
            @JsonInclude(JsonInclude.Include.NON_NULL) Boolean earlyEnd) {

        /** In files, the metrics of single loads are left out if all loads have all metrics. */
        public Rule {
            byLoad = byLoad == null ? Map.of() : Map.copyOf(byLoad);
        }

        /** Creates a rule in which no claim ends the campaign. */
        public Rule(
                List<String> primary,
                Map<String, List<String>> byLoad,
                Shares margin,
                double alpha,
                Shares precisions,
                Baseline baseline) {
            this(primary, byLoad, margin, alpha, precisions, baseline, null);
        }
    }

    /** Returns the metric that is judged first. */
    public Metric lead() {
        return primary().stream()
                .flatMap(key -> Metric.of(key).stream())
                .findFirst()
                .orElse(Metric.THROUGHPUT);
    }

    /**
     * Returns the {@link #precisions} of the first tested metric, to which those of other metrics are relative; 0 if
     * there is none.
     */
    public double precision() {
        return precisions().of(lead());
    }

    /** Returns the {@link #precisions} for people: 3.9 %, or those of each metric. */
    public String precisionWords() {
        return precisions().own().isEmpty()
                ? Text.text("%.1f %%", 100 * precision())
                : precisions()
                        .words(primary().stream()
                                .flatMap(key -> Metric.of(key).stream())
                                .toList());
    }

    /**
     * Returns the settings for verdicts: the level, reduced by the cost of the {@link Stopping} rules, and the margin.
     *
     * @throws IllegalArgumentException if alpha or margin is out of range
     */
    public Settings judging() {
        return judging(Stopping.alpha(alpha(), precision(), endsEarly()));
    }

    /**
     * Returns the settings that decide, after this number of blocks, whether a claim has certainly failed.
     *
     * @param blocks number of blocks, at least 2
     */
    public Settings judgingAfter(int blocks) {
        return judging(Stopping.look(alpha(), blocks));
    }

    private Settings judging(double alpha) {
        return new Settings(alpha, margin(), Settings.DEFAULTS.power());
    }

    /** True if a claim that has certainly failed ends the campaign. */
    public boolean endsEarly() {
        return Boolean.TRUE.equals(rule.earlyEnd);
    }

    /** Returns this plan without an early end because of claims. */
    public Plan withoutEarlyEnd() {
        Rule other = new Rule(primary(), rule.byLoad, margin(), alpha(), precisions(), baseline());
        return new Plan(subject, design, windows, loads, other, settings, keepRaw);
    }

    /** True if servers are only started, without any load. */
    @JsonIgnore
    public boolean isStartUp() {
        return loads.stream().allMatch(MeasuredLoad::isStartUp);
    }

    /** True if there is a search for the highest rate of each server. */
    @JsonIgnore
    public boolean isCapacity() {
        return !loads.isEmpty() && loads.stream().allMatch(MeasuredLoad::isCapacity);
    }

    /** True if the servers take turns in this load, in time slices: see {@link #timeSliceSeconds}. */
    public boolean inTimeSlices(MeasuredLoad load) {
        return together()
                && timeSliceSeconds() > 0
                && load.users() > 0
                && !load.settings().isCounted();
    }

    /** Returns the distinct generators of its loads, as pages name them; empty if there is no load. */
    public List<String> generators() {
        return each(MeasuredLoad::generator);
    }

    /** Returns the distinct generators of its loads, by their own names. */
    public List<String> tools() {
        return each(MeasuredLoad::tool);
    }

    private List<String> each(Function<MeasuredLoad, String> what) {
        return loads.stream()
                .filter(load -> !load.isStartUp())
                .map(what)
                .distinct()
                .toList();
    }

    public Plan withBlocks(int number) {
        return with(new Design(seed(), number, together(), limitSeconds()));
    }

    /** Returns this plan with only these loads. */
    public Plan with(List<MeasuredLoad> exactly) {
        return new Plan(subject, design, windows, List.copyOf(exactly), rule, settings, keepRaw);
    }

    public Plan oneAfterTheOther() {
        return with(new Design(seed(), blocks(), false, limitSeconds()));
    }

    /** Returns this plan with another time limit, s; 0 for none. */
    public Plan withLimit(double seconds) {
        return with(new Design(seed(), blocks(), together(), seconds));
    }

    /** Returns this plan with another duration of load for each server, load and block, s. */
    public Plan withLoad(double seconds) {
        return new Plan(
                subject,
                design,
                new Windows(rounds(), seconds / rounds(), rampUpSeconds(), warmUpSeconds(), timeSliceSeconds()),
                loads,
                rule,
                settings,
                keepRaw);
    }

    /** Returns the duration of load for each server, load and block, s. */
    public double loadSeconds() {
        return rounds() * windowSeconds();
    }

    private Plan with(Design other) {
        return new Plan(subject, other, windows, loads, rule, settings, keepRaw);
    }

    public String name() {
        return subject.name;
    }

    public String question() {
        return subject.question;
    }

    public String note() {
        return subject.note;
    }

    public ClaimList claims() {
        return subject.claims;
    }

    /** Returns the effects that get verdicts instead of arms; empty without factors. */
    public List<Effect> effects() {
        return factorial().map(Factorial::effects).orElse(List.of());
    }

    /** Returns the design of a comparison with factors; empty without factors. */
    public Optional<Factorial> factorial() {
        return Optional.ofNullable(subject.factorial);
    }

    public long seed() {
        return design.seed;
    }

    public int blocks() {
        return design.blocks;
    }

    public boolean together() {
        return design.together;
    }

    public double limitSeconds() {
        return design.limitSeconds;
    }

    public int rounds() {
        return windows.rounds;
    }

    public double windowSeconds() {
        return windows.windowSeconds;
    }

    public double rampUpSeconds() {
        return windows.rampUpSeconds;
    }

    public double warmUpSeconds() {
        return windows.warmUpSeconds;
    }

    public double timeSliceSeconds() {
        return windows.timeSliceSeconds;
    }

    public List<String> primary() {
        return rule.primary;
    }

    /** Returns the keys of the metrics that are tested under a load. */
    public List<String> primary(MeasuredLoad load) {
        return rule.byLoad.getOrDefault(load.id(), rule.primary);
    }

    /** Returns the number of tests of one arm: the tested metrics of all loads. */
    @JsonIgnore
    public int tests() {
        return loads.stream().mapToInt(load -> primary(load).size()).sum();
    }

    public Shares margin() {
        return rule.margin;
    }

    public double alpha() {
        return rule.alpha;
    }

    public Shares precisions() {
        return rule.precisions;
    }

    public Baseline baseline() {
        return rule.baseline;
    }
}
