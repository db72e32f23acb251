package org.servletbench.bench.load.gatling;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.load.Sample;

/** Reads a simulation.log in the simplest way, into lists. It shares no code with the reader under test. */
final class SlowGatling {
    record User(String scenario, boolean starts, int at) {}

    final List<Sample> samples = new ArrayList<>();
    final List<User> users = new ArrayList<>();
    final List<String> errors = new ArrayList<>();
    long origin;
    boolean truncated;

    private final Map<Integer, String> cache = new HashMap<>();
    private final DataInputStream in;

    SlowGatling(byte[] log) throws IOException {
        in = new DataInputStream(new ByteArrayInputStream(log));
        in.readByte();
        string();
        string();
        origin = in.readLong();
        string();
        String[] scenarios = new String[in.readInt()];
        for (int i = 0; i < scenarios.length; i++) {
            scenarios[i] = string();
        }
        for (int i = in.readInt(); i > 0; i--) {
            in.readFully(new byte[in.readInt()]);
        }
        try {
            for (int header = in.read(); header >= 0; header = in.read()) {
                switch (header) {
                    case 1 -> {
                        String path = groups();
                        String name = path + cached();
                        int start = in.readInt();
                        int end = in.readInt();
                        boolean ok = in.readBoolean();
                        String message = cached();
                        samples.add(new Sample(name, start, end, ok ? null : message, -1, -1, -1));
                    }
                    case 2 -> users.add(new User(scenarios[in.readInt()], in.readBoolean(), in.readInt()));
                    case 3 -> {
                        groups();
                        in.readFully(new byte[13]);
                    }
                    case 4 -> {
                        String message = cached();
                        in.readInt();
                        errors.add(message);
                    }
                    default -> throw new IOException("header " + header);
                }
            }
        } catch (EOFException e) {
            truncated = true;
        }
    }

    private String groups() throws IOException {
        StringBuilder path = new StringBuilder();
        for (int i = in.readInt(); i > 0; i--) {
            path.append(cached()).append(" / ");
        }
        return path.toString();
    }

    private String cached() throws IOException {
        int index = in.readInt();
        if (index > 0) {
            cache.put(index, string());
            return cache.get(index);
        }
        return cache.get(-index);
    }

    private String string() throws IOException {
        byte[] bytes = new byte[in.readInt()];
        if (bytes.length == 0) {
            return "";
        }
        in.readFully(bytes);
        return new String(bytes, in.readByte() == 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16LE);
    }
}
