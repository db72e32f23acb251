package org.servletbench.bench.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.generator.Schedule.Turns;
import org.servletbench.bench.measure.Rotation;

/**
 * Directs the users of a generator to the server of their next request: first in turns that are not counted, whose answers it
 * reports, until servlet-bench sets the turns of a {@link Rotation}: see {@code Stabilization}. After these it continues for a
 * time, uncounted. Its users ask it in their loops, from several threads.
 */
public final class TurnClock {

    /** Message of a generator that read its turns too late: {@code Worker} knows it. */
    public static final String LATE = "the turns began before this generator knew of them";

    /** Longest turn that is not counted, ms; shorter if each server needs one in a part of the settling. */
    private static final long SETTLE_TURN_MS = 500;
    /** Interval at which it looks for the turns that servlet-bench sets, ms. */
    private static final long LOOK_MS = 5;

    private final Turns turns;
    private final LongSupplier clock;
    private final Path folder;
    private final Consumer<String> say;

    /** By stop. */
    private final LongAdder[] answers;

    /** Users who have not started at a server yet, summed over the servers with one-time requests. */
    private long awaited;

    private final long settleTurnMs;
    private volatile long settleFromMs;
    private long partFromMs;
    private volatile long partEndMs;
    private long[] answersBefore;
    private volatile Rotation rotation;
    private volatile int[] order = {};

    /**
     * @param clock ms since the epoch, never set while the load runs
     * @param folder gets the file of the turns
     */
    public TurnClock(Turns turns, LongSupplier clock, Path folder) {
        this(turns, clock, folder, System.out::println);
    }

    /**
     * Creates one with another listener than the standard output.
     *
     * @param say gets a line when a part of the settling is over
     */
    public TurnClock(Turns turns, LongSupplier clock, Path folder, Consumer<String> say) {
        this.turns = turns;
        this.clock = clock;
        this.folder = folder;
        this.say = say;
        this.answers = turns.stops().stream().map(stop -> new LongAdder()).toArray(LongAdder[]::new);
        this.answersBefore = new long[answers.length];
        this.awaited = turns.users()
                * turns.stops().stream().filter(Schedule.Stop::hasOnce).count();
        this.settleTurnMs = Math.max(1, Math.min(SETTLE_TURN_MS, turns.partMs() / answers.length));
    }

    /** Starts with the first user; calls of the others have no effect. */
    public void begin() {
        begin(clock.getAsLong());
    }

    /** Starts on several load hosts. @param ms common start, ms since the epoch */
    public synchronized void begin(long ms) {
        if (settleFromMs == 0) {
            partFromMs = ms;
            partEndMs = ms + turns.rampUpMs() + turns.partMs();
            settleFromMs = ms;
            Thread reader = new Thread(this::awaitRotation, "servlet-bench-turns");
            reader.setDaemon(true);
            reader.start();
        }
    }

    private synchronized void endPart(long now) {
        // A user whose login always fails is waited for no longer than anything else.
        boolean begun = awaited <= 0 || now - settleFromMs >= turns.rampUpMs() + turns.longestSettleMs();
        if (rotation == null && begun && now >= partEndMs) {
            long[] sums = Arrays.stream(answers).mapToLong(LongAdder::sum).toArray();
            say.accept(Schedule.PART + (now - partFromMs) + " "
                    + IntStream.range(0, sums.length)
                            .mapToObj(stop -> Long.toString(sums[stop] - answersBefore[stop]))
                            .collect(Collectors.joining(","))
                    + " " + turns.name());
            answersBefore = sums;
            partFromMs = now;
            partEndMs = now + turns.partMs();
        }
    }

    private void awaitRotation() {
        Path file = Schedule.rotationFile(folder, turns.name());
        try {
            while (!Files.exists(file)) {
                Thread.sleep(LOOK_MS);
            }
            Rotation made = Schedule.readRotation(file);
            if (clock.getAsLong() >= made.originMs()) {
                throw new IOException(LATE);
            }
            order = made.order();
            rotation = made;
        } catch (IOException e) {
            // Without this message the generator never ends; servlet-bench reads the reason.
            System.out.println("servlet-bench: " + e);
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the turns; null until they are set. */
    public Rotation rotation() {
        return rotation;
    }

    public boolean isRunning() {
        return rotation == null || clock.getAsLong() < rotation.endMs() + turns.afterMs();
    }

    /**
     * Returns the destination of the next request.
     *
     * @return index of a stop; plus the number of stops if the request belongs to the rotation, and so is logged
     */
    public int next() {
        int stops = turns.stops().size();
        Rotation known = rotation;
        long now = clock.getAsLong();
        long turn = known == null ? -1 : known.turnAt(now);
        return turn >= 0 && turn < order.length
                ? stops + order[(int) turn]
                : (int) Math.floorMod((now - settleFromMs) / settleTurnMs, stops);
    }

    /**
     * A user has sent its one-time requests to a server. Until all users have done that at all servers no part ends: logins, which
     * take long, would otherwise be counted, and would lengthen the turns.
     */
    public synchronized void begun() {
        awaited--;
        if (awaited == 0) {
            answersBefore = Arrays.stream(answers).mapToLong(LongAdder::sum).toArray();
            partFromMs = clock.getAsLong();
            partEndMs = Math.max(partEndMs, partFromMs + turns.partMs());
        }
    }

    /** Counts an answer from this stop before the first turn, except to one-time requests. */
    public void answered(int stop) {
        answers[stop].increment();
        if (rotation == null) {
            long now = clock.getAsLong();
            if (now >= partEndMs) {
                endPart(now);
            }
        }
    }

    /** Returns milliseconds since the epoch that never go back, like Gatling's own clock. */
    public static LongSupplier steadyClock() {
        long reference = System.currentTimeMillis();
        long nanos = System.nanoTime();
        return () -> reference + (System.nanoTime() - nanos) / 1_000_000;
    }
}
