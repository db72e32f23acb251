package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverloadTest {

    private static final long RIG = 1;
    private static final long SERVER = 2;

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final Map<Long, Long> cpu = new HashMap<>(Map.of(RIG, 100L, SERVER, 200L));
    private long busy = 5000;
    private long ended;

    private final OthersMeter.Kernel kernel = new OthersMeter.Kernel() {
        @Override
        public long busyMillis(List<Integer> processors) {
            return busy;
        }

        @Override
        public List<Integer> processors(long pid) {
            return List.of(0, 1);
        }

        @Override
        public long cpuMillis(long pid) throws IOException {
            if (!cpu.containsKey(pid)) {
                throw new IOException("it has ended");
            }
            return cpu.get(pid);
        }

        @Override
        public long endedChildrenMillis(long pid) {
            return ended;
        }
    };

    private Overload begin() throws IOException {
        Path average = Files.writeString(folder.resolve("loadavg"), "58.03 40.10 12.00 5/300 999\n");
        return Overload.begin(kernel, average, nanos::get, RIG, Set.of(SERVER));
    }

    @Test
    void whatIsNotOursIsThatOfOthers() throws IOException {
        Overload overload = begin();
        nanos.addAndGet(10_000_000_000L);
        busy += 20_000;
        cpu.put(RIG, 600L);
        cpu.put(SERVER, 1000L);
        ended += 300;

        assertThat(overload.words())
                .isEqualTo("load average 58.03 on 2 processors; other programs took 92 % of their time");
    }

    /** The time of a server that has ended counts like that of any child that has ended. */
    @Test
    void aServerThatHasEndedIsOurs() throws IOException {
        Overload overload = begin();
        nanos.addAndGet(10_000_000_000L);
        busy += 1000;
        cpu.remove(SERVER);
        ended += 1200;

        assertThat(overload.others()).isZero();
    }
}
