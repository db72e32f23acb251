package org.servletbench.bench.measure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.servletbench.bench.model.Load;

/** The active users of a load, slice by slice. */
interface Users {

    /** The users of one scenario, or of one thread group of JMeter. */
    final class Population {
        final String name;
        /** Loads of the requests that they send, by number, if the log has them. */
        final BitSet loads = new BitSet();

        final Series<Bucket> changes = new Series<>(Bucket::new);
        /** Number of users that started. */
        long came;
        /** True if the number of users cannot be read from the log. */
        boolean isUnknown;

        Population(String name) {
            this.name = name;
        }

        boolean sends(LoadSeries load) {
            return name.equals(load.name) || loads.get(load.number);
        }

        /** True if its users send only requests of this load. */
        boolean sendsOnly(LoadSeries load) {
            return name.equals(load.name) || loads.get(load.number) && loads.cardinality() == 1;
        }
    }

    /** All populations of a log. */
    final class Populations {
        final List<Population> all = new ArrayList<>();

        /** Adds a population, and returns its number. */
        int add(String name) {
            all.add(new Population(name));
            return all.size() - 1;
        }

        /** Returns the populations whose users send requests of a load; empty if the log does not say. */
        List<Population> of(LoadSeries load) {
            Optional<String> journey = Load.journey(load.name);
            return all.stream()
                    .filter(one ->
                            one.sends(load) || journey.filter(one.name::equals).isPresent())
                    .toList();
        }
    }

    /**
     * Users that came and left within a slice. Together with the number of users at its beginning, this gives their
     * number at its end and their exact mean over the slice, regardless of the order of the records.
     */
    final class Bucket implements Series.Bucket<Bucket> {
        /** Number of users that came minus those that left. */
        private long change;
        /** User-milliseconds that they add until the end of the slice. */
        private long userMs;

        /**
         * @param sign 1 for a user that comes, -1 for one that leaves
         *
         * @param leftMs time until the end of the slice, ms
         */
        void change(int sign, long leftMs) {
            change += sign;
            userMs += sign * leftMs;
        }

        @Override
        public void merge(Bucket other) {
            change += other.change;
            userMs += other.userMs;
        }

        @Override
        public void absorb(Bucket later, long widthMs) {
            userMs += change * widthMs;
            merge(later);
        }

        @Override
        public long footprint() {
            return 32;
        }
    }

    /** The users of a log that does not contain them. */
    Users UNKNOWN = new Users() {
        @Override
        public double mean(long bucket) {
            return Double.NaN;
        }

        @Override
        public double low(long bucket) {
            return Double.NaN;
        }

        @Override
        public double mean(long from, long to, Tally merged) {
            return Double.NaN;
        }
    };

    /** Returns the mean number over a slice; NaN if it is not known. */
    double mean(long bucket);

    /**
     * Returns a number that was certainly reached, which is the lowest one known for the slice; NaN if it is not known.
     */
    double low(long bucket);

    /**
     * Returns the mean number over the slices {@code [from, to)}.
     *
     * @param merged merged tally of these slices
     */
    double mean(long from, long to, Tally merged);

    /**
     * Returns users as counted in the samples. There are fewer samples in a short dip, so the mean is over samples, not
     * over time. In a slice without samples, at least the users who wait for an answer throughout are known.
     *
     * @param known true if the samples contain numbers of users
     */
    static Users ofSamples(Series<Tally> tallies, Users underWay, boolean known) {
        return new Users() {
            @Override
            public double mean(long bucket) {
                double seen = tallies.get(bucket) == null
                        ? Double.NaN
                        : tallies.get(bucket).users();
                return Double.isNaN(seen) ? waiting(underWay.mean(bucket)) : seen;
            }

            @Override
            public double low(long bucket) {
                double seen = tallies.get(bucket) == null
                        ? Double.NaN
                        : tallies.get(bucket).fewestUsers();
                return Double.isNaN(seen) ? waiting(underWay.low(bucket)) : seen;
            }

            private double waiting(double requests) {
                return known && requests > 0 ? requests : Double.NaN;
            }

            @Override
            public double mean(long from, long to, Tally merged) {
                return merged.users();
            }
        };
    }

    /** Returns users according to the records of their starts and ends, with exact means over time. */
    static Users ofRecords(List<Population> populations, long widthMs) {
        Series<Bucket> all = new Series<>(Bucket::new);
        populations.forEach(population -> all.merge(population.changes));
        return recorded(all, users -> users.change, users -> users.userMs, widthMs);
    }

    /** Returns requests in flight, with exact means over time. In the closed model, these are users who wait. */
    static Users underWay(Series<Tally> tallies, long widthMs) {
        return recorded(tallies, tally -> tally.started() - tally.count(), Tally::underWayMs, widthMs);
    }

    private static <B extends Series.Bucket<B>> Users recorded(
            Series<B> of, ToLongFunction<B> change, ToLongFunction<B> userMs, long widthMs) {
        long[] atStart = new long[of.length() + 1];
        double[] mean = new double[of.length()];
        for (int i = 0; i < mean.length; i++) {
            B users = of.get(of.first() + i);
            mean[i] = atStart[i] + (users == null ? 0 : (double) userMs.applyAsLong(users) / widthMs);
            atStart[i + 1] = atStart[i] + (users == null ? 0 : change.applyAsLong(users));
        }
        return new Recorded(of.first(), atStart, mean);
    }

    /**
     * Users according to records of starts and ends: none before the first record, and a constant number after the last
     * one.
     */
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

        /** Returns the number of users at the beginning of a slice. */
        private double edge(long bucket) {
            long place = bucket - first;
            return place < 0 ? 0 : atStart[(int) Math.min(place, atStart.length - 1)];
        }
    }
}
