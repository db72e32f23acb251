package org.servletbench.bench.measure;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** A series of buckets of equal width in time. Empty buckets are absent. */
final class Series<B extends Series.Bucket<B>> {
    interface Bucket<B> {
        /** Adds the next bucket. Both have this width, and this bucket then has twice that width. */
        void absorb(B later, long widthMs);

        void merge(B other);

        /**
         * Returns the number of bytes of memory. It depends on the bucket's content, not on the order in which it came.
         */
        long footprint();
    }

    /** Number of bytes of a place, empty or not: the reference, and the final slice made from it. */
    static final int PLACE_BYTES = 256;

    private final Supplier<B> empty;
    private Object[] buckets = {};
    private int offset;
    private long first;
    private int length;

    Series(Supplier<B> empty) {
        this.empty = empty;
    }

    /** Returns the number of the first bucket. Only valid if {@link #length} is not 0. */
    long first() {
        return first;
    }

    int length() {
        return length;
    }

    /** Calls the action for each existing bucket. */
    @SuppressWarnings("unchecked")
    void each(Consumer<B> action) {
        for (int i = offset; i < offset + length; i++) {
            if (buckets[i] != null) {
                action.accept((B) buckets[i]);
            }
        }
    }

    /** Returns the number of places by which the series must grow to contain this bucket. */
    long missing(long bucket) {
        if (length == 0) {
            return 1;
        }
        return Math.max(Math.max(first - bucket, bucket - (first + length - 1)), 0);
    }

    void merge(Series<B> other) {
        for (long bucket = other.first; bucket < other.first + other.length; bucket++) {
            B added = other.get(bucket);
            if (added != null) {
                make(bucket).merge(added);
            }
        }
    }

    /** Returns the bucket; null if it is empty. */
    @SuppressWarnings("unchecked")
    B get(long bucket) {
        long place = bucket - first;
        return place < 0 || place >= length ? null : (B) buckets[offset + (int) place];
    }

    /** Returns the bucket, creating it if necessary. The caller must make sure that it fits in memory. */
    B make(long bucket) {
        reach(bucket);
        int place = offset + (int) (bucket - first);
        if (buckets[place] == null) {
            buckets[place] = empty.get();
        }
        return get(bucket);
    }

    private void reach(long bucket) {
        if (missing(bucket) == 0) {
            return;
        }
        long newFirst = length == 0 ? bucket : Math.min(first, bucket);
        long newLast = length == 0 ? bucket : Math.max(first + length - 1, bucket);
        int newLength = Math.toIntExact(newLast - newFirst + 1);
        int newOffset = offset - (int) (length == 0 ? 0 : first - newFirst);
        if (length == 0 || newOffset < 0 || newOffset + newLength > buckets.length) {
            int room = newLength / 2 + 4;
            Object[] wider = new Object[newLength + 2 * room];
            if (length > 0) {
                System.arraycopy(buckets, offset, wider, room + (int) (first - newFirst), length);
            }
            buckets = wider;
            newOffset = room;
        }
        offset = newOffset;
        first = newFirst;
        length = newLength;
    }

    /** Joins the buckets in pairs: numbers 2k and 2k + 1 become k. */
    void widen(long widthMs) {
        if (length == 0) {
            return;
        }
        Series<B> wide = new Series<>(empty);
        for (long bucket = first & ~1L; bucket < first + length; bucket += 2) {
            B left = get(bucket);
            B right = get(bucket + 1);
            if (left != null || right != null) {
                B joined = left == null ? empty.get() : left;
                joined.absorb(right == null ? empty.get() : right, widthMs);
                wide.reach(bucket >> 1);
                wide.buckets[wide.offset + (int) ((bucket >> 1) - wide.first)] = joined;
            }
        }
        buckets = wide.buckets;
        offset = wide.offset;
        first = wide.first;
        length = wide.length;
    }

    @SuppressWarnings("unchecked")
    long footprint() {
        long bytes = (long) length * PLACE_BYTES;
        for (int i = offset; i < offset + length; i++) {
            bytes += buckets[i] == null ? 0 : ((B) buckets[i]).footprint();
        }
        return bytes;
    }
}
