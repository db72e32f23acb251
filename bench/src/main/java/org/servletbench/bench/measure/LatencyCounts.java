package org.servletbench.bench.measure;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Counts of response times in the classes of a {@link Histogram} with three significant digits. A histogram would take
 * 16 KB for every load and second; this class stores the counts in pages of 128 classes, and only where something was
 * counted. A rare request has a sorted list of classes instead, as long as that is short.
 */
final class LatencyCounts {
    static final int SIGNIFICANT_DIGITS = 3;

    private static final int PAGE_BITS = 7;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int PAGE_BYTES = PAGE * Integer.BYTES + 16;

    private static final int[][] NONE = {};

    /** Maximum number of classes in a list: 512 bytes, as many as one page. */
    private static final int MOST_LISTED = PAGE;

    private static final int LEAST_LISTED = 4;
    private static final int COUNT_BITS = 16;
    private static final int MOST_COUNTED = (1 << COUNT_BITS) - 1;

    private int[][] pages = NONE;
    /** Entries of class and count, sorted by class; null if pages are used. A class has at most 15 bits. */
    private int[] list;

    private int listed;

    /** Creates counts that use pages from the first value on. */
    LatencyCounts() {}

    /** Creates counts for few values. They use a list until it is too short. */
    static LatencyCounts ofFew() {
        LatencyCounts few = new LatencyCounts();
        few.list = new int[LEAST_LISTED];
        return few;
    }

    /** Counts one value, which is 0 or more. Returns the number of bytes by which memory has grown. */
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
        if (list != null) {
            int place = Arrays.binarySearch(list, 0, listed, index << COUNT_BITS);
            // The count of a class is never 0, so its entry comes after the place of the class with count 0.
            place = -place - 1;
            boolean known = place < listed && list[place] >>> COUNT_BITS == index;
            if (count + (known ? list[place] & MOST_COUNTED : 0) > MOST_COUNTED || !known && listed == MOST_LISTED) {
                return page() + add(index, count);
            }
            if (known) {
                list[place] += count;
                return 0;
            }
            return insert(place, index << COUNT_BITS | count);
        }
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

    private int insert(int place, int entry) {
        int before = list.length;
        if (listed == before) {
            list = Arrays.copyOf(list, 2 * before);
        }
        System.arraycopy(list, place, list, place + 1, listed - place);
        list[place] = entry;
        listed++;
        return (list.length - before) * Integer.BYTES;
    }

    /** Converts the list into pages. Returns the number of bytes by which memory has grown. */
    private int page() {
        int[] entries = list;
        list = null;
        int grown = -entries.length * Integer.BYTES;
        for (int i = 0; i < listed; i++) {
            grown += add(entries[i] >>> COUNT_BITS, entries[i] & MOST_COUNTED);
        }
        listed = 0;
        return grown;
    }

    void merge(LatencyCounts other) {
        other.each(this::add);
    }

    /** Adds every count to a histogram with three digits. */
    void addTo(Histogram histogram) {
        each((index, count) -> histogram.recordValueWithCount(value(index), count));
    }

    /**
     * Returns the highest value of the class that contains a percentile, like {@link Histogram#getValueAtPercentile}.
     *
     * @param percent rank, above 0, at most 100
     * @param total sum of all counts, above 0
     */
    long percentile(double percent, long total) {
        // The next smaller number prevents rounding errors from reaching the next class.
        long rest = Math.max(1, (long) Math.ceil(Math.nextDown(percent) * total / 100));
        for (int i = 0; i < listed; i++) {
            rest -= list[i] & MOST_COUNTED;
            if (rest <= 0) {
                return value((list[i] >>> COUNT_BITS) + 1) - 1;
            }
        }
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
        for (int i = 0; i < listed; i++) {
            count.of(list[i] >>> COUNT_BITS, list[i] & MOST_COUNTED);
        }
        for (int page = 0; page < pages.length; page++) {
            for (int slot = 0; pages[page] != null && slot < PAGE; slot++) {
                if (pages[page][slot] != 0) {
                    count.of(page << PAGE_BITS | slot, pages[page][slot]);
                }
            }
        }
    }

    /** Returns the number of bytes of memory. It does not depend on the order of the values. */
    long footprint() {
        long bytes = (pages.length + (list == null ? 0L : list.length)) * Integer.BYTES;
        for (int[] page : pages) {
            bytes += page == null ? 0 : PAGE_BYTES;
        }
        return bytes;
    }

    /**
     * Returns the class of a value, which is the value itself below 2048, and one of 1024 classes for every doubling
     * above.
     */
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
