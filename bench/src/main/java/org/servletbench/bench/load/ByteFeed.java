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
public final class ByteFeed implements Closeable {
    private static final int LONGEST_RECORD = 256 << 10;
    private static final int CHUNK = 1 << 20;
    private static final int CHUNKS = 3;

    /** A chunk: its bytes lie from {@link #start} on. */
    private record Chunk(byte[] bytes, int length, IOException failure) {}

    private final FileChannel channel;
    private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS + 1);
    private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(CHUNKS + 1);
    private final Thread reader;
    private final int chunk;
    /** Bytes of the longest record that can straddle two chunks. */
    private final int headroom;

    private boolean ended;
    private long offset;

    /** The bytes at hand. One more byte than {@link #to} says may be overwritten: it is a place for a sentinel. */
    public byte[] bytes;
    /** Place after the last byte at hand. */
    public int to;

    public ByteFeed(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        long size = channel.size();
        // A pipe has no size.
        chunk = size > 0 ? (int) Math.min(CHUNK, size) : CHUNK;
        headroom = Math.min(LONGEST_RECORD, chunk);
        bytes = new byte[headroom + chunk + 1];
        to = headroom;
        offset = -headroom;
        for (int i = 1; i < CHUNKS; i++) {
            free.add(new byte[headroom + chunk + 1]);
        }
        reader = new Thread(this::readAll, "log reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Where the first byte will be. */
    public int start() {
        return headroom;
    }

    private void readAll() {
        try {
            while (true) {
                byte[] room = free.take();
                Chunk read;
                try {
                    read = new Chunk(room, fill(room), null);
                } catch (ClosedByInterruptException e) {
                    return;
                } catch (IOException e) {
                    read = new Chunk(room, 0, e);
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

    private int fill(byte[] room) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(room, headroom, chunk);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // until the chunk is full or the file has ended
        }
        return chunk - buffer.remaining();
    }

    /**
     * Brings more bytes. Those from {@code place} on stay, but move.
     *
     * @return where the byte at {@code place} is now, or -1 when the file has ended and nothing has moved
     */
    public int more(int place) throws IOException {
        if (ended) {
            return -1;
        }
        int rest = to - place;
        Chunk next = next();
        if (next.failure != null) {
            throw next.failure;
        }
        if (next.length == 0) {
            ended = true;
            return -1;
        }
        if (rest > headroom) {
            throw new UnreadableLogException(
                    "at byte " + offset(place) + ": a record of more than " + headroom + " bytes");
        }
        System.arraycopy(bytes, place, next.bytes, headroom - rest, rest);
        offset += to - headroom;
        free.add(bytes);
        bytes = next.bytes;
        to = headroom + next.length;
        return headroom - rest;
    }

    private Chunk next() throws IOException {
        try {
            return full.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading");
        }
    }

    /** Offset in the file of a place in {@link #bytes}. */
    public long offset(int place) {
        return offset + place;
    }

    @Override
    public void close() throws IOException {
        reader.interrupt();
        channel.close();
    }
}
