package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.UnreadableLogException;

/** Golden logs, and small logs for single cases. */
public final class Logs {
    private Logs() {}

    public static byte[] golden(String name) {
        try (InputStream in = Logs.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static LogMeasurement measure(Path folder, byte[] log) throws IOException {
        Path file = folder.resolve("log");
        Files.write(file, log);
        return RawLog.of(file).measure();
    }

    public static LogMeasurement measure(Path folder, String csv) throws IOException {
        return measure(folder, csv.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a log as Gatling would. */
    public static final class GatlingWriter {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);
        private final Map<String, Integer> cache = new HashMap<>();

        public GatlingWriter(String version, String... scenarios) throws IOException {
            this(version, "a.Simulation", List.of(scenarios));
        }

        public GatlingWriter(String version, String simulation, List<String> scenarios) throws IOException {
            out.writeByte(0);
            string(version);
            string(simulation);
            out.writeLong(1_700_000_000_123L);
            string("");
            out.writeInt(scenarios.size());
            for (String scenario : scenarios) {
                string(scenario);
            }
            out.writeInt(1);
            out.writeInt(3);
            out.write(new byte[] {1, 2, 3});
        }

        public GatlingWriter user(int scenario, boolean start, int at) throws IOException {
            out.writeByte(2);
            out.writeInt(scenario);
            out.writeBoolean(start);
            out.writeInt(at);
            return this;
        }

        public GatlingWriter request(String name, int start, int end, String error) throws IOException {
            return request(List.of(), name, start, end, error);
        }

        /** @param groups groups around the request, outermost first */
        public GatlingWriter request(List<String> groups, String name, int start, int end, String error)
                throws IOException {
            out.writeByte(1);
            out.writeInt(groups.size());
            for (String group : groups) {
                cached(group);
            }
            cached(name);
            out.writeInt(start);
            out.writeInt(end);
            out.writeBoolean(error == null);
            cached(error == null ? "" : error);
            return this;
        }

        public GatlingWriter raw(int... values) throws IOException {
            for (int value : values) {
                out.writeByte(value);
            }
            return this;
        }

        public byte[] log() {
            return bytes.toByteArray();
        }

        private void cached(String text) throws IOException {
            Integer known = cache.get(text);
            if (known != null) {
                out.writeInt(-known);
                return;
            }
            cache.put(text, cache.size() + 1);
            out.writeInt(cache.size());
            string(text);
        }

        private void string(String text) throws IOException {
            boolean latin = text.chars().allMatch(c -> c < 256);
            byte[] value = text.getBytes(latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16LE);
            out.writeInt(value.length);
            if (value.length > 0) {
                out.write(value);
                out.writeByte(latin ? 0 : 1);
            }
        }
    }

    /** Asserts that a log is rejected, with a reason in one line. */
    public static void assertRefused(Path folder, String log, String message) {
        assertThatThrownBy(() -> measure(folder, log))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }
}
