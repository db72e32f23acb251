package org.servletbench.bench.host;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Serializes messages to another JVM of servlet-bench, including paths (of the other machine) and optional values,
 * which Java cannot serialize.
 */
final class Wire extends ObjectOutputStream {

    /**
     * @param id number that the reply repeats
     */
    record Request(long id, Job<?> job) implements Serializable {}

    /**
     * @param value result of the job
     * @param failure its exception; null if it succeeded
     */
    record Reply(long id, Object value, Throwable failure) implements Serializable {}

    Wire(OutputStream out) throws IOException {
        super(out);
        enableReplaceObject(true);
    }

    /**
     * @param value the text of a path; the content of an optional value, or null
     */
    private record Sent(Class<?> type, Object value) implements Serializable {
        private Object readResolve() {
            if (type == Path.class) {
                return Path.of((String) value);
            }
            if (type == OptionalInt.class) {
                return value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
            }
            if (type == OptionalLong.class) {
                return value == null ? OptionalLong.empty() : OptionalLong.of((Long) value);
            }
            return Optional.ofNullable(value);
        }
    }

    @Override
    protected Object replaceObject(Object one) {
        if (one instanceof Path path) {
            return new Sent(Path.class, path.toString());
        }
        if (one instanceof OptionalInt optional) {
            return new Sent(OptionalInt.class, optional.isPresent() ? optional.getAsInt() : null);
        }
        if (one instanceof OptionalLong optional) {
            return new Sent(OptionalLong.class, optional.isPresent() ? optional.getAsLong() : null);
        }
        return one instanceof Optional<?> optional ? new Sent(Optional.class, optional.orElse(null)) : one;
    }
}
