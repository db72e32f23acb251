package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Time in which a server answered nothing although its users were waiting. In the closed model, users send nothing in
 * this time, so only few response times show it. Requests at a fixed rate would have hit it far more often.
 *
 * @param lengthsMs length of each time without an answer, ms, to a quarter of a slice
 * @param ofMs the time in which they lie, ms
 */
record Standstill(List<Long> lengthsMs, long ofMs) {
    /** Minimum number of answers that are missing, according to the mean of the rest of the time. */
    private static final double MISSED = 30;
    /** Minimum length of a standstill, ms. */
    private static final long LEAST_MS = 1000;
    /** Percentile of requests at a fixed rate that is reported. */
    private static final double PERCENTILE = 0.99;
    /**
     * Ratio of that p99 to the measured one above which a fixed rate would have given a different impression of the
     * server.
     */
    private static final double OTHER = 2;

    /**
     * Finds a standstill.
     *
     * @param answers number of answers in consecutive parts of the time
     * @param partMs length of each part, ms
     * @param medianMs median response time, ms; answers may come in waves at this distance
     * @return empty if there is none
     */
    static Optional<Standstill> of(long[] answers, double partMs, double medianMs) {
        long all = 0;
        int empty = 0;
        for (long count : answers) {
            all += count;
            empty += count == 0 ? 1 : 0;
        }
        double usual = all / (double) (answers.length - empty);
        double least = Math.max(Math.max(LEAST_MS, WindowFinder.LONG * medianMs), partMs * MISSED / usual);
        List<Long> lengths = new ArrayList<>();
        int since = 0;
        for (int i = 0; i <= answers.length; i++) {
            if (i == answers.length || answers[i] > 0) {
                double length = (i - since) * partMs;
                if (length >= least) {
                    lengths.add(Math.round(length));
                }
                since = i + 1;
            }
        }
        return lengths.isEmpty() || all == 0
                ? Optional.empty()
                : Optional.of(new Standstill(lengths, Math.round(answers.length * partMs)));
    }

    private long totalMs() {
        return lengthsMs.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns the p99 of requests that arrive at a fixed rate and wait for the end of a standstill, ms; 0 if less than
     * 1 % of them meet one.
     */
    double p99Ms() {
        double low = 0;
        double high = ofMs;
        while (high - low > 1) {
            double middle = (low + high) / 2;
            double longer = lengthsMs.stream()
                    .mapToDouble(length -> Math.max(0, length - middle))
                    .sum();
            if (longer > (1 - PERCENTILE) * ofMs) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * True if the measured p99 hides the standstill.
     *
     * @param measuredMs measured p99, ms
     */
    boolean isHiddenIn(double measuredMs) {
        return p99Ms() > OTHER * measuredMs;
    }

    String words(double measuredMs) {
        return text(
                "no answer for %.1f s of %.1f s, for up to %.1f s at once, while requests waited; p99 is %.0f ms because few were"
                        + " sent meanwhile: at a fixed rate it would be at least %.1f s",
                totalMs() / 1000.0, ofMs / 1000.0, longestMs() / 1000.0, measuredMs, p99Ms() / 1000);
    }

    private long longestMs() {
        return lengthsMs.stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
