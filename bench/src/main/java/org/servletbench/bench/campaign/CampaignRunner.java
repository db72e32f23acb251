package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.RateOutcome;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.Allocation;
import org.servletbench.bench.verdict.Allocation.Cost;
import org.servletbench.bench.verdict.Stopping;

/** Runs a campaign from its first block, or from where it stopped, and saves results after every step. */
final class CampaignRunner {

    /** Measures servers that are up together, in a block. */
    @FunctionalInterface
    interface Sessions {
        /** @param loadSeconds duration of the load for each server and load, s */
        Session.Ran run(int block, List<Session.Attempt> places, double loadSeconds);
    }

    /** Factor by which forecasts may err. We report that a precision is out of reach only beyond it. */
    private static final double NOT_REACHED = 1.1;
    /**
     * Multiple of the median time from which on a block counts as disturbed: a server failed, or the machine paused.
     */
    private static final double MUCH_LONGER = 1.5;
    /** Maximum number of blocks of a forecast. A longer campaign would take more than a day. */
    private static final int MOST_BLOCKS = 400;

    private final Function<Session.Context, Sessions> how;
    private final Sessions sessions;
    private final Prepared prepared;
    private final Campaign campaign;
    private final ServerLauncher launches;
    private final Session.Context context;
    private final CampaignWatch watch;
    private final CampaignStore store;
    private final String goOn;
    private final double paceSeconds;
    private long began;
    /** Time of each block of this run apart from its load, s. */
    private final List<Double> fixedSeconds = new ArrayList<>();
    /** Load for each server in each block of this run, s. */
    private final List<Double> loads = new ArrayList<>();

    private boolean warned;

    /**
     * @param goOn command that resumes it after a failure, for the message; empty if there is none
     *
     * @throws LoadException if a generator of the plan is missing
     * @throws TargetException if its servers could not be started like the earlier ones
     */
    CampaignRunner(Prepared prepared, CampaignWatch watch, String goOn) {
        this(
                prepared,
                watch,
                goOn,
                context -> (block, places, load) -> new Session(context, block, places, load).run());
    }

    CampaignRunner(Prepared prepared, CampaignWatch watch, String goOn, Function<Session.Context, Sessions> how) {
        this.how = how;
        this.prepared = prepared;
        this.campaign = prepared.campaign();
        this.store = prepared.store();
        this.watch = watch;
        this.goOn = goOn;
        paceSeconds = prepared.procedure().paceSeconds();
        campaign.plan().tools().forEach(name -> Generators.named(name)
                .missing(prepared.repository())
                .ifPresent(line -> {
                    throw new LoadException(line);
                }));
        launches = new ServerLauncher(prepared);
        context = new Session.Context(
                prepared,
                prepared.machine().divided(),
                new LinkedHashMap<>(),
                new ProvenHeaps(prepared.procedure().start().jvm()),
                launches,
                Generators::named,
                new Companion(),
                watch);
        sessions = how.apply(context);
        if (store.exists() && campaign.over().isEmpty()) {
            CampaignFolder before = read();
            if (before.completeBlocks() < campaign.order().size()) {
                launches.requireSameArchives(before.serverRuns());
            }
        }
    }

    /**
     * Runs all missing blocks, and records how the campaign ended.
     *
     * @throws TargetException if a session failed twice, if it failed for a reason that would also stop the next ones,
     *     or if nothing can be written. Everything measured so far is kept
     */
    CampaignFolder run() {
        if (campaign.over().isPresent()) {
            watch.say("the campaign " + campaign.over().get() + ": nothing is left to measure");
            return read();
        }
        CampaignFolder before = read();
        RateOutcome.givenUp(campaign, before.serverRuns())
                .forEach(id -> watch.say(id + " failed twice: the campaign goes on without it"));
        if (before.completeBlocks() < campaign.order().size()) {
            launches.prepare(line -> watch.say(line));
        }
        // The time limit excludes class archives, which are made before and kept for the next campaign.
        began = System.nanoTime();
        try (Companion companion = context.companion()) {
            return runBlocks();
        }
    }

