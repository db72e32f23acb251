package org.servletbench.bench.generator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.servletbench.bench.model.Visit;

/** A user's visits to servers: at each server it continues where it was. Not thread-safe. */
public final class UserPlace {
    private final Map<String, Visit> visits = new HashMap<>();
    private final Set<String> begun = new HashSet<>();

    /** Returns the visit to a server, by its address. */
    public Visit at(String server) {
        return visits.computeIfAbsent(server, none -> new Visit());
    }

    /** Records that a user has sent its one-time requests to this server. @return true if that was new */
    public boolean begins(String server) {
        return begun.add(server);
    }
}
