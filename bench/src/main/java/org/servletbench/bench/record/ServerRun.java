package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * {@code server run.json}: one server JVM's life, written once, when it is over. In the file the components of all parts stand side by
 * side.
 */
public record ServerRun(
        int format,
        @JsonUnwrapped Run run,
        @JsonUnwrapped Before before,
        @JsonUnwrapped Results results) {

    /**
     * The server that ran, and how that ended.
     *
     * @param block from 1
     * @param position of the arm in its block's order, from 1
     * @param arm {@link Arm#id}
     * @param attempt from 1; a second one shows that the first failed
     * @param started UTC, ISO 8601
     * @param ended UTC, ISO 8601
     * @param outcome {@code measured}, or why it failed
     */
    public record Run(int block, int position, String arm, int attempt, String started, String ended, String outcome) {}

    /**
     * Facts from before the load.
     *
     * @param proven facts reported by the running server: container, version, connector, threads, JVM
     * @param startUp {@link Metric}s of {@link Metric.Kind#START_UP}, by key
     * @param warmUp how it ended; null if it never began
     */
    public record Before(Map<String, String> proven, Map<String, Double> startUp, WarmUpRecord warmUp) {}

    /**
     * The measurements.
     *
     * @param threads a timeline of the server's threads; null if they were not visible
     * @param warnings of the whole server run
     * @param profile of an uncounted load; null if none was taken
     * @param course of a start under load; null if it had none
     */
    public record Results(
            List<LoadFigures> loads,
            ThreadTimeline threads,
            List<Warning> warnings,
            @JsonInclude(JsonInclude.Include.NON_NULL) CpuProfile profile,
            @JsonInclude(JsonInclude.Include.NON_NULL) StartCourse course) {

        /** Creates results without a start under load. */
        public Results(List<LoadFigures> loads, ThreadTimeline threads, List<Warning> warnings, CpuProfile profile) {
            this(loads, threads, warnings, profile, null);
        }
    }

    /** Returns this server run as part of another block. */
    public ServerRun inBlock(int other) {
        return with(new Run(other, position(), arm(), attempt(), started(), ended(), outcome()));
    }

    /** Returns this server run as one of another arm. */
    public ServerRun inArm(String other) {
        return with(new Run(block(), position(), other, attempt(), started(), ended(), outcome()));
    }

    private ServerRun with(Run other) {
        return new ServerRun(format, other, before, results);
    }

    /** Returns this server run with a profile; null: none was taken. */
    public ServerRun with(CpuProfile other) {
        return new ServerRun(format, run, before, new Results(loads(), threads(), warnings(), other, course()));
    }

    /** Returns this server run without data that only charts show: threads over time, bursts of the warm-up, and the profile. */
    ServerRun withoutCharts() {
        WarmUpRecord plain = warmUp() == null ? null : warmUp().withoutBursts();
        return new ServerRun(
                format,
                run,
                new Before(proven(), startUp(), plain),
                new Results(loads(), null, warnings(), null, course()));
    }

    public int block() {
        return run.block;
    }

    public int position() {
        return run.position;
    }

    public String arm() {
        return run.arm;
    }

    public int attempt() {
        return run.attempt;
    }

    public String started() {
        return run.started;
    }

    public String ended() {
        return run.ended;
    }

    public String outcome() {
        return run.outcome;
    }

    public Map<String, String> proven() {
        return before.proven;
    }

    public Map<String, Double> startUp() {
        return before.startUp;
    }

    public WarmUpRecord warmUp() {
        return before.warmUp;
    }

    public List<LoadFigures> loads() {
        return results.loads;
    }

    public ThreadTimeline threads() {
        return results.threads;
    }

    public List<Warning> warnings() {
        return results.warnings;
    }

    public CpuProfile profile() {
        return results.profile;
    }

    public StartCourse course() {
        return results.course;
    }

    public static final int FORMAT = 1;

    public static final String MEASURED = "measured";

    /** Prefix of the outcome of a server that was fine but stopped because of another one. */
    public static final String GIVEN_UP = "given up, because of ";

    /** Highest share of servers that were disturbed by other programs; above it, the figures are those of a busy machine. */
    public static final double MOST_DISTURBED = 0.2;

    public boolean measured() {
        return MEASURED.equals(outcome());
    }

    @JsonIgnore
    public boolean hasProfile() {
        return profile() != null;
    }

    /** True if its server became ready and reported its container. */
    @JsonIgnore
    public boolean wasUp() {
        return proven().containsKey("container");
    }

    @JsonIgnore
    public boolean isServerFailed() {
        return warnings().stream().anyMatch(warning -> warning.kind() == WarningKind.SERVER_FAILED);
    }

    /** True if other programs or the host took processors while it was under load. */
    @JsonIgnore
    public boolean isDisturbed() {
        return loads().stream()
                .flatMap(result -> result.warnings().stream())
                .anyMatch(warning -> warning.kind() == WarningKind.DISTURBED);
    }

    /**
     * True if it certainly was not warm under a load: more than {@link WarmCode#MOST_BELOW} of its threads' time was in code below the
     * best compiler's. If its code is not known, true if its warm-up ended without evidence.
     */
    boolean isCold(LoadFigures result) {
        return code(result.load())
                .map(code -> code.leastBelow(warmUp().code().top(), Warmth.LEVEL) > WarmCode.MOST_BELOW)
                .orElseGet(() -> Stream.concat(warnings().stream(), result.warnings().stream())
                        .anyMatch(Warning::saysCold));
    }

    /** Returns samples of its threads under a load, before and after the counted part; empty if there are none. */
    private Optional<CodeTiers> code(MeasuredLoad load) {
        return code(load, SeenCode.UnderLoad::all);
    }

    /** Returns samples of its threads under a load, after the counted part, or else before it; empty if there are none. */
    public Optional<CodeTiers> latestCode(MeasuredLoad load) {
        return code(load, SeenCode.UnderLoad::latest);
    }

    private Optional<CodeTiers> code(MeasuredLoad measuredLoad, Function<SeenCode.UnderLoad, CodeTiers> which) {
        return Optional.ofNullable(warmUp()).map(WarmUpRecord::code).flatMap(seen -> seen.loads().stream()
                .filter(load -> load.load().equals(measuredLoad))
                .map(which)
                .filter(code -> code.samples() > 0)
                .findFirst());
    }

    /** Returns the last samples of its warm-up; empty if there are none. */
    Optional<CodeTiers> codeOfWarmUp() {
        return Optional.ofNullable(warmUp()).map(WarmUpRecord::code).map(SeenCode::warmUp);
    }

    /** Returns the facts reported by its server, in one line; there must be some. */
    public String provenText() {
        return new TreeMap<>(proven())
                .entrySet().stream()
                        .map(fact -> fact.getKey() + " " + fact.getValue())
                        .collect(Collectors.joining(", "));
    }

    /**
     * Returns container and version of an arm for people, such as {@code tomcat 10.1.60}; for a service of the user's own as its
     * server reported, whatever the arm's name.
     *
     * @param server of the arm; empty if none was started
     */
    public static String container(Arm arm, Optional<ServerRun> server) {
        return server.filter(one -> arm.line().isEmpty() && one.wasUp())
                .map(one -> one.proven().get("container") + " " + one.proven().getOrDefault("container.version", ""))
                .orElse(arm.container() + " " + arm.containerVersion())
                .strip();
    }

    /** Returns how many requests its server served at once, and on which threads, for people; empty if that was not counted. */
    public Optional<String> servedAtOnce() {
        return !proven().containsKey(ServedAtOnce.LIMIT)
                ? Optional.empty()
                : Optional.of(proven().get(ServedAtOnce.LIMIT) + " of " + proven().get(ServedAtOnce.SENT) + " sent, on "
                        + proven().get(ServedAtOnce.KIND) + " threads");
    }

    /**
     * The course of a warm-up.
     *
     * @param settled true if it ended on evidence
     * @param reason in words
     * @param seconds its length, s
     * @param rates throughput of each burst, requests/s
     * @param backlog methods in the JIT compiler's queue when each burst ended; null if not visible
     * @param code that the server's threads ran then and under the loads; null without a JVM
     */
    public record WarmUpRecord(
            boolean settled,
            String reason,
            double seconds,
            List<Double> rates,
            List<Double> backlog,
            @JsonInclude(JsonInclude.Include.NON_NULL) SeenCode code) {

        public WarmUpRecord(boolean settled, String reason, double seconds, List<Double> rates, List<Double> backlog) {
            this(settled, reason, seconds, rates, backlog, null);
        }

        private WarmUpRecord withoutBursts() {
            return new WarmUpRecord(settled, reason, seconds, List.of(), List.of(), code);
        }
    }

    /**
     * The server's live threads over its life.
     *
     * @param seconds since the server was ready, s
     * @param series by the monitor's names, such as {@code state.runnable} or {@code role.worker}: a value for each time
     * @param loadFrom start of the measured load, s
     */
    public record ThreadTimeline(List<Double> seconds, Map<String, List<Double>> series, double loadFrom) {}
}
