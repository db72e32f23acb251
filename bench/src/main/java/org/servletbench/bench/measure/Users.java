package org.servletbench.bench.measure;

import java.util.List;

/** The active users of a cell, slice by slice. */
interface Users {

    /** The users of one scenario. */
    final class Population {
        final String name;
        final Series<UserBucket> changes = new Series<>(UserBucket::new);

        Population(String name) {
            this.name = name;
        }
    }

    /** Mean over the slice; NaN when not known. */
    double mean(long bucket);

    /** A number that was surely held: the lowest of what is known of the slice; NaN when not known. */
    double low(long bucket);

    /** Mean over the slices {@code [from, to)}, whose merged tally this is. */
    double mean(long from, long to, Tally merged);

    /** Users as the samples saw them. Fewer samples see a short dip, so the mean is one over samples, not over time. */
    static Users ofSamples(Series<Tally> tallies) {
        return new Users() {
            @Override
            public double mean(long bucket) {
                Tally tally = tallies.get(bucket);
                return tally == null ? Double.NaN : tally.users();
            }

            @Override
            public double low(long bucket) {
                Tally tally = tallies.get(bucket);
                return tally == null ? Double.NaN : tally.fewestUsers();
            }

            @Override
            public double mean(long from, long to, Tally merged) {
                return merged.users();
            }
        };
    }

    /**
     * Makes every sample of two logs see the users of both. Where a log has no sample for a while, its users are those that it saw
     * last; before its first and after its last there are none.
     */
    static void addUp(Series<Tally> one, Series<Tally> other) {
        if (one.length() == 0 || other.length() == 0) {
            return;
        }
        long end = Math.max(one.first() + one.length(), other.first() + other.length());
        Seen seenByOne = Seen.NOBODY;
        Seen seenByOther = Seen.NOBODY;
        for (long bucket = Math.min(one.first(), other.first()); bucket < end; bucket++) {
            seenByOne = Seen.of(one, bucket, seenByOne);
            seenByOther = Seen.of(other, bucket, seenByOther);
            double mean = seenByOne.mean + seenByOther.mean;
            double fewest = seenByOne.fewest + seenByOther.fewest;
            for (Tally tally : new Tally[] {one.get(bucket), other.get(bucket)}) {
                if (tally != null) {
                    tally.sees(mean, fewest);
                }
            }
        }
    }

    record Seen(double mean, double fewest) {
        private static final Seen NOBODY = new Seen(0, 0);

        private static Seen of(Series<Tally> tallies, long bucket, Seen before) {
            long place = bucket - tallies.first();
            if (place < 0 || place >= tallies.length()) {
                return NOBODY;
            }
            Tally tally = tallies.get(bucket);
            return tally == null || Double.isNaN(tally.users()) ? before : new Seen(tally.users(), tally.fewestUsers());
        }
    }

    /** Users as their starts and ends were recorded: exact means over time. */
    static Users ofRecords(List<Population> populations, long widthMs) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Population population : populations) {
            if (population.changes.length() > 0) {
                first = Math.min(first, population.changes.first());
                last = Math.max(last, population.changes.first() + population.changes.length() - 1);
            }
        }
        if (first > last) {
            return new Recorded(0, new long[1], new double[0]);
        }
        int length = (int) (last - first + 1);
        long[] atStart = new long[length + 1];
        double[] mean = new double[length];
        for (int i = 0; i < length; i++) {
            UserBucket all = new UserBucket();
            for (Population population : populations) {
                UserBucket users = population.changes.get(first + i);
                if (users != null) {
                    all.merge(users);
                }
            }
            mean[i] = atStart[i] + (double) all.userMs() / widthMs;
            atStart[i + 1] = atStart[i] + all.change();
        }
        return new Recorded(first, atStart, mean);
    }

    /** By the records of starts and ends; before the first there are none, after the last nothing changes. */
    record Recorded(long first, long[] atStart, double[] means) implements Users {
        @Override
        public double mean(long bucket) {
            long place = bucket - first;
            return place >= 0 && place < means.length ? means[(int) place] : edge(bucket);
        }

        @Override
        public double low(long bucket) {
            return Math.min(mean(bucket), Math.min(edge(bucket), edge(bucket + 1)));
        }

        @Override
        public double mean(long from, long to, Tally merged) {
            double sum = 0;
            for (long bucket = from; bucket < to; bucket++) {
                sum += mean(bucket);
            }
            return sum / (to - from);
        }

        /** Users at the beginning of a slice. */
        private double edge(long bucket) {
            long place = bucket - first;
            return place < 0 ? 0 : atStart[(int) Math.min(place, atStart.length - 1)];
        }
    }
}
