package org.servletbench.bench.reproduce;

import java.util.List;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.model.UsageException;

/**
 * How much of an experiment is run: counts, times and blocks are multiplied. Below {@link #TRIAL} it is a trial of
 * everything and a measurement of nothing: two blocks, windows of two seconds, no A/A control.
 *
 * @param factor above 0, up to 1
 */
public record Scale(double factor) {

    /** Everything as it stands in the article's file. */
    public static final Scale FULL = new Scale(1);
    /** Below this it is a trial. */
    public static final double TRIAL = 0.1;

    private static final int LEAST_SECONDS = 3;
    private static final int TRIAL_SECONDS = 2;
    private static final int LEAST_WARM_UP_SECONDS = 10;
    private static final int TRIAL_WARM_UP_SECONDS = 2;

    /** @throws UsageException if the factor is outside its range */
    public Scale {
        if (!(factor > 0 && factor <= 1)) {
            throw new UsageException("--scale " + factor + ": give a number above 0, up to 1");
        }
    }

    /** Whether it only tries whether everything works. */
    public boolean isTrial() {
        return factor < TRIAL;
    }

    /** Whether anything is less than in the article's file. */
    public boolean isReduced() {
        return factor < 1;
    }

    /** A window, s. */
    public int seconds(int whole) {
        return Math.min(whole, isTrial() ? TRIAL_SECONDS : Math.max(LEAST_SECONDS, (int) Math.round(whole * factor)));
    }

    /** The longest warm-up of a server, s. */
    public int warmUpSeconds(int whole) {
        return Math.min(
                whole,
                isTrial() ? TRIAL_WARM_UP_SECONDS : Math.max(LEAST_WARM_UP_SECONDS, (int) Math.round(whole * factor)));
    }

    /** Requests, or rounds of each user. */
    public long count(long whole) {
        return Math.max(1, Math.round(whole * factor));
    }

    /** Blocks: an interval needs two. */
    public int blocks(int whole) {
        return isTrial() ? 2 : Math.max(2, (int) Math.round(whole * factor));
    }

    /** A load with its counts and times. Numbers of users stay. */
    public RerunPlan.Stage apply(RerunPlan.Stage load) {
        int most = load.users().stream().mapToInt(Integer::intValue).max().orElse(1);
        return new RerunPlan.Stage(
                load.variant(),
                load.workload(),
                load.arms(),
                load.users(),
                load.loops().stream().map(loops -> (int) count(loops)).toList(),
                load.requests() == null ? null : (int) Math.max(most, count(load.requests())),
                load.durationSeconds() == null ? null : (Integer) seconds(load.durationSeconds()),
                load.rampUpSeconds(),
                load.maxPauseSeconds(),
                load.threads(),
                load.keepAlive(),
                load.options());
    }

    /** Loads of a trial that decide nothing are cut to their first number of users. */
    public List<Integer> users(RerunPlan.Stage load) {
        boolean onlyShown = isTrial() && load.maxPauseSeconds() > 0;
        return onlyShown ? load.users().subList(0, 1) : load.users();
    }
}
