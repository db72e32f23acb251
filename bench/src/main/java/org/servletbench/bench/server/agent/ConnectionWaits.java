package org.servletbench.bench.server.agent;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a connection of a database pool, according to the application's own metrics: Micrometer's timer of
 * HikariCP, over all pools. Reading it here does not cost a request.
 */
final class ConnectionWaits {

    /** Column for the number of connections taken so far. */
    static final String TAKEN = "pool.taken";

    /** Column for the time from requesting a connection until it was available, summed over all connections, µs. */
    static final String WAITED = "pool.waited.us";

    private static final String METRICS = "io.micrometer.core.instrument.Metrics";
    private static final String WAIT = "hikaricp.connections.acquire";

    /**
     * Micrometer's timers that start each step from 0, and those that only pass on to others. Other timers extend them.
     */
    private static final List<String> NO_TOTALS = List.of("StepTimer", "CompositeTimer");

    /** Micrometer's class that knows all registries; null if the application does not use it. */
    private final Class<?> metrics;

    /** @param metrics Micrometer's class {@code Metrics}; null if it is not loaded */
    ConnectionWaits(Class<?> metrics) {
        this.metrics = metrics;
    }

    /** Finds the metrics among the loaded classes of a JVM. */
    static ConnectionWaits in(Class<?>[] loaded) {
        for (Class<?> type : loaded) {
            if (type.getName().equals(METRICS)) {
                return new ConnectionWaits(type);
            }
        }
        return new ConnectionWaits(null);
    }

    /** Adds both totals. They are empty if there is no such timer. */
    void describe(Answer answer) {
        List<?> timers = List.of();
        long taken = 0;
        double waited = 0;
        try {
            timers = metrics == null ? List.of() : timers();
            for (Object timer : timers) {
                taken += (Long) get(timer, "count");
                Method total = timer.getClass().getMethod("totalTime", TimeUnit.class);
                total.setAccessible(true);
                waited += (Double) total.invoke(timer, TimeUnit.MICROSECONDS);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            // With another version of Micrometer, nothing is known.
            timers = List.of();
        }
        boolean known = !timers.isEmpty();
        answer.put(TAKEN, known ? taken : "").put(WAITED, known ? Math.round(waited) : "");
    }

    /** Returns the timers of all pools, from the first registry that keeps totals. */
    private List<?> timers() throws ReflectiveOperationException {
        Object global = metrics.getField("globalRegistry").get(null);
        for (Object registry : (Iterable<?>) get(global, "getRegistries")) {
            Method find = registry.getClass().getMethod("find", String.class);
            find.setAccessible(true);
            Object search = find.invoke(registry, WAIT);
            List<?> timers = List.copyOf((Collection<?>) get(search, "timers"));
            if (!timers.isEmpty() && timers.stream().noneMatch(timer -> hasNoTotals(timer.getClass()))) {
                return timers;
            }
        }
        return List.of();
    }

    private static Object get(Object target, String method) throws ReflectiveOperationException {
        Method getter = target.getClass().getMethod(method);
        // The method is public, but its class is not.
        getter.setAccessible(true);
        return getter.invoke(target);
    }

    private static boolean hasNoTotals(Class<?> timer) {
        for (Class<?> type = timer; type != null; type = type.getSuperclass()) {
            if (NO_TOTALS.contains(type.getSimpleName())) {
                return true;
            }
        }
        return false;
    }
}