    private CampaignFolder runBlocks() {
        CampaignFolder sofar = read();
        Plan plan = campaign.plan().withBlocks(campaign.order().size());
        Allocation next = null;
        List<ClaimResult> failed = failed(sofar);
        CampaignEvent.What end = CampaignEvent.What.COMPLETED;
        for (int block = 1; block <= campaign.order().size() && end == CampaignEvent.What.COMPLETED; block++) {
            boolean missing = !sofar.isMeasured(block, campaign.order().get(block - 1));
            if (missing && isOverTime(sofar)) {
                watch.say(text(
                        "the time limit of %.0f min leaves no time for block %d: the campaign ends after block %d",
                        campaign.plan().limitSeconds() / 60, block, block - 1));
                end = CampaignEvent.What.TIME_LIMIT;
            } else if (missing && !failed.isEmpty()) {
                watch.say(text("the campaign ends after block %d: %s", block - 1, ClaimResult.surelyFailed(failed)));
                end = CampaignEvent.What.CLAIM_FAILED;
            } else if (missing) {
                awaitPace(block, sofar);
                long start = System.nanoTime();
                double load = load(
                        next == null ? allocation(sofar, Analysis.of(campaign, sofar.serverRuns()), plan) : next,
                        secondsForTrend(plan, sofar.serverRuns()),
                        leastLoad(sofar));
                runBlock(block, sofar, load);
                sofar = read();
                loads.add(load);
                fixedSeconds.add(Math.max(0, (System.nanoTime() - start) / 1e9 - perLoad() * load));
                Analysis judged = Analysis.of(campaign, sofar.serverRuns());
                next = allocation(sofar, judged, plan);
                failed = failed(sofar);
                estimate(block, judged, sofar, next, !failed.isEmpty());
                watch.block(block, sofar, judged);
                if (isPrecise(judged)) {
                    watch.say(text(
                            "by noise alone, every interval is within ± %s: the campaign ends after block %d",
                            campaign.plan().precisionWords(), block));
                    end = CampaignEvent.What.PRECISION;
                }
            }
        }
        Campaign ended =
                campaign.ended(end, sofar.completeBlocks(), Instant.now().truncatedTo(ChronoUnit.SECONDS));
        if (ended != campaign) {
            store.write(ended);
        }
        return read();
    }

    private CampaignFolder read() {
        try {
            return CampaignFolder.read(store.folder());
        } catch (IOException e) {
            throw new TargetException(e.getMessage());
        }
    }

    /** Returns the number of servers times the number of loads if the length of loads depends on the noise; else 0. */
    private double perLoad() {
        return campaign.followsNoise()
                ? campaign.arms().size() * campaign.plan().loads().size()
                : 0;
    }

    /** Returns the cost of a block, based on the blocks of this run if there are any. */
    private Cost cost() {
        Plan plan = campaign.plan();
        Procedure procedure = prepared.procedure();
        return fixedSeconds.isEmpty()
                ? Forecast.cost(plan, campaign.arms(), procedure, campaign.followsNoise())
                : Forecast.cost(
                        plan,
                        fixedSeconds.stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElseThrow(),
                        perLoad(),
                        procedure);
    }

    /**
     * Divides the remaining time. If an arm has no figures, it aims at no precision, because no number of blocks would
     * give that arm an interval.
     */
    private Allocation allocation(CampaignFolder sofar, Analysis judged, Plan plan) {
        boolean hopeless = sofar.completeBlocks() >= Stopping.MIN_BLOCKS
                && !Double.isFinite(judged.family().widestHalfWidth());
        Cost cost = cost();
        double left = plan.limitSeconds() - doneSeconds() - waitSeconds(sofar);
        return Forecast.allocation(
                plan,
                campaign.arms(),
                prepared.procedure(),
                hopeless ? 0 : plan.precision(),
                judged.noises().stream()
                        .map(one -> one.beside(plan.precisions(), plan.lead()))
                        .toList(),
                sofar.completeBlocks(),
                left,
                plan.limitSeconds() > 0 && left < cost.seconds(cost.least()) ? cost.atLeast(leastLoad(sofar)) : cost);
    }

    /**
     * Returns roughly how long the load on each server of the last block should have been for a trend, s; 0 if it was
     * long enough.
     */
    static double secondsForTrend(Plan plan, List<ServerRun> sofar) {
        int last = sofar.stream().mapToInt(ServerRun::block).max().orElse(0);
        return sofar.stream()
                .filter(one -> one.block() == last)
                .flatMap(one -> one.loads().stream())
                .filter(result -> plan.inTimeSlices(result.load()))
                .mapToDouble(LoadFigures::secondsForTrend)
                .max()
                .orElse(0);
    }

