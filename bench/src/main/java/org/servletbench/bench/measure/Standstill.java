package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Time in which a server answered nothing although its users waited. In the closed model users send nothing meanwhile, so that few
 * of the response times show it: requests that arrive at a fixed rate would have hit it far more often.
 *
 * @param lengthsMs of each time without an answer, ms, to a quarter of a slice
 * @param ofMs the time in which they lie, ms
 */
record Standstill(List<Long> lengthsMs, long ofMs) {
    /** Least number of missing answers meanwhile, by the mean of the rest of the time. */
    private static final double MISSED = 30;
    /** Least length of a standstill, ms. */
    private static final long LEAST_MS = 1000;
    /** Share of the requests at a fixed rate: their p99 is reported. */
    private static final double PERCENTILE = 0.99;
    /** Factor between its p99 and the measured one above which a fixed rate would have shown another server. */
    private static final double OTHER = 2;

    /**
     * Finds a standstill.
     *
     * @param answers number of answers in consecutive parts of the time
     * @param partMs length of each, ms
     * @param medianMs response time, ms: answers may come in waves with this distance
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

    /** Returns the p99 of requests that arrive at a fixed rate and wait for the end of a standstill, ms; 0 if fewer than that meet one. */
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

    /** True if the measured p99, ms, hides it. */
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
