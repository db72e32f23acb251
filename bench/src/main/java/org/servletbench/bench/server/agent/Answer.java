package org.servletbench.bench.server.agent;

/** Collects {@code key=value} lines; a value's line breaks become blanks, so that a line stays a line. */
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
