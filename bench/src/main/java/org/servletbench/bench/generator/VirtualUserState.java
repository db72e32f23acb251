package org.servletbench.bench.generator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.servletbench.bench.model.UserSession;

/**
 * A user's sessions at servers. When the user comes back to a server, its session continues where it was. Not
 * thread-safe.
 */
public final class VirtualUserState {
    private final Map<String, UserSession> visits = new HashMap<>();
    private final Set<String> begun = new HashSet<>();

    /** Returns the user's session at a server, by its address. */
    public UserSession at(String server) {
        return visits.computeIfAbsent(server, none -> new UserSession());
    }

    /**
     * Records that a user has sent its one-time requests to this server.
     *
     * @return true if this is new
     */
    public boolean begins(String server) {
        return begun.add(server);
    }
}
