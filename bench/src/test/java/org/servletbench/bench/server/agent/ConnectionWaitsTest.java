package org.servletbench.bench.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests classes with the methods of Micrometer; {@code QueryIT} reads the real ones. */
class ConnectionWaitsTest {

    /** Imitates Micrometer's class of this name. */
    public static final class Metrics {
        public static final Global globalRegistry = new Global();
    }

    public static final class Global {
        private final List<Registry> registries = new ArrayList<>();

        public List<Registry> getRegistries() {
            return registries;
        }
    }

    public record Registry(String name, List<?> timers) {
        public Search find(String wanted) {
            return new Search(wanted.equals(name) ? timers : List.of());
        }
    }

    public record Search(List<?> timers) {}

    private static class CumulativeTimer {
        private final long count;
        private final double millis;

        private CumulativeTimer(long count, double millis) {
            this.count = count;
            this.millis = millis;
        }

        public long count() {
            return count;
        }

        public double totalTime(TimeUnit unit) {
            return millis * unit.convert(1, TimeUnit.MILLISECONDS);
        }
    }

    private static class StepTimer extends CumulativeTimer {
        private StepTimer() {
            super(3, 3);
        }
    }

    private static final class OfSomeBackend extends StepTimer {}

    @AfterEach
    void forget() {
        Metrics.globalRegistry.registries.clear();
    }

    private static String answer(Class<?> metrics) {
        Answer answer = new Answer();
        new ConnectionWaits(metrics).describe(answer);
        return answer.text().strip();
    }

    private static void registry(String name, CumulativeTimer... timers) {
        Metrics.globalRegistry.registries.add(new Registry(name, List.of(timers)));
    }

    @Test
    void waitsOfAllPoolsAreAddedUp() {
        registry("hikaricp.connections.acquire", new CumulativeTimer(10, 2.5), new CumulativeTimer(5, 1));
        // A second registry has the same timers, which must not be counted twice.
        registry("hikaricp.connections.acquire", new CumulativeTimer(10, 2.5), new CumulativeTimer(5, 1));

        assertThat(answer(Metrics.class)).isEqualTo("pool.taken=15\npool.waited.us=3500");
    }

    /** A registry that sends what happened in each step then forgets it, so its growth means nothing. */
    @Test
    void timersThatStartAnewAreNoTotals() {
        registry("hikaricp.connections.acquire", new OfSomeBackend());
        assertThat(answer(Metrics.class)).isEqualTo("pool.taken=\npool.waited.us=");

        registry("hikaricp.connections.acquire", new CumulativeTimer(1, 1));
        assertThat(answer(Metrics.class)).isEqualTo("pool.taken=1\npool.waited.us=1000");
    }

    @Test
    void whatNoServiceCountsIsEmpty() {
        registry("jdbc.connections.active", new CumulativeTimer(1, 1));
        assertThat(answer(Metrics.class)).isEqualTo("pool.taken=\npool.waited.us=");
        assertThat(answer(null)).isEqualTo("pool.taken=\npool.waited.us=");
        assertThat(answer(String.class)).as("another class").isEqualTo("pool.taken=\npool.waited.us=");

        Answer answer = new Answer();
        ConnectionWaits.in(new Class<?>[] {String.class}).describe(answer);
        assertThat(answer.text()).isEqualTo("pool.taken=\npool.waited.us=\n\n");
    }
}
