package org.servletbench.bench.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A service level objective: upper limits of response times and errors.
 *
 * @param limits limits of percentiles; empty only if errors have a limit
 * @param errors share of failed requests, above 0 and below 1; 1 if they have no limit
 */
public record Slo(List<Limit> limits, double errors) {

    /** Minimum number of requests beyond a percentile. With fewer, the percentile would be chance. */
    public static final int BEYOND = 10;

    private static final Map<String, Metric> PERCENTILES =
            Map.of("p50", Metric.P50, "p90", Metric.P90, "p95", Metric.P95, "p99", Metric.P99, "p99.9", Metric.P999);
    private static final Pattern PART = Pattern.compile("\\s*(\\S+?)\\s*<\\s*(\\S+)\\s*");

    /**
     * A percentile and its upper limit.
     *
     * @param percentile one of p50, p90, p95, p99 and p99.9
     * @param ms limit, ms, above 0
     */
    public record Limit(Metric percentile, long ms) {

        /** Returns the share of requests that may take this time or longer. */
        public double share() {
            return Math.round(1000 - 10 * Double.parseDouble(percentile.label().substring(1))) / 1000.0;
        }
    }

    /**
     * Parses the objective of a search, {@code p99<50ms,errors<0.1%}, which needs both kinds of limits.
     *
     * @throws UsageException in one line for anything else
     */
    public static Slo parse(String text) {
        Slo slo = parse("search-rate-under", text);
        if (slo.limits.isEmpty() || !slo.limitsErrors()) {
            throw wrong(
                    "search-rate-under",
                    text,
                    (slo.limits.isEmpty() ? "a percentile" : "errors<SHARE") + " is missing");
        }
        return slo;
    }

    /**
     * Parses {@code p99<50ms,errors<0.1%}, or one of the two limits.
     *
     * @param option name of the option, for messages
     * @throws UsageException in one line for anything else
     */
    public static Slo parse(String option, String text) {
        List<Limit> limits = new ArrayList<>();
        double errors = 1;
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            String name = matcher.matches() ? matcher.group(1) : "";
            try {
                if (name.equals("errors") && errors == 1) {
                    errors = new Share(matcher.group(2)).value();
                    continue;
                }
            } catch (IllegalArgumentException e) {
                throw wrong(
                        option, text, "'" + matcher.group(2) + "' is not a share between 0% and 100%, such as 0.1%");
            }
            Metric percentile = PERCENTILES.get(name);
            if (percentile == null || limits.stream().anyMatch(limit -> limit.percentile == percentile)) {
                throw wrong(option, text, "'" + part.strip() + "' is not understood");
            }
            long ms = milliseconds(matcher.group(2));
            if (ms <= 0) {
                throw wrong(option, text, "'" + matcher.group(2) + "' is not a time above 0, such as 50ms");
            }
            limits.add(new Limit(percentile, ms));
        }
        return new Slo(List.copyOf(limits), errors);
    }

    /** Returns 0 if the text is not a time. */
    private static long milliseconds(String time) {
        try {
            return new Time(time).duration().toMillis();
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private static UsageException wrong(String option, String text, String what) {
        return new UsageException(option + " " + text + ": " + what
                + ": give limits of p50, p90, p95, p99 or p99.9, and of errors, such as p99<50ms,errors<0.1%");
    }

    /** True if failed requests have a limit. */
    public boolean limitsErrors() {
        return errors < 1;
    }

    /** True if the metric is a percentile that can have a limit. */
    public static boolean isPercentile(Metric metric) {
        return PERCENTILES.containsValue(metric);
    }

    /**
     * True if the objective is met.
     *
     * @param ms returns the value of a percentile, ms
     * @param errorShare share of failed requests, 0 to 1
     */
    public boolean isMet(ToDoubleFunction<Metric> ms, double errorShare) {
        return errorShare < errors && limits.stream().allMatch(limit -> ms.applyAsDouble(limit.percentile) < limit.ms);
    }

    /**
     * Returns how many seconds' worth of arrivals can be unanswered before the objective is missed for certain. Of N
     * unanswered requests, only those of the last {@code limit} seconds can still be in time. All others are too slow,
     * and only a share of all requests of the hold may be. So N / rate is at most the limit plus that share of the
     * hold.
     *
     * @param holdSeconds time for which a rate is held, s
     */
    public double secondsUnderWay(double holdSeconds) {
        return limits.stream()
                .mapToDouble(limit -> limit.ms / 1e3 + limit.share() * holdSeconds)
                .min()
                .orElseThrow();
    }

    /** Returns the lowest rate at which {@link #BEYOND} requests lie beyond each percentile, requests/s. */
    public double leastRate(double holdSeconds) {
        return limits.stream()
                .mapToDouble(limit -> BEYOND / (limit.share() * holdSeconds))
                .max()
                .orElseThrow();
    }

    /** Returns the objective for people: {@code p99 below 50 ms, errors below 0.1 %}. */
    public String words() {
        Stream<String> times = limits.stream().map(limit -> limit.percentile.label() + " below " + limit.ms + " ms");
        return Stream.concat(times, limitsErrors() ? Stream.of("errors below " + errorPercent()) : Stream.of())
                .collect(Collectors.joining(", "));
    }

    /** Returns the limit of failed requests for people: {@code 0.1 %}. */
    public String errorPercent() {
        return new BigDecimal(100 * errors)
                        .round(new MathContext(6))
                        .stripTrailingZeros()
                        .toPlainString() + " %";
    }
}
