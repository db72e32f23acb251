package org.servletbench.bench.measure;

import static java.util.Comparator.comparingLong;
import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Separates the requests of a log from those that are {@value #FAR_HOURS} h or more away from all others. These belong
 * to another run in the same file, or have a time that was never set, which JMeter writes as 1970. They would stretch
 * the log over decades.
 */
final class OutlierFilter {
    private static final int FAR_HOURS = 6;
    static final long FAR_MS = FAR_HOURS * 3_600_000L;
    /**
     * Number of requests that are collected before the filter decides which ones are near, because the first one may be
     * the outlier.
     */
    private static final int FIRST = 1000;

    /** A request as in {@link Records#request}, with times on the common clock. */
    record Request(int load, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {}

    /** Requests collected until the decision; null after it. */
    private List<Request> first = new ArrayList<>();

    private final List<Runnable> users = new ArrayList<>();
    private long earliest = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;
    private long far;
    private Request example;

    /** True if a request is certainly near. */
    boolean has(long startMs, long endMs) {
        if (startMs >= earliest && endMs <= latest) {
            return true;
        }
        if (first != null || startMs < earliest - FAR_MS || endMs > latest + FAR_MS) {
            return false;
        }
        earliest = Math.min(earliest, startMs);
        latest = Math.max(latest, endMs);
        return true;
    }

    /** Takes a request that is not certainly near. It is kept until there are enough to decide, or left out. */
    void judge(Request request, Consumer<Request> near) {
        if (first == null) {
            example = far++ == 0 ? request : example;
        } else {
            first.add(request);
            if (first.size() == FIRST) {
                decide(near);
            }
        }
    }

    /** Decides, based on the requests so far. Those around the median are near. */
    void decide(Consumer<Request> near) {
        if (first == null || first.isEmpty()) {
            return;
        }
        List<Request> kept = first;
        first = null;
        kept.sort(comparingLong(Request::endMs));
        int middle = kept.size() / 2;
        earliest = kept.get(middle).startMs;
        latest = kept.get(middle).endMs;
        for (int i = 0; i < kept.size(); i++) {
            // Goes from the middle to the end, then back to the start.
            Request one = kept.get(middle + i < kept.size() ? middle + i : kept.size() - 1 - i);
            if (has(one.startMs, one.endMs)) {
                near.accept(one);
            } else {
                judge(one, near);
            }
        }
        users.forEach(Runnable::run);
        users.clear();
    }

    /** True if a user came or left near the requests. As long as that is undecided, the user is kept. */
    boolean isAround(long ms, Runnable user) {
        if (first != null) {
            users.add(user);
            return false;
        }
        return earliest > latest || ms >= earliest - FAR_MS && ms <= latest + FAR_MS;
    }

    /** Describes the requests that were left out, for people; empty if there were none. */
    Optional<String> words(Function<Request, String> describe) {
        return far == 0
                ? Optional.empty()
                : Optional.of(text(
                        "requests that lie %d h or more from all others, as those of another run or with a time that"
                                + " was never set: %d; they are in no load; the first: %s",
                        FAR_HOURS, far, describe.apply(example)));
    }
}
