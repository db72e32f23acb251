package org.servletbench.bench.server.agent;

/** Collects {@code key=value} lines. Line breaks in a value become blanks, so that each value stays on one line. */
public final class Answer {

    private final StringBuilder lines = new StringBuilder(512);

    Answer put(String key, Object value) {
        lines.append(key)
                .append('=')
                .append(String.valueOf(value).replaceAll("[\\r\\n]+", " "))
                .append('\n');
        return this;
    }

    String text() {
        return lines.append('\n').toString();
    }
}
