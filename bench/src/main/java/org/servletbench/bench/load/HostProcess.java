package org.servletbench.bench.load;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.servletbench.bench.host.RemoteJvm;

/**
 * A process on a load host, which keeps it there under a name. The process ends with the connection; callers that wait
 * for it then receive a {@link LoadException}.
 */
final class HostProcess extends Process {

    private static final int CHUNK = 8192;

    private final RemoteJvm jvm;
    private final String name;
    private final CompletableFuture<Integer> exit;

    /**
     * @param name name under which the host keeps the {@link Process}
     */
    HostProcess(RemoteJvm jvm, String name) {
        this.jvm = jvm;
        this.name = name;
        this.exit = jvm.send(here -> here.kept(name, Process.class).waitFor());
    }

    // Jobs must capture local variables only, because captured objects are sent.

    /** Returns its next output, at least one byte; null at the end. The process may print nothing for a long time. */
    private byte[] chunk() {
        String kept = name;
        CompletableFuture<byte[]> written = jvm.send(here -> {
            byte[] buffer = new byte[CHUNK];
            int length = here.kept(kept, Process.class).getInputStream().read(buffer);
            return length < 0 ? null : Arrays.copyOf(buffer, length);
        });
        return written.join();
    }

    /** The output of the process, chunk by chunk as it arrives. */
    private final class Chunks implements Enumeration<InputStream> {
        private byte[] next;

        @Override
        public boolean hasMoreElements() {
            try {
                next = chunk();
            } catch (CompletionException e) {
                // The caller that waits for the process receives the reason.
                next = null;
            }
            return next != null;
        }

        @Override
        public InputStream nextElement() {
            return new ByteArrayInputStream(next);
        }
    }

    @Override
    public InputStream getInputStream() {
        return new SequenceInputStream(new Chunks());
    }

    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public OutputStream getOutputStream() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public int waitFor() throws InterruptedException {
        waitFor(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        return exitValue();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            exit.get(timeout, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new LoadException(e.getCause().getMessage());
        }
    }

    @Override
    public int exitValue() {
        if (!exit.isDone()) {
            throw new IllegalThreadStateException("it runs");
        }
        return exit.join();
    }

    @Override
    public void destroy() {
        String kept = name;
        jvm.send(here -> here.kept(kept, Process.class).destroyForcibly().pid());
    }
}
