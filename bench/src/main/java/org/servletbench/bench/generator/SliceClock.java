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
import org.servletbench.bench.generator.Schedule.InterleavedLoad;
import org.servletbench.bench.measure.Interleaving;

/**
 * Directs the users of a generator to the server of their next request. At first, it uses time slices that are not
 * counted, and reports the number of answers in them, until servlet-bench sets the time slices of an
 * {@link Interleaving} (see {@code Stabilization}). After these, it continues for a time, uncounted. Its users call it
 * in their loops, from several threads.
 */
public final class SliceClock {

    /** Message of a generator that read its time slices too late. {@code Worker} recognises it. */
    public static final String LATE = "the time slices began before this generator knew of them";

    /**
     * Maximum length of a time slice that is not counted, ms. It is shorter if each server needs one in a part of the
     * settling.
     */
    private static final long SETTLING_SLICE_MS = 500;
    /** Interval at which it looks for the time slices that servlet-bench sets, ms. */
    private static final long LOOK_MS = 5;

    private final InterleavedLoad timeSlices;
    private final LongSupplier clock;
    private final Path folder;
    private final Consumer<String> say;

    /** Number of answers by the index of the server. */
    private final LongAdder[] answers;

    /** Number of users who have not started at a server yet, summed over the servers with one-time requests. */
    private long awaited;

    private final long settlingSliceMs;
    private volatile long settlingFromMs;
    private long partFromMs;
    private volatile long partEndMs;
    private long[] answersBefore;
    private volatile Interleaving interleaving;
    private volatile int[] order = {};

    /**
     * @param clock returns ms since the epoch, and is never set while the load runs
     * @param folder folder in which the file of the time slices will be
     */
    public SliceClock(InterleavedLoad timeSlices, LongSupplier clock, Path folder) {
        this(timeSlices, clock, folder, System.out::println);
    }

    /**
     * Creates a clock with another listener than the standard output.
     *
     * @param say receives a line when a part of the settling is over
     */
    public SliceClock(InterleavedLoad timeSlices, LongSupplier clock, Path folder, Consumer<String> say) {
        this.timeSlices = timeSlices;
        this.clock = clock;
        this.folder = folder;
        this.say = say;
        this.answers =
                timeSlices.endpoints().stream().map(endpoint -> new LongAdder()).toArray(LongAdder[]::new);
        this.answersBefore = new long[answers.length];
        this.awaited = timeSlices.users()
                * timeSlices.endpoints().stream()
                        .filter(Schedule.Endpoint::hasOnce)
                        .count();
        this.settlingSliceMs = Math.max(1, Math.min(SETTLING_SLICE_MS, timeSlices.partMs() / answers.length));
    }

    /** Starts with the first user. Calls by other users have no effect. */
    public void begin() {
        begin(clock.getAsLong());
    }

    /**
     * Starts on several load hosts.
     *
     * @param ms common start, ms since the epoch
     */
    public synchronized void begin(long ms) {
        if (settlingFromMs == 0) {
            partFromMs = ms;
            partEndMs = ms + timeSlices.rampUpMs() + timeSlices.partMs();
            settlingFromMs = ms;
            Thread reader = new Thread(this::awaitInterleaving, "servlet-bench-slices");
            reader.setDaemon(true);
            reader.start();
        }
    }

    private synchronized void endPart(long now) {
        // If a user's login always fails, the wait for this user is limited like all others.
        boolean begun = awaited <= 0 || now - settlingFromMs >= timeSlices.rampUpMs() + timeSlices.longestSettlingMs();
        if (interleaving == null && begun && now >= partEndMs) {
            long[] sums = Arrays.stream(answers).mapToLong(LongAdder::sum).toArray();
            say.accept(Schedule.PART + (now - partFromMs) + " "
                    + IntStream.range(0, sums.length)
                            .mapToObj(endpoint -> Long.toString(sums[endpoint] - answersBefore[endpoint]))
                            .collect(Collectors.joining(","))
                    + " " + timeSlices.name());
            answersBefore = sums;
            partFromMs = now;
            partEndMs = now + timeSlices.partMs();
        }
    }

    private void awaitInterleaving() {
        Path file = Schedule.interleavingFile(folder, timeSlices.name());
        try {
            while (!Files.exists(file)) {
                Thread.sleep(LOOK_MS);
            }
            Interleaving made = Schedule.readInterleaving(file);
            if (clock.getAsLong() >= made.originMs()) {
                throw new IOException(LATE);
            }
            order = made.order();
            interleaving = made;
        } catch (IOException e) {
            // Without this message, the generator would never end. servlet-bench reads the reason.
            System.out.println("servlet-bench: " + e);
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the time slices; null until they are set. */
    public Interleaving interleaving() {
        return interleaving;
    }

    public boolean isRunning() {
        return interleaving == null || clock.getAsLong() < interleaving.endMs() + timeSlices.afterMs();
    }

    /**
     * Returns the destination of the next request.
     *
     * @return index of a server; if the request belongs to the interleaving and is therefore logged, plus the number of
     *     servers
     */
    public int next() {
        int endpoints = timeSlices.endpoints().size();
        Interleaving known = interleaving;
        long now = clock.getAsLong();
        long timeSlice = known == null ? -1 : known.timeSliceAt(now);
        return timeSlice >= 0 && timeSlice < order.length
                ? endpoints + order[(int) timeSlice]
                : (int) Math.floorMod((now - settlingFromMs) / settlingSliceMs, endpoints);
    }

    /**
     * Reports that a user has sent its one-time requests to a server. No part ends until all users have done so at all
     * servers, because the logins, which take long, would otherwise be counted, and would lengthen the time slices.
     */
    public synchronized void begun() {
        awaited--;
        if (awaited == 0) {
            answersBefore = Arrays.stream(answers).mapToLong(LongAdder::sum).toArray();
            partFromMs = clock.getAsLong();
            partEndMs = Math.max(partEndMs, partFromMs + timeSlices.partMs());
        }
    }

    /** Counts an answer from this server before the first time slice, except for one-time requests. */
    public void answered(int endpoint) {
        answers[endpoint].increment();
        if (interleaving == null) {
            long now = clock.getAsLong();
            if (now >= partEndMs) {
                endPart(now);
            }
        }
    }

    /** Returns a clock in milliseconds since the epoch that never goes back, like Gatling's own clock. */
    public static LongSupplier steadyClock() {
        long reference = System.currentTimeMillis();
        long nanos = System.nanoTime();
        return () -> reference + (System.nanoTime() - nanos) / 1_000_000;
    }
}
