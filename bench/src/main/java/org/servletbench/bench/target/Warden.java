package org.servletbench.bench.target;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends the rig's processes when the rig cannot: a small JVM of its own that reads process ids from a pipe. The pipe closes
 * when the rig's process ends, whatever ended it, kill -9 included; then the warden ends what it was told to watch.
 *
 * <p>It is started before the first server, so that there is no moment in which a server runs unwatched.
 */
final class Warden {

    private static final Duration GRACE = Duration.ofSeconds(3);
    private static final List<String> SMALL_JVM =
            List.of("-Xms8m", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private final Process process;

    private Warden(Process process) {
        this.process = process;
    }

    /** Holds the one warden that this JVM needs, started at its first use. */
    private static final class Holder {
        static final Warden INSTANCE = start();
    }

    static Warden get() {
        return Holder.INSTANCE;
    }

    private static Warden start() {
        try {
            Path classes = Path.of(Warden.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            ProcessBuilder builder = new ProcessBuilder(Jvm.command(Jvm.ownHome()));
            builder.command().addAll(SMALL_JVM);
            builder.command().addAll(List.of("-cp", classes.toString(), Warden.class.getName()));
            return new Warden(builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Watches this process from now on. */
    void watch(ProcessHandle handle) throws IOException {
        tell("watch", handle);
    }

    /** The process has ended; its id may be given to another one. */
    void forget(ProcessHandle handle) {
        try {
            tell("forget", handle);
        } catch (IOException e) {
            // The warden has gone, and with it what it would have had to forget.
        }
    }

    private synchronized void tell(String verb, ProcessHandle handle) throws IOException {
        process.getOutputStream()
                .write((verb + " " + handle.pid() + " " + startMillis(handle) + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Tells a process from a later one with the same id; 0 where the system does not say. */
    private static long startMillis(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    // ---- inside the warden's own JVM ----

    private record Watched(ProcessHandle handle, long startMillis) {}

    /** Reads what to watch from standard input until that ends. */
    public static void main(String[] args) throws IOException {
        Map<Long, Watched> watched = new ConcurrentHashMap<>();
        // Ctrl-C reaches the whole process group, the warden too: then it does its work on the way out.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endAll(watched)));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            long pid = Long.parseLong(words[1]);
            if (words[0].equals("watch")) {
                ProcessHandle.of(pid)
                        .ifPresent(handle -> watched.put(pid, new Watched(handle, Long.parseLong(words[2]))));
            } else {
                watched.remove(pid);
            }
        }
    }

    private static void endAll(Map<Long, Watched> watched) {
        List<ProcessHandle> handles = watched.values().stream()
                .filter(one -> one.startMillis() == startMillis(one.handle()))
                .map(Watched::handle)
                .toList();
        handles.forEach(ProcessHandle::destroy);
        long deadline = System.nanoTime() + GRACE.toNanos();
        for (ProcessHandle handle : handles) {
            try {
                handle.onExit().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException e) {
                handle.destroyForcibly();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
