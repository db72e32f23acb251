package org.servletbench.bench.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmSampleTest {

    @Test
    void anAnswerBeginsWithTheTimeAtWhichItsTotalsWereRead() {
        Answer answer = new Answer();
        long before = System.currentTimeMillis();
        new JvmSample().describe(answer);
        long after = System.currentTimeMillis();
        List<String> lines = answer.text().lines().toList();
        assertThat(lines.get(0)).startsWith("time.ms=");
        assertThat(Long.parseLong(lines.get(0).substring("time.ms=".length()))).isBetween(before, after);
        assertThat(lines).anyMatch(line -> line.startsWith("process.cpu.ms="));
    }

    @Test
    void theHeapAfterACollectionIsThatOfTheLastOne() {
        byte[] live = new byte[8 << 20];
        System.gc();
        Answer answer = new Answer();
        new JvmSample().describe(answer);
        String key = JvmSample.HEAP_AFTER_GC + "=";
        long bytes = answer.text()
                .lines()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.substring(key.length())))
                .findFirst()
                .orElseThrow();
        assertThat(bytes).isBetween((long) live.length, Runtime.getRuntime().maxMemory());
    }
}
