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

/**
 * A service level objective: what response times and errors must be below while a rate is held.
 *
 * @param limits of percentiles, at least one
 * @param errors share of failed requests, above 0 and below 1
 */
public record Slo(List<Limit> limits, double errors) {

    /** So many requests at least must lie beyond a percentile, for it to be more than chance. */
    public static final int BEYOND = 10;

    private static final Map<String, Metric> PERCENTILES =
            Map.of("p50", Metric.P50, "p90", Metric.P90, "p95", Metric.P95, "p99", Metric.P99, "p99.9", Metric.P999);
    private static final Pattern PART = Pattern.compile("\\s*(\\S+?)\\s*<\\s*(\\S+)\\s*");

    /**
     * A percentile, and what it must be below.
     *
     * @param percentile one of p50, p90, p95, p99 and p99.9
     * @param ms above 0
     */
    public record Limit(Metric percentile, long ms) {

        /** Share of requests that may take this time or longer. */
        public double share() {
            return Math.round(1000 - 10 * Double.parseDouble(percentile.label().substring(1))) / 1000.0;
        }
    }

    /**
     * Reads {@code p99<50ms,errors<0.1%}.
     *
     * @throws UsageException in one line for everything else
     */
    public static Slo parse(String text) {
        List<Limit> limits = new ArrayList<>();
        double errors = 0;
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            String name = matcher.matches() ? matcher.group(1) : "";
            if (name.equals("errors") && errors == 0) {
                errors = share(text, matcher.group(2));
                continue;
            }
            Metric percentile = PERCENTILES.get(name);
            if (percentile == null || limits.stream().anyMatch(limit -> limit.percentile == percentile)) {
                throw wrong(text, "'" + part.strip() + "' is not understood");
            }
            limits.add(new Limit(percentile, milliseconds(text, matcher.group(2))));
        }
        if (limits.isEmpty() || errors == 0) {
            throw wrong(text, (errors == 0 ? "errors<SHARE" : "a percentile") + " is missing");
        }
        return new Slo(List.copyOf(limits), errors);
    }

    private static long milliseconds(String text, String time) {
        try {
            long ms = Options.duration0(time).toMillis();
            if (ms > 0) {
                return ms;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw wrong(text, "'" + time + "' is no time above 0, such as 50ms");
    }

    private static double share(String text, String share) {
        try {
            return Options.share(share);
        } catch (IllegalArgumentException e) {
            throw wrong(text, "'" + share + "' is no share between 0% and 100%, such as 0.1%");
        }
    }

    private static UsageException wrong(String text, String what) {
        return new UsageException("find " + text + ": " + what
                + ": give limits of p50, p90, p95, p99 or p99.9, and of errors, such as p99<50ms,errors<0.1%");
    }

    /** Whether it is one that a limit can be of. */
    public static boolean isPercentile(Metric metric) {
        return PERCENTILES.containsValue(metric);
    }

    /**
     * Whether it is met.
     *
     * @param ms the value of a percentile, ms
     */
    public boolean isMet(ToDoubleFunction<Metric> ms, double errorShare) {
        return errorShare < errors && limits.stream().allMatch(limit -> ms.applyAsDouble(limit.percentile) < limit.ms);
    }

    /**
     * With so many seconds' arrivals under way it is missed, whatever is answered later: of N requests under way all but those of
     * the last {@code limit} seconds have taken too long already, so that N / rate is at most the limit and the share of the hold
     * that may take longer.
     *
     * @param holdSeconds for which a rate is held
     */
    public double secondsUnderWay(double holdSeconds) {
        return limits.stream()
                .mapToDouble(limit -> limit.ms / 1e3 + limit.share() * holdSeconds)
                .min()
                .orElseThrow();
    }

    /** The lowest rate at which {@link #BEYOND} requests lie beyond each percentile, requests/s. */
    public double leastRate(double holdSeconds) {
        return limits.stream()
                .mapToDouble(limit -> BEYOND / (limit.share() * holdSeconds))
                .max()
                .orElseThrow();
    }

    /** For people: {@code p99 below 50 ms, errors below 0.1 %}. */
    public String words() {
        return limits.stream()
                        .map(limit -> limit.percentile.label() + " below " + limit.ms + " ms")
                        .collect(Collectors.joining(", "))
                + Text.text(
                        ", errors below %s %%",
                        new BigDecimal(100 * errors)
                                .round(new MathContext(6))
                                .stripTrailingZeros()
                                .toPlainString());
    }
}
