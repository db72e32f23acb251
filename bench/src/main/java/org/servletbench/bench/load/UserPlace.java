package org.servletbench.bench.load;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Where a user is in the requests that it sends to each server in order: it goes on there when it comes back. Not thread-safe. */
public final class UserPlace {

    /**
     * What a user sends next.
     *
     * @param request index
     * @param pass of all users through the list: its requests have the row of this number
     */
    public record Step(int request, long pass) {}

    private final Map<String, Step> last = new HashMap<>();

    /**
     * The next one to a server.
     *
     * @param requests how many there are in its list
     * @param passes that have begun, of all users
     */
    public Step next(String server, int requests, AtomicLong passes) {
        return last.compute(
                server,
                (key, step) -> step == null || step.request + 1 == requests
                        ? new Step(0, passes.getAndIncrement())
                        : new Step(step.request + 1, step.pass));
    }
}
