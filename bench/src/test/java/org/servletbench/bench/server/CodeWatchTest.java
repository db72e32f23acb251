package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.measure.WarmCode;

class CodeWatchTest {

    private final List<String> calls = new ArrayList<>();

    /** Returns a target that records its calls. */
    private Target server(boolean visible) {
        return (Target) Proxy.newProxyInstance(
                Target.class.getClassLoader(), new Class<?>[] {Target.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    if (!visible && method.getName().equals("startCode")) {
                        throw new IOException("not visible");
                    }
                    return switch (method.getName()) {
                        case "topTier" -> TopTier.C2;
                        case "code" -> new CodeTiers(0, 1, 699);
                        default -> null;
                    };
                });
    }

    @Test
    void aServerThatIsNotSampledIsNeverAskedToStop() {
        CodeWatch never = new CodeWatch(server(true));
        never.stop();
        CodeWatch unseen = new CodeWatch(server(false));
        unseen.start();
        unseen.stop();

        assertThat(calls).containsExactly("startCode");
        assertThat(unseen.look()).isEmpty();
    }

    @Test
    void samplingStopsOnceAndKeepsWhatWasSeen() {
        CodeWatch watch = new CodeWatch(server(true));
        watch.start();
        assertThat(watch.look())
                .hasValueSatisfying(seen -> assertThat(seen.isWarm()).isTrue());
        watch.stop();
        watch.stop();

        assertThat(calls).containsExactly("startCode", "topTier", "code", "stopCode");
        assertThat(watch.seen().map(WarmCode::seen)).contains(new CodeTiers(0, 1, 699));
    }
}