    /**
     * Returns the load for each server of the next block, whole seconds. It must fit into the time that is left, even
     * if the rest of the block takes as long as in the longest block so far.
     *
     * @param trend load that shows whether a server was warm, s
     * @param least shortest load that makes a block worthwhile, s
     */
    private double load(Allocation allocation, double trend, double least) {
        double limit = campaign.plan().limitSeconds();
        Cost cost = Forecast.cost(campaign.plan(), longest(), perLoad(), prepared.procedure())
                .atLeast(least);
        double fits = limit > 0 ? cost.load(limit - doneSeconds()) : allocation.load();
        double wanted = Math.max(allocation.load(), Math.min(cost.most(), Math.ceil(trend)));
        return Math.max(cost.least(), Math.floor(Math.min(wanted, fits)));
    }

    private void estimate(int block, Analysis judged, CampaignFolder sofar, Allocation next, boolean hasFailed) {
        boolean ends = isPrecise(judged) || block >= campaign.order().size() || isOverTime(sofar) || hasFailed;
        int left = ends ? 0 : next.blocks();
        watch.estimate(
                doneSeconds(),
                left * cost().seconds(next.load()),
                left,
                hasOnePrecision() ? next.halfWidth() : Double.NaN);
        if (!ends) {
            outOfReach(block, next, judged, sofar).ifPresent(watch::say);
        }
    }

    /**
     * Returns a warning, once and early, if the time limit will end the campaign before its precision is reached, with
     * a hint.
     */
    private Optional<String> outOfReach(int block, Allocation next, Analysis judged, CampaignFolder sofar) {
        Plan plan = campaign.plan();
        if (warned
                || plan.precision() == 0
                || plan.limitSeconds() == 0
                || !(next.halfWidth() > NOT_REACHED * plan.precision())) {
            return Optional.empty();
        }
        warned = true;
        Allocation enough = allocation(sofar, judged, plan.withLimit(0).withBlocks(MOST_BLOCKS));
        return Optional.of(text(
                "the time limit of %.0f min is too short for ± %s with this noise: %s%s",
                plan.limitSeconds() / 60,
                hasOnePrecision() ? Forecast.share(plan.precision()) : plan.precisionWords(),
                hasOnePrecision()
                        ? next.halfWidth() > Forecast.SAYS_NOTHING
                                ? text("%d blocks show nothing", block + next.blocks())
                                : text(
                                        "about ± %s after %d blocks",
                                        Forecast.share(next.halfWidth()), block + next.blocks())
                        : text("%d blocks do not reach it", block + next.blocks()),
                enough.halfWidth() > NOT_REACHED * plan.precision()
                        ? ""
                        : text(
                                "; %s takes about --limit %.0fm",
                                hasOnePrecision() ? "± " + Forecast.share(plan.precision()) : "that",
                                Math.ceil((doneSeconds() + enough.blocks() * cost().seconds(enough.load())) / 60))));
    }

    /**
     * True if all metrics have the same precision. If not, the half width is relative to the lead's precision, and is
     * that of no particular metric.
     */
    private boolean hasOnePrecision() {
        return campaign.plan().precisions().own().isEmpty();
    }

    /**
     * Returns how long the next block has to wait for the pace, s. The pace counts from the start of the previous
     * block, even if an earlier run measured that one.
     */
    private double waitSeconds(CampaignFolder sofar) {
        int last = sofar.serverRuns().stream().mapToInt(ServerRun::block).max().orElse(0);
        return sofar.serverRuns().stream()
                .filter(one -> one.block() == last)
                .map(one -> Instant.parse(one.started()))
                .min(Comparator.naturalOrder())
                .map(start ->
                        paceSeconds - Duration.between(start, Instant.now()).toMillis() / 1e3)
                .map(wait -> Math.max(0, wait))
                .orElse(0.0);
    }

    private void awaitPace(int block, CampaignFolder sofar) {
        boolean begun = sofar.serverRuns().stream().anyMatch(one -> one.block() == block);
        Duration wait = Duration.ofMillis(begun ? 0 : Math.round(1e3 * waitSeconds(sofar)));
        if (!wait.isZero()) {
            watch.say(text(
                    "block %d starts at %s (a pace of %s)",
                    block,
                    LocalTime.now().plus(wait).truncatedTo(ChronoUnit.SECONDS),
                    Time.of(prepared.procedure().pace())));
            TargetException.sleep(wait, "waiting for the next block");
        }
    }

