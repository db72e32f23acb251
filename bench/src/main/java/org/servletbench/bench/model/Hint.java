package org.servletbench.bench.model;

import java.util.Optional;

/**
 * A hint on what to do about a {@link Warning}, with the wording and options of the place where the warning is read.
 */
public enum Hint {
    QUIET(
            "stop other programs",
            "stop other programs",
            "load the server again when no other program runs there",
            "measure again when nothing else runs"),
    OTHER_HOUR(null, null, null, "if it was the host, measure at another hour or on another machine"),
    WARM_UP_AT_ALL("leave out -Dwarmup=0s", null, null, null),
    LONGER_WARM_UP(
            "allow a longer warm-up: -Dwarmup=10m",
            null,
            null,
            "allow a longer warm-up (--set measure.warmup=10m) and a --limit to match"),
    LONGER_LOAD(
            "hold each number of users longer: -Dhold=60s, or more loops with -Dloops",
            "let the plan's load last longer",
            "let the load last longer",
            "measure each server for longer: --set measure.hold=60s"),
    FEWER_USERS(
            "use fewer users, for instance -Dusers=100",
            "use fewer threads in the plan",
            "use fewer users",
            "use fewer users (users of the load)"),
    LOWER_RATE(
            "use a lower -Drate",
            "use a lower rate in the plan's timer",
            "use a lower rate",
            "use a lower rate (rates of the load)"),
    MORE_GENERATOR(
            null,
            null,
            null,
            "use a generator that needs less CPU time (--set measure.generators=wrk), or more machines for it (measure.load-hosts)"),
    READ_FAILURES(
            "read the kinds of failure in measured.txt, and server.log",
            "read the kinds of failure in measured.txt, and server.log",
            "read the kinds of failure in the table, and the server's log",
            "read server.log in the block's folder"),
    READ_SERVER_LOG(
            "read server.log", "read server.log", "read the server's log", "read server.log in the block's folder"),
    READ_GENERATOR_LOG(
            "read measured.txt, and the generator's own log",
            "read measured.txt, and jmeter.log",
            "read the generator's own log",
            "read the generator's own log in the block's folder"),
    AGAIN("run again", "run again", "run the load again", "nothing: the block is measured again automatically"),
    ONE_LISTENER(
            "run again",
            "let only one listener write the results: the plan's or servlet-bench's",
            "let only one listener write the log, and save the column Hostname",
            null),
    QUOTED_TEXT("run again", "run again", "measure the log as JMeter wrote it: it has quotes around line breaks", null),
    LONGER_SLICES(null, null, null, "give longer time slices (--set measure.slice=1s)"),
    FIXED_RATE(null, null, null, "give each server the same number of requests: rates instead of users"),
    AT_A_RATE(
            "measure at a fixed rate, too (the open model)",
            "send at a fixed rate, with an Open Model Thread Group",
            "send at a fixed rate, too",
            "measure at fixed rates, too (rates of the load)"),
    RESET(null, null, null, "give the workload a reset that deletes what was created"),
    USERS_WITH_COOKIES(
            null,
            null,
            null,
            "use Gatling or JMeter with users: a user keeps its cookies (on a target host with --set measure.together=false)"),
    WHOLE_WINDOWS(
            null,
            null,
            null,
            "measure whole windows (--set measure.slice=0s) that are longer (--set measure.hold=60s)"),
    PRE_TOUCHED_HEAP(null, null, null, "leave measure.pre-touch at true"),
    LONGER_QUEUE(null, null, null, "give a longer accept queue (the settings 'equalised', net.core.somaxconn)"),
    OWN_SCHEDULER_GROUPS(null, null, null, "sysctl kernel.sched_autogroup_enabled=1; run doctor for more"),
    COMPLETE_GENERATOR(null, null, null, "take response times from Gatling or JMeter"),
    LOWER_SEARCH(null, null, null, "search from a lower rate (from of the load)");

    /** Places where a warning is read. */
    public enum Where {
        /** A run of {@code gatling:test} or {@code -Pjmeter}. */
        RUN,
        /** A run of {@code -Pjmeter} with {@code -Djmeter.plan}, whose load is in the plan. */
        OWN_PLAN,
        /** A log of a run by another tool, read by {@code measure}. */
        LOG,
        CAMPAIGN
    }

    private final String inRun;
    private final String inOwnPlan;
    private final String ofLog;
    private final String inCampaign;

    /** Each text is null if the hint does not help in this place, or is impossible there. */
    Hint(String inRun, String inOwnPlan, String ofLog, String inCampaign) {
        this.inRun = inRun;
        this.inOwnPlan = inOwnPlan;
        this.ofLog = ofLog;
        this.inCampaign = inCampaign;
    }

    public Optional<String> words(Where where) {
        return Optional.ofNullable(
                switch (where) {
                    case RUN -> inRun;
                    case OWN_PLAN -> inOwnPlan;
                    case LOG -> ofLog;
                    case CAMPAIGN -> inCampaign;
                });
    }
}
