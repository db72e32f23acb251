package org.servletbench.bench.measure;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Counts of response times in the classes of an {@link Histogram} with three significant digits, which would take 16 KB for
 * every cell and second: in pages of 128 classes, and only where something was counted.
 */
final class LatencyCounts {
    static final int SIGNIFICANT_DIGITS = 3;

    private static final int PAGE_BITS = 7;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int PAGE_BYTES = PAGE * Integer.BYTES + 16;

    private static final int[][] NONE = {};

    private int[][] pages = NONE;

    /** Counts one value, 0 or more, and returns the bytes of memory by which this has grown. */
    int add(long value) {
        int index = index(value);
        int page = index >>> PAGE_BITS;
        if (page < pages.length) {
            int[] counts = pages[page];
            if (counts != null) {
                counts[index & (PAGE - 1)]++;
                return 0;
            }
        }
        return add(index, 1);
    }

    private int add(int index, int count) {
        int grown = 0;
        int page = index >>> PAGE_BITS;
        if (page >= pages.length) {
            int length = Integer.highestOneBit(page) * 2;
            length = Math.max(length, 1);
            grown += (length - pages.length) * Integer.BYTES;
            pages = Arrays.copyOf(pages, length);
        }
        if (pages[page] == null) {
            pages[page] = new int[PAGE];
            grown += PAGE_BYTES;
        }
        int slot = index & (PAGE - 1);
        pages[page][slot] = Math.addExact(pages[page][slot], count);
        return grown;
    }

    void merge(LatencyCounts other) {
        other.each(this::add);
    }

    /** Adds every count to a histogram of three digits. */
    void addTo(Histogram histogram) {
        each((index, count) -> histogram.recordValueWithCount(value(index), count));
    }

    /**
     * The highest value of the class that holds a percentile, as {@link Histogram#getValueAtPercentile} gives it.
     *
     * @param percent above 0, at most 100
     * @param total of all counts, above 0
     */
    long percentile(double percent, long total) {
        // The next smaller number, so that rounding errors do not reach into the next class.
        long rest = Math.max(1, (long) Math.ceil(Math.nextDown(percent) * total / 100));
        for (int page = 0; page < pages.length; page++) {
            for (int slot = 0; pages[page] != null && slot < PAGE; slot++) {
                rest -= pages[page][slot];
                if (rest <= 0) {
                    return value((page << PAGE_BITS | slot) + 1) - 1;
                }
            }
        }
        throw new IllegalStateException("fewer than " + total + " were counted");
    }

    private interface Count {
        void of(int index, int count);
    }

    private void each(Count count) {
        for (int page = 0; page < pages.length; page++) {
            for (int slot = 0; pages[page] != null && slot < PAGE; slot++) {
                if (pages[page][slot] != 0) {
                    count.of(page << PAGE_BITS | slot, pages[page][slot]);
                }
            }
        }
    }

    /** Bytes of memory: the same for the same values, whatever their order. */
    long footprint() {
        long bytes = (long) pages.length * Integer.BYTES;
        for (int[] page : pages) {
            bytes += page == null ? 0 : PAGE_BYTES;
        }
        return bytes;
    }

    /** The class of a value: itself below 2048, then 1024 classes for every doubling. */
    static int index(long value) {
        if (value < 2048) {
            return (int) value;
        }
        int shift = 53 - Long.numberOfLeadingZeros(value);
        return (shift << 10) + (int) (value >>> shift);
    }

    static long value(int index) {
        if (index < 2048) {
            return index;
        }
        return (long) ((index & 1023) + 1024) << (index >>> 10) - 1;
    }
}
