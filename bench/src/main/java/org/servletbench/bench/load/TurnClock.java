package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.servletbench.bench.load.Schedule.Turns;
import org.servletbench.bench.measure.Rotation;

/**
 * Tells the users of a generator where to send the next request: first in turns that are not counted, in which the servers'
 * throughput is seen, then in the turns of a {@link Rotation}. Its users ask it in their loops, from several threads.
 */
public final class TurnClock {

    /** Turns that are not counted are of this length, or two rounds of them fill their time, ms. */
    private static final long SETTLE_TURN_MS = 500;
    /** Between the end of the settling and the first turn, ms: whoever watches gets ready. */
    private static final long NOTICE_MS = 200;
    /** So often it looks for the turns of all load hosts, ms. */
    private static final long LOOK_MS = 5;

    /** What it prints before the length of turn, ms, and the name of a load whose turns others set. */
    static final String SETTLED = "servlet-bench: settled ";

    private final Turns turns;
    private final LongSupplier clock;
    /** Of the turns that others set; empty: these are set here. */
    private final Optional<Path> common;

    /** By stop. */
    private final LongAdder[] answers;

    private final long settleTurnMs;
    private volatile long settleFromMs;
    private volatile long countAnswersFromMs;
    /** By so much the turns that are not counted last longer than planned, ms. */
    private volatile long extraMs;

    private long[] answersBefore = {};
    private volatile Rotation rotation;
    private volatile int[] order = {};
    private final AtomicBoolean told = new AtomicBoolean();
    /** Whether the length that a turn should have here was told. */
    private volatile boolean proposed;

    /**
     * @param clock ms since the epoch, never set while the load runs
     * @param folder gets the file of the turns that all load hosts take; empty where there are no others
     */
    public TurnClock(Turns turns, LongSupplier clock, Optional<Path> folder) {
        this.turns = turns;
        this.clock = clock;
        this.common = folder.map(one -> Schedule.rotationFile(one, turns.name()));
        this.answers = turns.stops().stream().map(stop -> new LongAdder()).toArray(LongAdder[]::new);
        this.settleTurnMs = Math.max(
                1,
                Math.min(SETTLE_TURN_MS, turns.settleMs() / (2L * turns.stops().size())));
    }

    /** The first user begins; the others call it for nothing. */
    public void begin() {
        begin(clock.getAsLong());
    }

    /** The same on several load hosts. @param ms when all of them began, ms since the epoch */
    public synchronized void begin(long ms) {
        if (settleFromMs == 0) {
            settleFromMs = ms;
        }
    }

    /** Whether the turns that are not counted are over, so that {@link #rotation} is known. */
    public boolean isSettled() {
        if (rotation != null) {
            return true;
        }
        long now = clock.getAsLong();
        if (countAnswersFromMs == 0 && now >= settleFromMs + turns.rampUpMs() + turns.settleMs() / 2) {
            halfSettled(now);
        }
        if (now >= settledMs() && !proposed) {
            settle(now);
        }
        return rotation != null;
    }

    /** {@link #isSettled}, but true only once: one of the users tells the others' turns. */
    public boolean hasJustSettled() {
        return isSettled() && told.compareAndSet(false, true);
    }

    private long settledMs() {
        return settleFromMs + turns.rampUpMs() + turns.settleMs() + extraMs;
    }

    private synchronized void halfSettled(long now) {
        if (countAnswersFromMs == 0) {
            answersBefore = sums();
            countAnswersFromMs = now;
        }
    }

    private synchronized void settle(long now) {
        if (rotation == null && now >= settledMs()) {
            long[] sums = sums();
            // Each had the users for its share of the time.
            double eachMs = Math.max(1, now - countAnswersFromMs) / (double) sums.length;
            long fewest = Long.MAX_VALUE;
            for (int stop = 0; stop < sums.length; stop++) {
                fewest = Math.min(fewest, sums[stop] - (answersBefore.length == 0 ? 0 : answersBefore[stop]));
            }
            // So few answers may be those before or after a pause of the machine, and would make turns as long as they
            // can be.
            if (fewest < Math.min(turns.users(), Turns.FEW) && extraMs < Turns.MOST_SETTLES * turns.settleMs()) {
                answersBefore = sums;
                countAnswersFromMs = now;
                extraMs += turns.settleMs();
                return;
            }
            long turnMs = turnMs(fewest / eachMs);
            if (common.isEmpty()) {
                set(turns.rotation(turnMs, now + NOTICE_MS));
            } else if (!proposed) {
                proposed = true;
                System.out.println(SETTLED + turnMs + " " + turns.name());
                Thread reader = new Thread(() -> awaitCommon(common.get()), "servlet-bench-turns");
                reader.setDaemon(true);
                reader.start();
            }
        }
    }

    private synchronized void set(Rotation made) {
        order = made.order();
        rotation = made;
    }

    /** The load goes on in turns that are not counted. */
    private void awaitCommon(Path file) {
        try {
            while (!Files.exists(file)) {
                Thread.sleep(LOOK_MS);
            }
            Rotation made = Schedule.readRotation(file);
            if (clock.getAsLong() >= made.originMs()) {
                throw new IOException("the turns began before this host knew of them");
            }
            set(made);
        } catch (IOException e) {
            // Without it this generator never ends; the rig reads why.
            System.out.println("servlet-bench: " + e);
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Long against the time in which what is under way at the slowest server is answered: {@value Rotation#DRAINS} times users /
     * throughput.
     */
    private long turnMs(double requestsPerMs) {
        double drains = Rotation.DRAINS * turns.users() / requestsPerMs;
        return Math.max(turns.turnMs(), (long) Math.min(Turns.LONGEST_MS, Math.ceil(drains)));
    }

    private long[] sums() {
        return Arrays.stream(answers).mapToLong(LongAdder::sum).toArray();
    }

    /** The turns; null until {@link #isSettled}. */
    public Rotation rotation() {
        return rotation;
    }

    public boolean isRunning() {
        return rotation == null || clock.getAsLong() < rotation.endMs();
    }

    /**
     * Where the next request goes.
     *
     * @return index of a stop; that plus the number of stops when it is of the rotation, and so to be logged
     */
    public int next() {
        int stops = turns.stops().size();
        Rotation known = rotation;
        long now = clock.getAsLong();
        long turn = known == null ? -1 : known.turnAt(now);
        if (turn >= order.length) {
            // It ended between two looks at the clock; what is still sent is past the end and counted nowhere.
            return stops + order[order.length - 1];
        }
        return turn >= 0 ? stops + order[(int) turn] : (int) Math.floorMod((now - settleFromMs) / settleTurnMs, stops);
    }

    /** A request to this stop was answered. */
    public void answered(int stop) {
        answers[stop].increment();
    }

    /** Milliseconds since the epoch that only ever go forward, as Gatling's own clock does it. */
    public static LongSupplier steadyClock() {
        long reference = System.currentTimeMillis();
        long nanos = System.nanoTime();
        return () -> reference + (System.nanoTime() - nanos) / 1_000_000;
    }
}
