package org.servletbench.bench.host;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What is sent to another JVM of ours: serialization, and what it lacks, paths (of the other machine) and optional values. */
final class Wire extends ObjectOutputStream {

    Wire(OutputStream out) throws IOException {
        super(out);
        enableReplaceObject(true);
    }

    private record SentPath(String path) implements Serializable {
        private Object readResolve() {
            return Path.of(path);
        }
    }

    private record SentOptional(Object value) implements Serializable {
        private Object readResolve() {
            return Optional.ofNullable(value);
        }
    }

    private record SentInt(Integer value) implements Serializable {
        private Object readResolve() {
            return value == null ? OptionalInt.empty() : OptionalInt.of(value);
        }
    }

    private record SentLong(Long value) implements Serializable {
        private Object readResolve() {
            return value == null ? OptionalLong.empty() : OptionalLong.of(value);
        }
    }

    @Override
    protected Object replaceObject(Object one) {
        if (one instanceof Path path) {
            return new SentPath(path.toString());
        }
        if (one instanceof Optional<?> optional) {
            return new SentOptional(optional.orElse(null));
        }
        if (one instanceof OptionalInt optional) {
            return new SentInt(optional.isPresent() ? optional.getAsInt() : null);
        }
        if (one instanceof OptionalLong optional) {
            return new SentLong(optional.isPresent() ? optional.getAsLong() : null);
        }
        return one;
    }
}
