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
 * State of one user at one server: the position in the list of requests, and the values taken from answers. A user who
 * returns continues from there. Not thread-safe.
 */
public final class UserSession {

    /** Maximum length of the quotation from an answer that lacks a value, characters. */
    public static final int MOST_SHOWN = 200;

    /**
     * The next request of a user.
     *
     * @param request index of the request
     * @param pass number of the pass through the list, counted over all users; requests of the pass use the row with
     *     this number
     */
    public record Step(int request, long pass) {}

    private final BitSet done = new BitSet();
    private final Map<String, String> taken = new HashMap<>();
    private int at = -1;
    private long pass;

    /**
     * Returns the next step.
     *
     * @param requests the whole list; requests that are sent once come first
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

    /** True if the user has started a pass through this number of requests and not sent the last one. */
    public boolean isWithin(int requests) {
        return at >= 0 && at + 1 < requests;
    }

    /** Returns the values taken from answers, by name. */
    public Map<String, String> taken() {
        return taken;
    }

    /**
     * Takes the values that the last request extracts from its answer. A request that is sent once is done after a
     * correct answer.
     *
     * @param status status of the answer
     * @param headers returns the value of a header by its name, or null
     * @param body returns the text of the body
     * @return description of a missing value; empty if none is missing
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
