package org.servletbench.bench.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Makes the generators of several load hosts wait for each other before a load. Each prints on its standard output that it is
 * ready; servlet-bench then writes next to each schedule when the load begins, by that host's clock. The counterpart in
 * servlet-bench is {@code HostCoordinator}.
 */
public final class Barrier {

    /** Prefix of the number of the load that a generator is ready for, in its output. */
    public static final String READY = "servlet-bench: ready ";

    /** Interval at which a generator looks for the file, ms. */
    private static final long LOOK_MS = 5;

    private final int number;
    private final Path file;
    private final LongSupplier clock;
    private volatile long beginMs;

    /**
     * @param folder with the schedule
     * @param number of the load: interleavings first, then windows, from 0
     * @param clock ms since the epoch
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

    /** Returns the option of a JVM that turns this on. */
    public static String option() {
        return "-Dservlet-bench.together=true";
    }

    /** Returns the name of the file with the time at which a load begins. */
    public static String file(int number) {
        return "begin-" + number + ".json";
    }

    /** Reports that this generator has nothing else to do. */
    public void ready() {
        System.out.println(READY + number);
    }

    /** Returns the time until {@link #isOpen} should be asked again, ms, at least 1. */
    public long waitMs() {
        return beginMs == 0 ? LOOK_MS : Math.max(1, beginMs - clock.getAsLong());
    }

    public boolean isOpen() throws IOException {
        if (beginMs == 0 && Files.exists(file)) {
            beginMs = Long.parseLong(Files.readString(file).strip());
        }
        return beginMs != 0 && clock.getAsLong() >= beginMs;
    }

    /** Returns when the load began, ms since the epoch; 0 until that is known. */
    public long beginMs() {
        return beginMs;
    }
}
