package org.servletbench.bench.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A connection from this machine to a test host that delays its traffic, and can be cut. */
public final class SlowLine implements AutoCloseable {

    private static final int CHUNK = 8192;

    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress to;
    private final Path config;
    private final long thereMs;
    private final long backMs;
    /** Number of bytes that may still come back from the host. */
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

    /** Number of new connections that are still accepted. */
    private final AtomicLong carried = new AtomicLong(Long.MAX_VALUE);

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private record Chunk(byte[] bytes, long dueNanos) {}

    /**
     * Listens on a free port, and forwards connections to the host.
     *
     * @param config ssh configuration, written by the caller
     * @param thereMs delay on the way to the host, ms
     * @param backMs delay on the way back, ms
     */
    SlowLine(InetSocketAddress to, Path config, long thereMs, long backMs) throws IOException {
        this.to = to;
        this.config = config;
        this.thereMs = thereMs;
        this.backMs = backMs;
        thread(() -> {
            while (true) {
                carry(door.accept());
            }
        });
    }

    /** Returns the port on this machine. */
    int port() {
        return door.getLocalPort();
    }

    /** Returns the ssh configuration that uses this line. */
    public Path config() {
        return config;
    }

    /** Cuts all connections after this many more bytes from the host, and accepts no new ones. */
    public void cutAfter(long bytes) {
        left.set(bytes);
    }

    /** Accepts this many more connections, and then no more. */
    public void carryOnly(long connections) {
        carried.set(connections);
    }

    /** Repairs the line. */
    public void mend() {
        carried.set(Long.MAX_VALUE);
        left.set(Long.MAX_VALUE);
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void thread(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // The connection ended, or all of them did.
                    }
                },
                "slow-line");
        thread.setDaemon(true);
        thread.start();
    }

    private void carry(Socket here) throws IOException {
        if (carried.getAndDecrement() <= 0) {
            here.close();
            return;
        }
        open.add(here);
        if (left.get() <= 0) {
            end();
            return;
        }
        Socket there = new Socket(to.getAddress(), to.getPort());
        open.add(there);
        here.setTcpNoDelay(true);
        there.setTcpNoDelay(true);
        carry(here, there, thereMs, false);
        carry(there, here, backMs, true);
    }

    /** Chunks are pipelined, so that the delay costs no bandwidth. */
    private void carry(Socket from, Socket to, long delayMs, boolean counted) {
        BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
        thread(() -> {
            byte[] buffer = new byte[CHUNK];
            try (InputStream in = from.getInputStream()) {
                int read = in.read(buffer);
                for (; read >= 0; read = in.read(buffer)) {
                    underWay.add(new Chunk(Arrays.copyOf(buffer, read), System.nanoTime() + delayMs * 1_000_000));
                }
            } finally {
                underWay.add(new Chunk(new byte[0], System.nanoTime() + delayMs * 1_000_000));
            }
        });
        thread(() -> {
            try (OutputStream out = to.getOutputStream()) {
                for (Chunk next = underWay.take(); next.bytes.length > 0; next = underWay.take()) {
                    TimeUnit.NANOSECONDS.sleep(next.dueNanos - System.nanoTime());
                    if (counted && left.addAndGet(-next.bytes.length) <= 0) {
                        end();
                    }
                    out.write(next.bytes);
                    out.flush();
                }
            }
        });
    }

    private void end() throws IOException {
        for (Socket one : open) {
            one.close();
        }
        open.clear();
    }

    @Override
    public void close() throws IOException {
        door.close();
        end();
    }
}
