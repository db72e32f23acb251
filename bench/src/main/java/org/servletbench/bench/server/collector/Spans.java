package org.servletbench.bench.server.collector;

import java.nio.ByteBuffer;

/**
 * Counts the spans of an export, which is an {@code ExportTraceServiceRequest} of OTLP, encoded as Protocol Buffers.
 */
final class Spans {

    /** Numbers of the nested fields: spans of a resource, spans of a scope, and the span itself. */
    private static final int[] FIELDS = {1, 2, 2};

    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int NESTED = 2;
    private static final int FOUR_BYTES = 5;

    private static final int BITS_OF_TYPE = 3;
    private static final int BITS_OF_BYTE = 7;
    private static final int MOST_BITS = 64;

    private Spans() {}

    /** @throws IllegalArgumentException if it is not such a message */
    static long count(byte[] message) {
        return count(ByteBuffer.wrap(message), 0);
    }

    private static long count(ByteBuffer message, int level) {
        long found = 0;
        while (message.hasRemaining()) {
            long key = varint(message);
            int type = (int) key & (1 << BITS_OF_TYPE) - 1;
            switch (type) {
                case VARINT -> varint(message);
                case EIGHT_BYTES -> part(message, Long.BYTES);
                case FOUR_BYTES -> part(message, Integer.BYTES);
                case NESTED -> {
                    ByteBuffer nested = part(message, varint(message));
                    if (key >>> BITS_OF_TYPE == FIELDS[level]) {
                        found += level == FIELDS.length - 1 ? 1 : count(nested, level + 1);
                    }
                }
                default -> throw new IllegalArgumentException("there is no field of type " + type);
            }
        }
        return found;
    }

    /** Returns the next bytes of a message, and moves past them. */
    private static ByteBuffer part(ByteBuffer message, long length) {
        if (length < 0 || length > message.remaining()) {
            throw new IllegalArgumentException("a field ends behind its message");
        }
        ByteBuffer part = message.slice(message.position(), (int) length);
        message.position(message.position() + (int) length);
        return part;
    }

    private static long varint(ByteBuffer message) {
        long value = 0;
        for (int shift = 0; shift < MOST_BITS && message.hasRemaining(); shift += BITS_OF_BYTE) {
            byte next = message.get();
            value |= (long) (next & (1 << BITS_OF_BYTE) - 1) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number does not end");
    }
}
