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
 * {@code server-run.json}: the life of one server JVM, written once when it is over. In the file, the components of all
 * parts are on one level.
 */
public record ServerRun(
        int format,
        @JsonUnwrapped Run run,
        @JsonUnwrapped Before before,
        @JsonUnwrapped Results results) {

    /**
     * The server that ran, and how the run ended.
     *
     * @param block number of the block, from 1
     * @param position position of the arm in its block's order, from 1
     * @param arm {@link Arm#id}
     * @param attempt number of the attempt, from 1; a second one shows that the first failed
     * @param started time of the start, UTC, ISO 8601
     * @param ended time of the end, UTC, ISO 8601
     * @param outcome {@code measured}, or why it failed
     */
    public record Run(int block, int position, String arm, int attempt, String started, String ended, String outcome) {}

    /**
     * Facts from before the load.
     *
     * @param proven facts reported by the running server: container, version, connector, threads, JVM
     * @param startUp {@link Metric}s of {@link Metric.Kind#START_UP}, by key
     * @param warmUp how the warm-up ended; null if it never began
     */
    public record Before(Map<String, String> proven, Map<String, Double> startUp, WarmUpRecord warmUp) {}

    /**
     * The measurements.
     *
     * @param threads a timeline of the server's threads; null if they were not visible
     * @param warnings warnings about the whole server run
     * @param profile profile of an uncounted load; null if none was taken
     * @param course course of a start under load; null if it was not under load
     */
    public record Results(
            List<LoadFigures> loads,
            ThreadTimeline threads,
            List<Warning> warnings,
            @JsonInclude(JsonInclude.Include.NON_NULL) CpuProfile profile,
            @JsonInclude(JsonInclude.Include.NON_NULL) StartCourse course) {

        /** Creates results of a server whose start was not under load. */
        public Results(List<LoadFigures> loads, ThreadTimeline threads, List<Warning> warnings, CpuProfile profile) {
            this(loads, threads, warnings, profile, null);
        }
    }

    /** Returns this server run as part of another block. */
    public ServerRun inBlock(int other) {
        return with(new Run(other, position(), arm(), attempt(), started(), ended(), outcome()));
    }

    /** Returns this server run as a run of another arm. */
    public ServerRun inArm(String other) {
        return with(new Run(block(), position(), other, attempt(), started(), ended(), outcome()));
    }

    private ServerRun with(Run other) {
        return new ServerRun(format, other, before, results);
    }

    /** Returns this server run with a profile; null for none. */
    public ServerRun with(CpuProfile other) {
        return new ServerRun(format, run, before, new Results(loads(), threads(), warnings(), other, course()));
    }

    /**
     * Returns this server run without data that only charts need: threads over time, bursts of the warm-up, and the
     * profile.
     */
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

    /** Prefix of the outcome of a server that was fine but was stopped because of another one. */
    public static final String GIVEN_UP = "given up, because of ";

    /** Maximum share of servers that other programs disturbed. Above it, the figures are those of a busy machine. */
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
     * True if it certainly was not warm under a load: more than {@link WarmCode#MOST_BELOW} of its threads' time was in
     * code below the best compiler's. If its code is unknown, true if its warm-up ended without evidence.
     */
    boolean isCold(LoadFigures result) {
        return code(result.load())
                .map(code -> code.leastBelow(warmUp().code().top(), Warmth.LEVEL) > WarmCode.MOST_BELOW)
                .orElseGet(() -> Stream.concat(warnings().stream(), result.warnings().stream())
                        .anyMatch(Warning::saysCold));
    }

    /** Returns samples of its threads under a load, from before and after the counted part; empty if there are none. */
    private Optional<CodeTiers> code(MeasuredLoad load) {
        return code(load, SeenCode.UnderLoad::all);
    }

    /**
     * Returns samples of its threads under a load, from after the counted part, or else from before it; empty if there
     * are none.
     */
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

    /** Returns the facts that its server reported, in one line. There must be some. */
    public String provenText() {
        return new TreeMap<>(proven())
                .entrySet().stream()
                        .map(fact -> fact.getKey() + " " + fact.getValue())
                        .collect(Collectors.joining(", "));
    }

    /**
     * Returns an arm's container and version for people, such as {@code tomcat 10.1.60}. For a user's own service, they
     * are as its server reported them, whatever the arm's name is.
     *
     * @param server server of the arm; empty if none was started
     */
    public static String container(Arm arm, Optional<ServerRun> server) {
        return server.filter(one -> arm.line().isEmpty() && one.wasUp())
                .map(one -> one.proven().get("container") + " " + one.proven().getOrDefault("container.version", ""))
                .orElse(arm.container() + " " + arm.containerVersion())
                .strip();
    }

    /**
     * Returns how many requests its server could serve at once, and on which threads, for people; empty if that was not
     * counted.
     */
    public Optional<String> servedAtOnce() {
        return !proven().containsKey(ServedAtOnce.LIMIT)
                ? Optional.empty()
                : Optional.of(proven().get(ServedAtOnce.LIMIT) + " of " + proven().get(ServedAtOnce.SENT) + " sent, on "
                        + proven().get(ServedAtOnce.KIND) + " threads");
    }

    /**
     * The course of a warm-up.
     *
     * @param settled true if it ended because the server was found to be warm
     * @param reason why it ended, in words
     * @param seconds duration, s
     * @param rates throughput of each burst, requests/s
     * @param backlog number of methods in the JIT compiler's queue at the end of each burst; null if not visible
     * @param code code that the server's threads ran in the warm-up and under the loads; null if it is not a JVM
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
     * @param seconds times since the server was ready, s
     * @param series values for each time, by the monitor's names, such as {@code state.runnable} or {@code role.worker}
     * @param loadFrom start of the measured load, s
     */
    public record ThreadTimeline(List<Double> seconds, Map<String, List<Double>> series, double loadFrom) {}
}
