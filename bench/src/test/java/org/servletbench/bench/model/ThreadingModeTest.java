package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadingModeTest {

    private static final Workload HELLO = new Workload("hello", "/hello", 5, 5);
    private static final Workload DELAY = new Workload("delay", "/delay/20", 5, 5, true, "", "/delay/1");

    private static int probes(Threads threads, List<Threads> all, Workload workload, int users) {
        ThreadingMode serving = ThreadingMode.of(threads, all, List.of(HELLO, workload), users);
        assertThat(serving.threads()).isEqualTo(threads);
        return serving.probes();
    }

    @Test
    void countsOnlyWhereALimitCanMatter() {
        List<Threads> platform = List.of(Threads.PLATFORM, Threads.PLATFORM);
        List<Threads> both = List.of(Threads.PLATFORM, Threads.VIRTUAL);

        assertThat(probes(Threads.PLATFORM, platform, HELLO, 1500)).isZero();
        assertThat(probes(Threads.PLATFORM, both, HELLO, 100)).isEqualTo(150);
        assertThat(probes(Threads.VIRTUAL, both, HELLO, 200)).isEqualTo(250);
        assertThat(probes(Threads.PLATFORM, platform, DELAY, 100)).isEqualTo(150);
    }

    /** The number comes from the settings set. */
    @Test
    void theUsualPoolIsThatOfTheDefaultSettings() throws IOException {
        assertThat(Files.readAllLines(Path.of("../profiles/settings/equalised.properties")))
                .contains("bench.threads=" + ThreadingMode.USUAL_POOL);
    }

    @Test
    void whatOnlyStartsIsAskedForItsThreadsAndNotCounted() {
        List<Threads> both = List.of(Threads.PLATFORM, Threads.VIRTUAL);

        assertThat(ThreadingMode.ofStarts(Threads.VIRTUAL, both))
                .isEqualTo(new ThreadingMode(Threads.VIRTUAL, true, 0));
        assertThat(ThreadingMode.ofStarts(Threads.PLATFORM, both))
                .isEqualTo(new ThreadingMode(Threads.PLATFORM, true, 0));
        assertThat(ThreadingMode.ofStarts(Threads.PLATFORM, List.of(Threads.PLATFORM)))
                .isEqualTo(ThreadingMode.USUAL);
    }

    @Test
    void sendsMoreThanTheLoadHasUsers() {
        assertThat(probes(Threads.PLATFORM, List.of(Threads.PLATFORM), DELAY, 500))
                .isEqualTo(550);
        assertThat(probes(Threads.PLATFORM, List.of(Threads.PLATFORM), DELAY, 20_000))
                .isEqualTo(5_000);
    }
}
