package org.servletbench.bench.server.agent;

import java.lang.instrument.Instrumentation;

/**
 * Counts the requests that are waiting in the target app's handler, and releases them, through the app's class of the
 * same name.
 */
final class HeldRequests {

    private static final String OWNER = "org.servletbench.app.BlockingController";
    private static final String HELD = "org.servletbench.app.HeldRequests";

    private Class<?> held;

    /**
     * @param method {@code close}, {@code inside} or {@code open}, each of which returns the number of waiting requests
     */
    void describe(Instrumentation instrumentation, String method, Answer answer) {
        try {
            if (held == null) {
                held = Reflect.sibling(ServerIdentity.loaded(instrumentation, OWNER), HELD);
            }
            answer.put("inside", Reflect.callStatic(held, method));
        } catch (ReflectiveOperationException | RuntimeException e) {
            answer.put("error", e);
        }
    }
}
