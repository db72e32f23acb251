package org.servletbench.bench.model;

import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.LoadModel.Amount;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Loops;
import org.servletbench.bench.model.LoadModel.Open;

/**
 * The task of a generator, the same for every generator: warm up, then run every workload in every tier.
 *
 * @param workloads in the order in which they run
 * @param maxFailedPercent more failed requests than this, in percent, in any load fail the run
 */
public record LoadPlan(List<Workload> workloads, LoadModel model, WarmUpPlan warmUp, double maxFailedPercent) {

    private static final int MAX_USERS = 20_000;

    /** Warm-up time of all workloads, as seen on two shared cores; for announcements only. */
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    /** Pause between two stages: users leave, and the compiler's queue is checked. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** One stage out of this number is measured once more: two of 16 in runs on two shared cores. */
    private static final int AGAIN = 8;

    /** Time to start the generator, and from the end of the load to the page, including the generator's report. */
    private static final Duration PAGE = Duration.ofSeconds(25);

    /** Returns the plan for these options; throws a UsageException if a value is not understood, or two contradict each other. */
    public static LoadPlan of(Options options, ProfilesFolder folder) {
        return new LoadPlan(
                workloads(options, folder),
                model(options),
                WarmUpPlan.of(options, options.duration("warmup")),
                maxFailedPercent(options));
    }

    /** An objective's limit of errors is judged separately, without the ramps. */
    private static double maxFailedPercent(Options options) {
        double percent = options.decimal("failed.max.percent", 0, 100);
        if (Slo.of(options).filter(Slo::limitsErrors).isEmpty()) {
            return percent;
        }
        refuse(options, "failed.max.percent", "errors<… of -Dslo is the limit of failed requests");
        return 100;
    }

    /** Returns this plan with the requests that a user's own simulation sends, under these names, instead of the workloads. */
    public LoadPlan of(List<String> names) {
        List<Workload> own = names.stream()
                .map(name -> new Workload(name, "/", 0, Workload.ANY_LENGTH))
                .toList();
        return new LoadPlan(own, model, warmUp, maxFailedPercent);
    }

    /** Returns the largest number of users at one time, including warm-up: each needs a connection. In the open model a guess. */
    public int mostUsers() {
        int measured = model instanceof Closed closed
                ? Collections.max(closed.users())
                : (int) Math.min(MAX_USERS, Math.ceil(((Open) model).rate()));
        return warmUp.isWanted() ? Math.max(measured, warmUp.users()) : measured;
    }

    /** Returns the number of stages: each workload in each tier, or at the rate. */
    public int stages() {
        return workloads.size()
                * (model instanceof Closed closed ? closed.users().size() : 1);
    }

    /** Returns the time of this number of stages under load; empty if they end after a number of requests. */
    private Optional<Duration> load(int stages) {
        Optional<Duration> stage = Optional.empty();
        if (model instanceof Open open) {
            stage = Optional.of(open.hold());
        } else if (model instanceof Closed closed && closed.amount() instanceof Hold hold) {
            stage = Optional.of(closed.rampUp().plus(hold.time()));
        }
        return stage.map(one -> one.multipliedBy(stages));
    }

    /** Returns the time from the start of this number of stages to the end of the run, including its page. */
    private Optional<Duration> left(int stages) {
        return load(stages).map(all -> all.plus(all.dividedBy(AGAIN))
                .plus(PAUSE.multipliedBy(stages))
                .plus(PAGE));
    }

    /**
     * Returns how long a run will take once its server is up: {@code about 3 min 24 s, until 14:32 (30 s of warm-up, 2 min 24 s of
     * load)}.
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

    /** Returns the progress of a run, stages counted from 1: {@code [3/16] hello 500 users, about 2 min 34 s, until 14:32}. */
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

    private static List<Workload> workloads(Options options, ProfilesFolder folder) {
        List<Workload> chosen = Workload.chosen(
                options, folder.allWorkloads(), folder.usualWorkloads(), " (profiles/workloads.properties)");
        return chosen;
    }

    private static LoadModel model(Options options) {
        String model = options.text("model").orElse("closed");
        return switch (model) {
            case "closed" -> {
                refuse(options, "rate", "the closed model has no rate: add -Dmodel=open, or ask for -Dusers=…");
                yield closed(options);
            }
            case "open" -> {
                refuse(options, "users", "the open model has no users: it sends -Drate=… requests/s");
                refuse(options, "loops", "the open model has no loops: it sends -Drate=… requests/s for -Dhold=…");
                if (!options.isGiven("rate")) {
                    throw new UsageException("-Dmodel=open needs a rate in requests/s, such as -Drate=200");
                }
                double rate = options.decimal("rate", 0.1, 1_000_000);
                if (!Load.canName(rate)) {
                    throw new UsageException(
                            "-Drate=" + rate + ": logs name the rate with at most 9 decimals; round it");
                }
                yield new Open(rate, positive(options, "hold"));
            }
            default -> throw new UsageException("-Dmodel=" + model + " is not understood: give closed or open");
        };
    }

    private static Closed closed(Options options) {
        List<Integer> users = options.requireDistinct("users", options.integers("users", 1, MAX_USERS));
        Duration rampUp = positive(options, "rampup");
        if (rampUp.compareTo(Duration.ofSeconds(1)) < 0) {
            // Gatling would never start a user then, and never end.
            throw new UsageException("-Drampup: give at least 1s: Gatling starts users second by second");
        }
        return new Closed(users, rampUp, amount(options, users.size()));
    }

    private static Amount amount(Options options, int users) {
        if (!options.isGiven("loops")) {
            return new Hold(positive(options, "hold"));
        }
        refuse(options, "hold", "-Dloops ends a load by requests and -Dhold by time: give one of them");
        List<Integer> loops = options.integers("loops", 1, 1_000_000_000);
        if (loops.size() == 1) {
            return new Loops(Collections.nCopies(users, loops.get(0)));
        }
        if (loops.size() != users) {
            throw new UsageException("-Dloops has " + loops.size() + " values for " + users
                    + " users: give one for all, or one for each");
        }
        return new Loops(loops);
    }

    private static void refuse(Options options, String name, String why) {
        if (options.isGiven(name)) {
            throw new UsageException("-D" + name + " cannot be used here: " + why);
        }
    }

    static Duration positive(Options options, String name) {
        Duration duration = options.duration(name);
        if (duration.isZero()) {
            throw new UsageException("-D" + name + " must be longer than zero");
        }
        return duration;
    }
}
