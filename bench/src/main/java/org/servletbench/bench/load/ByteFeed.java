package org.servletbench.bench.load;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * The bytes of a file, chunk after chunk, each read by a second thread while the one before it is decoded. What was
 * not decoded at the end of a chunk is put in front of the next one, so a record is always in one piece.
 */
final class ByteFeed implements Closeable {
    /** Bytes of the longest record that can straddle two chunks. */
    static final int HEADROOM = 256 << 10;

    private static final int CHUNK = 1 << 20;
    private static final int CHUNKS = 3;

    /** A chunk: its bytes lie from HEADROOM on. */
    private record Chunk(byte[] bytes, int length, IOException failure) {}

    private final FileChannel channel;
    private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS + 1);
    private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(CHUNKS + 1);
    private final Thread reader;
    private boolean ended;
    private long offset = -HEADROOM;

    /** The bytes at hand. One more byte than {@link #to} says may be overwritten: it is a place for a sentinel. */
    byte[] bytes = new byte[HEADROOM + CHUNK + 1];
    /** Place after the last byte at hand. */
    int to = HEADROOM;

    ByteFeed(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        for (int i = 1; i < CHUNKS; i++) {
            free.add(new byte[HEADROOM + CHUNK + 1]);
        }
        reader = new Thread(this::readAll, "log reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Where the first byte will be. */
    int start() {
        return HEADROOM;
    }

    private void readAll() {
        try {
            while (true) {
                byte[] chunk = free.take();
                Chunk read;
                try {
                    read = new Chunk(chunk, fill(chunk), null);
                } catch (ClosedByInterruptException e) {
                    return;
                } catch (IOException e) {
                    read = new Chunk(chunk, 0, e);
                }
                full.put(read);
                if (read.length == 0) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int fill(byte[] chunk) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(chunk, HEADROOM, CHUNK);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // until the chunk is full or the file has ended
        }
        return CHUNK - buffer.remaining();
    }

    /**
     * Brings more bytes. Those from {@code place} on stay, but move.
     *
     * @return where the byte at {@code place} is now, or -1 when the file has ended and nothing has moved
     */
    int more(int place) throws IOException {
        if (ended) {
            return -1;
        }
        int rest = to - place;
        if (rest > HEADROOM) {
            throw new UnreadableLogException(
                    "at byte " + offset(place) + ": a record of more than " + HEADROOM + " bytes");
        }
        Chunk next;
        try {
            next = full.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading");
        }
        if (next.failure != null) {
            throw next.failure;
        }
        if (next.length == 0) {
            ended = true;
            return -1;
        }
        System.arraycopy(bytes, place, next.bytes, HEADROOM - rest, rest);
        offset += to - HEADROOM;
        free.add(bytes);
        bytes = next.bytes;
        to = HEADROOM + next.length;
        return HEADROOM - rest;
    }

    /** Offset in the file of a place in {@link #bytes}. */
    long offset(int place) {
        return offset + place;
    }

    @Override
    public void close() throws IOException {
        reader.interrupt();
        channel.close();
    }
}
