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
 * State of one user at one server: its position in the list of requests, and the values it has taken from answers. A returning user
 * continues there. Not thread-safe.
 */
public final class UserSession {

    /** Longest quotation of an answer that lacks a value, characters. */
    public static final int MOST_SHOWN = 200;

    /**
     * The next request of a user.
     *
     * @param request index
     * @param pass number of the pass of all users through the list: its requests have the row of this number
     */
    public record Step(int request, long pass) {}

    private final BitSet done = new BitSet();
    private final Map<String, String> taken = new HashMap<>();
    private int at = -1;
    private long pass;

    /**
     * Returns the next step.
     *
     * @param requests the whole list, with those that are sent once before the others
     * @param passes supplies the number of a new pass, counted over all users
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

    /** True if it has begun a pass through this number of requests and not sent the last one. */
    public boolean isWithin(int requests) {
        return at >= 0 && at + 1 < requests;
    }

    /** Returns the values taken from answers, by name. */
    public Map<String, String> taken() {
        return taken;
    }

    /**
     * Takes the values that its last request extracts from the answer. A request that is sent once is done after a correct answer.
     *
     * @param status of the answer
     * @param headers returns the value of a header by its name; null for none
     * @param body its text
     * @return description of a missing value
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
