package org.servletbench.bench.model;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One user at one server: where it is in what it sends in order, and what it has taken from answers. It goes on there when it comes
 * back. Not thread-safe.
 */
public final class Visit {

    /** Of an answer in which something is missing, characters. */
    public static final int MOST_SHOWN = 200;

    /**
     * What a user sends next.
     *
     * @param request index
     * @param pass of all users through the list: its requests have the row of this number
     */
    public record Step(int request, long pass) {}

    private final BitSet done = new BitSet();
    private final Map<String, String> taken = new HashMap<>();
    private int at = -1;
    private long pass;

    /**
     * The next one.
     *
     * @param requests all of the list, those that are sent once before the others
     * @param passes gives the number of a pass that begins, of all users
     */
    public Step next(List<RequestSpec> requests, LongSupplier passes) {
        do {
            at = (at + 1) % requests.size();
            if (at == 0) {
                pass = passes.getAsLong();
            }
        } while (requests.get(at).isOnce() && done.get(at));
        return new Step(at, pass);
    }

    /** Whether it has begun a pass through so many requests, and not sent the last one. */
    public boolean isWithin(int requests) {
        return at >= 0 && at + 1 < requests;
    }

    /** What it has taken from answers, by name. */
    public Map<String, String> taken() {
        return taken;
    }

    /**
     * Takes what the request that it sent last takes from its answer. One that is sent once is done when it was answered as it should be.
     *
     * @param status of the answer
     * @param headers the value of a header of it, by name; null for none
     * @param body its text
     * @return what is missing in it, in words
     */
    public Optional<String> answered(
            RequestSpec request, int status, Function<String, String> headers, Supplier<String> body) {
        if (status != request.status()) {
            return Optional.empty();
        }
        for (Extract one : request.extracts()) {
            Optional<String> value = one.of(headers, body);
            if (value.isEmpty()) {
                return Optional.of("no " + one.name() + " (" + one.what() + ") in the answer: "
                        + Text.begin(body.get(), MOST_SHOWN));
            }
            taken.put(one.name(), value.get());
        }
        done.set(at);
        return Optional.empty();
    }
}