    /**
     * True if another block would exceed the time limit. This depends on time only, never on results. A run measures at
     * least one block, because it does not know a block's duration before.
     */
    private boolean isOverTime(CampaignFolder sofar) {
        double limit = campaign.plan().limitSeconds();
        return limit > 0
                && mayEnd(sofar)
                && doneSeconds() + waitSeconds(sofar) + longest() + perLoad() * leastOfLast(campaign.plan(), loads)
                        > limit;
    }

    /** True if the campaign may end without another block. */
    private boolean mayEnd(CampaignFolder sofar) {
        return !fixedSeconds.isEmpty() && sofar.completeBlocks() >= 2;
    }

    /** Returns the shortest load of the next block, s. If the campaign may end, this is that of a last block. */
    private double leastLoad(CampaignFolder sofar) {
        return mayEnd(sofar)
                ? Math.min(Allocation.LEAST_LOAD, leastOfLast(campaign.plan(), loads))
                : Allocation.LEAST_LOAD;
    }

    /**
     * Returns the shortest load of a last block, for which less than the usual time is left, s. It is half of the usual
     * load. Blocks have equal weights, so adding a block with k times the variance improves the mean of n blocks if k
     * is less than 2 + 1 / n. With half of the load, k is 2 if all noise is within a JVM, and less otherwise. This
     * block is also part of the spread between blocks, so intervals stay as wide as necessary. The load also has enough
     * rounds for a trend, without which a server might count as cold.
     *
     * @param loads loads of the earlier blocks, s, at least one; the usual load is their harmonic mean, because
     *     variances are proportional to 1 / load
     */
    static double leastOfLast(Plan plan, List<Double> loads) {
        double usual =
                loads.size() / loads.stream().mapToDouble(load -> 1 / load).sum();
        return Math.max(usual / 2, (Trend.LEAST_POINTS + 1) * plan.timeSliceSeconds());
    }

    /**
     * Returns the time of the next block apart from its loads, s: that of the longest block so far that was not
     * disturbed.
     */
    private double longest() {
        return longest(fixedSeconds);
    }

    static double longest(List<Double> fixedSeconds) {
        List<Double> sorted = fixedSeconds.stream().sorted().toList();
        return sorted.isEmpty()
                ? 0
                : Math.min(sorted.get(sorted.size() - 1), MUCH_LONGER * sorted.get((sorted.size() - 1) / 2));
    }

    private double doneSeconds() {
        return (System.nanoTime() - began) / 1e9;
    }

    /**
     * True if the campaign may stop because its intervals are narrow enough. This depends only on their width, never on
     * their position.
     */
    private static boolean isPrecise(Analysis judged) {
        Plan plan = judged.campaign().plan();
        return Stopping.enough(judged.family(), plan.precisions(), plan.lead());
    }

    /** Returns the claims whose failure ends the campaign: those that the verdicts of a campaign ending now reject. */
    private List<ClaimResult> failed(CampaignFolder sofar) {
        int blocks = sofar.completeBlocks();
        return campaign.plan().endsEarly() && blocks >= Stopping.FIRST_LOOK
                ? Analysis.of(
                                campaign.ended(CampaignEvent.What.CLAIM_FAILED, blocks, Instant.now()),
                                sofar.serverRuns())
                        .claims()
                        .stream()
                        .filter(claim -> claim.outcome() == ClaimResult.Outcome.DOES_NOT_HOLD)
                        .toList()
                : List.of();
    }

