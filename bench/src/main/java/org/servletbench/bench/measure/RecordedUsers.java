package org.servletbench.bench.measure;

/** Users from the records of their starts and ends; before the first there are none, after the last nothing changes. */
final class RecordedUsers implements Users {
    private final long first;
    private final long[] atStart;
    private final double[] means;

    RecordedUsers(long first, long[] atStart, double[] means) {
        this.first = first;
        this.atStart = atStart;
        this.means = means;
    }

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
