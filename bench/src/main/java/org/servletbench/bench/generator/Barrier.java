package org.servletbench.bench.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Makes the generators of several load hosts wait for each other before a load. Each prints on its standard output that
 * it is ready. Then servlet-bench writes a file next to each schedule that says when the load begins, by that host's
 * clock. Its counterpart in servlet-bench is {@code HostCoordinator}.
 */
public final class Barrier {

    /** Prefix in a generator's output, followed by the number of the load that it is ready for. */
    public static final String READY = "servlet-bench: ready ";

    /** Interval at which a generator looks for the file, ms. */
    private static final long LOOK_MS = 5;

    private final int number;
    private final Path file;
    private final LongSupplier clock;
    private volatile long beginMs;

    /**
     * @param folder folder with the schedule
     * @param number number of the load, from 0; interleavings come first, then windows
     * @param clock returns ms since the epoch
     */
    public Barrier(Path folder, int number, LongSupplier clock) {
        this.number = number;
        this.file = folder.resolve(file(number));
        this.clock = clock;
    }

    /** True if the generators of this schedule wait for each other. */
    public static boolean isWanted() {
        return Boolean.getBoolean("servlet-bench.together");
    }

    /** Returns the JVM option that makes generators wait. */
    public static String option() {
        return "-Dservlet-bench.together=true";
    }

    /** Returns the name of the file with the time at which a load begins. */
    public static String file(int number) {
        return "begin-" + number + ".json";
    }

    /** Reports that this generator is ready for the load. */
    public void ready() {
        System.out.println(READY + number);
    }

    /** Returns the time until the next call of {@link #isOpen}, ms, at least 1. */
    public long waitMs() {
        return beginMs == 0 ? LOOK_MS : Math.max(1, beginMs - clock.getAsLong());
    }

    public boolean isOpen() throws IOException {
        if (beginMs == 0 && Files.exists(file)) {
            beginMs = Long.parseLong(Files.readString(file).strip());
        }
        return beginMs != 0 && clock.getAsLong() >= beginMs;
    }

    /** Returns when the load began, ms since the epoch; 0 while that is unknown. */
    public long beginMs() {
        return beginMs;
    }
}
