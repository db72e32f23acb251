package org.servletbench.bench.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BarrierTest {

    @Test
    void itOpensAtTheTimeThatWasSetForItsOwnLoad(@TempDir Path folder) throws IOException {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        Barrier second = new Barrier(folder, 1, now::get);
        Files.writeString(folder.resolve(Barrier.file(0)), Long.toString(now.get()));
        assertThat(second.isOpen()).as("that of another load").isFalse();

        Files.writeString(folder.resolve(Barrier.file(1)), Long.toString(now.get() + 40));
        assertThat(second.isOpen()).isFalse();
        assertThat(second.waitMs()).isEqualTo(40);

        now.addAndGet(40);
        assertThat(second.isOpen()).isTrue();
        assertThat(second.beginMs()).isEqualTo(now.get());
    }
}
