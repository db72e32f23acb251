package org.servletbench.bench.model;

import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Open;

/**
 * The task of a generator, the same for each of them: warm up, then run every workload at every number of users.
 *
 * @param workloads workloads in the order in which they run
 * @param maxFailedPercent maximum share of failed requests; more in any load fail the run, percent
 */
public record LoadPlan(List<Workload> workloads, LoadModel model, WarmUpPlan warmUp, double maxFailedPercent) {

    /** Maximum number of users at one time. */
    public static final int MAX_USERS = 20_000;

    /** Warm-up time of all workloads, as observed on two shared cores. For announcements only. */
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    /** Pause between two stages, in which users leave and the compiler's queue is checked. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** One stage out of this number is measured again: two of 16 in runs on two shared cores. */
    private static final int AGAIN = 8;

    /**
     * Time to start the generator, plus the time from the end of the load to the page, including the generator's
     * report.
     */
    private static final Duration PAGE = Duration.ofSeconds(25);

    /** Returns this plan with the requests of a user's own simulation, under these names, instead of its workloads. */
    public LoadPlan of(List<String> names) {
        List<Workload> own = names.stream()
                .map(name -> new Workload(name, "/", 0, Workload.ANY_LENGTH))
                .toList();
        return new LoadPlan(own, model, warmUp, maxFailedPercent);
    }

    /**
     * Returns the maximum number of users at one time, including warm-up. Each needs a connection. A guess in the open
     * model.
     */
    public int mostUsers() {
        int measured = model instanceof Closed closed
                ? Collections.max(closed.users())
                : (int) Math.min(MAX_USERS, Math.ceil(((Open) model).rate()));
        return warmUp.isWanted() ? Math.max(measured, warmUp.users()) : measured;
    }

    /** Returns the number of stages: each workload at each number of users, or at the rate. */
    public int stages() {
        return workloads.size()
                * (model instanceof Closed closed ? closed.users().size() : 1);
    }

    /** Returns the time under load of this number of stages; empty if they end after a number of requests. */
    private Optional<Duration> load(int stages) {
        Optional<Duration> stage = Optional.empty();
        if (model instanceof Open open) {
            stage = Optional.of(open.hold());
        } else if (model instanceof Closed closed && closed.amount() instanceof Hold hold) {
            stage = Optional.of(closed.rampUp().plus(hold.time()));
        }
        return stage.map(one -> one.multipliedBy(stages));
    }

    /** Returns the time until the end of the run, including its page, when this number of stages is left. */
    private Optional<Duration> left(int stages) {
        return load(stages).map(all -> all.plus(all.dividedBy(AGAIN))
                .plus(PAUSE.multipliedBy(stages))
                .plus(PAGE));
    }

    /**
     * Returns how long a run will take once its server is up:
     * {@code about 3 min 24 s, until 14:32 (30 s of warm-up, 2 min 24 s of load)}.
     *
     * @param now time of day
     * @return empty if stages end after a number of requests
     */
    public Optional<String> announcement(LocalTime now) {
        Duration before = warmUp.limit().compareTo(WARM_UP) < 0 ? warmUp.limit() : WARM_UP;
        return left(stages())
                .map(left -> until(left.plus(before), now) + " ("
                        + (warmUp.isWanted() ? words(before) + " of warm-up, " : "")
                        + words(load(stages()).orElseThrow()) + " of load)");
    }

    /**
     * Returns the progress of a run: {@code [3/16] hello 500 users, about 2 min 34 s, until 14:32}.
     *
     * @param stage number of the stage, from 1
     */
    public String progress(int stage, String name, LocalTime now) {
        return "[" + stage + "/" + stages() + "] " + name
                + left(stages() - stage + 1)
                        .map(left -> ", " + until(left, now))
                        .orElse("");
    }

    private static String until(Duration left, LocalTime now) {
        return "about " + words(left) + ", until " + now.plus(left).format(DateTimeFormatter.ofPattern("HH:mm"));
    }

    private static String words(Duration time) {
        return time.toMinutes() == 0
                ? time.toSeconds() + " s"
                : time.toMinutes() + " min " + time.toSecondsPart() + " s";
    }
}