    private void runBlock(int block, CampaignFolder sofar, double load) {
        for (List<String> all : sessions(campaign.order().get(block - 1))) {
            int tries = 0;
            while (!sofar.isMeasured(block, all)) {
                Set<String> without = RateOutcome.givenUp(campaign, sofar.serverRuns());
                List<String> ids =
                        all.stream().filter(id -> !without.contains(id)).toList();
                Session.Ran session = sessions.run(block, places(block, ids), load);
                note(block, ids, session.timing());
                session.serverRuns().forEach(watch::serverRun);
                sofar = read();
                Optional<String> trouble = session.trouble();
                // Without any measurement there is nothing to resume.
                boolean resumable =
                        !goOn.isEmpty() && sofar.serverRuns().stream().anyMatch(ServerRun::measured);
                String what = " in block " + block + ": " + trouble.orElse("");
                String where = what
                        + (resumable
                                ? "; what was measured is kept in " + store.folder() + ": continue with " + goOn
                                : "");
                session.refusal().ifPresent(refusal -> {
                    throw TargetException.refusal(refusal, "rejected" + where);
                });
                // A failure that may be due to a small heap counts against the arm, not the block, until the arm is
                // given up.
                boolean heap = session.serverRuns().stream()
                        .anyMatch(one -> one.isServerFailed() && RateOutcome.isOfHeap(campaign, one.arm()));
                if (session.diedAtStart() && !heap && !hasBeenUp(session, sofar)) {
                    throw new TargetException("failed" + what);
                }
                tries += heap && !sofar.isAnyMeasured(block, ids) ? 0 : 1;
                if (tries == RateOutcome.ATTEMPTS && !sofar.isMeasured(block, all)) {
                    throw new TargetException("failed twice" + where);
                }
                Set<String> given = RateOutcome.givenUp(campaign, sofar.serverRuns());
                given.stream()
                        .filter(ids::contains)
                        .forEach(id -> watch.say(id + " failed twice: the campaign goes on without it"));
                if (trouble.isEmpty()) {
                    repeatSpoiled(block, ids, session, load);
                }
                trouble.ifPresent(reason -> {
                    watch.say(
                            (given.containsAll(ids) ? "given up: " : "block " + block + " is tried again: ") + reason);
                    prepared.machine().awaitReachable(prepared.procedure().hostWait(), watch::say);
                });
            }
        }
    }

    /**
     * True if another server of the failed arm was ready before in this campaign. If none was, the next one would fail
     * as well.
     */
    private static boolean hasBeenUp(Session.Ran session, CampaignFolder sofar) {
        return session.serverRuns().stream()
                .filter(ServerRun::isServerFailed)
                .anyMatch(failed ->
                        sofar.serverRuns().stream().anyMatch(one -> one.arm().equals(failed.arm()) && one.wasUp()));
    }

    /**
     * Repeats a block whose log is damaged, if the time limit allows it. The second attempt counts even if it is
     * damaged, too.
     */
    private void repeatSpoiled(int block, List<String> ids, Session.Ran session, double load) {
        double limit = campaign.plan().limitSeconds();
        Optional<String> spoiled = session.serverRuns().stream()
                .flatMap(one -> one.loads().stream()
                        .flatMap(result -> result.spoiling().stream())
                        .map(warning -> one.arm() + ": " + warning.figures()))
                .findFirst();
        if (spoiled.isPresent()
                && !(limit > 0 && doneSeconds() + session.timing().seconds() > limit)) {
            watch.say(text("block %d is measured again, because of %s", block, spoiled.get()));
            Session.Ran again = sessions.run(block, places(block, ids), load);
            note(block, ids, again.timing());
            again.serverRuns().forEach(watch::serverRun);
            again.trouble().ifPresent(why -> watch.say("the first attempt counts: " + why));
        }
    }

    private List<List<String>> sessions(List<String> order) {
        if (!campaign.plan().together()) {
            return order.stream().map(List::of).toList();
        }
        Map<String, List<String>> groups = new LinkedHashMap<>();
        order.forEach(id -> groups.computeIfAbsent(campaign.arm(id).group(), group -> new ArrayList<>())
                .add(id));
        return List.copyOf(groups.values());
    }

    private List<Session.Attempt> places(int block, List<String> ids) {
        List<String> order = campaign.order().get(block - 1);
        int attempt = 1;
        while (exists(block, ids, order, attempt)) {
            attempt++;
        }
        int number = attempt;
        return ids.stream()
                .map(id -> new Session.Attempt(campaign.arm(id), order.indexOf(id) + 1, number))
                .toList();
    }

    /**
     * True if an attempt has a folder. A folder without {@code server-run.json} belongs to an interrupted attempt; it
     * is kept, but not used again.
     */
    private boolean exists(int block, List<String> ids, List<String> order, int attempt) {
        return ids.stream().anyMatch(id -> Files.exists(store.serverRun(block, order.indexOf(id) + 1, id, attempt)));
    }

    private void note(int block, List<String> ids, PhaseTimes took) {
        try {
            PhaseTimes.append(store.folder(), block, ids, took);
        } catch (IOException e) {
            throw new TargetException(
                    "cannot write " + store.folder().resolve(PhaseTimes.FILE) + " (" + e.getMessage() + ")");
        }
    }
}
