package org.servletbench.bench.load;

import java.util.HashMap;
import java.util.Map;
import org.servletbench.bench.server.http.Visit;

/** A user's visits to servers: it goes on in each where it was when it comes back. Not thread-safe. */
public final class UserPlace {
    private final Map<String, Visit> visits = new HashMap<>();

    /** The one to a server, by its address. */
    public Visit at(String server) {
        return visits.computeIfAbsent(server, none -> new Visit());
    }
}
