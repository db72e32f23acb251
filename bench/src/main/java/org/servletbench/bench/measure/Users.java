package org.servletbench.bench.measure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.servletbench.bench.model.Load;

/** The active users of a load, slice by slice. */
interface Users {

    /** The users of one scenario, or of one of JMeter's thread groups. */
    final class Population {
        final String name;
        /** The loads of the requests that they send, by number, if the log has them. */
        final BitSet loads = new BitSet();

        final Series<Bucket> changes = new Series<>(Bucket::new);
        /** Number of users that came. */
        long came;
        /** True if their number cannot be read from the log. */
        boolean isUnknown;

        Population(String name) {
            this.name = name;
        }

        boolean sends(LoadSeries load) {
            return name.equals(load.name) || loads.get(load.number);
        }

        /** True if its users send only these requests. */
        boolean sendsOnly(LoadSeries load) {
            return name.equals(load.name) || loads.get(load.number) && loads.cardinality() == 1;
        }
    }

    /** All populations of a log. */
    final class Populations {
        final List<Population> all = new ArrayList<>();

        /** Returns the number of a new one. */
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
     * Users that came and left within a slice. With the users at its beginning this gives the users at its end and, exactly, their
     * mean over it, in whatever order the records come.
     */
    final class Bucket implements Series.Bucket<Bucket> {
        /** Users that came less users that left. */
        private long change;
        /** User-milliseconds that they add until the end of the slice. */
        private long userMs;

        /**
         * @param sign 1 for a user that comes, -1 for one that leaves; leftMs until the end of the slice
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

    /** For logs without users. */
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

    /** Returns the mean over the slice; NaN if not known. */
    double mean(long bucket);

    /** Returns a number that was certainly reached: the lowest one known for the slice; NaN if not known. */
    double low(long bucket);

    /** Returns the mean over the slices {@code [from, to)}, whose merged tally this is. */
    double mean(long from, long to, Tally merged);

    /**
     * Returns users as counted in the samples. Fewer samples see a short dip, so the mean is one over samples, not over time. In a
     * slice without samples the users who wait for an answer throughout are known.
     *
     * @param known true if the samples have user counts
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

    /** Returns users as their starts and ends were recorded: exact means over time. */
    static Users ofRecords(List<Population> populations, long widthMs) {
        Series<Bucket> all = new Series<>(Bucket::new);
        populations.forEach(population -> all.merge(population.changes));
        return recorded(all, users -> users.change, users -> users.userMs, widthMs);
    }

    /** Returns requests under way, which in the closed model are users who wait: exact means over time. */
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

    /** Users by the records of starts and ends; zero before the first, constant after the last. */
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

        /** Returns the users at the beginning of a slice. */
        private double edge(long bucket) {
            long place = bucket - first;
            return place < 0 ? 0 : atStart[(int) Math.min(place, atStart.length - 1)];
        }
    }
}
