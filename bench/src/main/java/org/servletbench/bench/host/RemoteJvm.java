package org.servletbench.bench.host;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.servletbench.bench.host.Wire.Reply;
import org.servletbench.bench.host.Wire.Request;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * A JVM of servlet-bench on another machine, which runs until this object is closed. It does {@link Job}s, several at a
 * time.
 */
public final class RemoteJvm implements AutoCloseable {

    /** Time between two heartbeats, s. */
    static final int HEARTBEAT_SECONDS = 2;

    /** Time without an answer to a heartbeat after which the connection counts as lost, s. */
    private static final int LOST_SECONDS = 15;

    /** Maximum time until the JVM on the host sends something, s. */
    private static final int START_SECONDS = 60;

    /** Default time limit of a job. */
    private static final Duration USUAL = Duration.ofSeconds(60);

    /** Time in which the JVM on the host must end the processes that it started. */
    private static final Duration GRACE = Duration.ofSeconds(20);

    /**
     * Options for UTF-8, whatever the locale of a login without a terminal is. Their names in JDK 17 differ from those
     * in later versions.
     */
    private static final String PRINTS_UTF_8 =
            "-Dfile.encoding=UTF-8 -Dsun.stderr.encoding=UTF-8 -Dstderr.encoding=UTF-8";

    private static final Daemon DAEMON = new Daemon("servlet-bench-host");

    private final Host host;
    private final String folder;
    private final Process process;
    private final Path errors;
    private final ObjectOutputStream requests;
    private final Map<Long, CompletableFuture<Object>> open = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final ScheduledExecutorService heartbeat = Executors.newSingleThreadScheduledExecutor(DAEMON);
    private volatile String lost;
    /** Name of the class that was rejected. */
    private String rejected = "";

    /**
     * Connects to a host: checks it, copies missing files, and starts a JVM there.
     *
     * @throws TargetException if the host cannot be reached, lacks something (the message says what), or the JVM does
     *     not start
     */
    public static RemoteJvm connect(Host host, HostJava java) {
        return connect(host, java, List.of());
    }

    /**
     * @param others jars with classes of jobs that servlet-bench's own jars do not contain
     */
    static RemoteJvm connect(Host host, HostJava java, List<Path> others) {
        HostCheck check = HostCheck.of(host, java);
        check.requireUsable();
        List<String> classPath = HostFiles.install(host, check, others);
        return start(
                host,
                check.folder(),
                host.ssh(java.command() + " -Xmx256m " + PRINTS_UTF_8 + " -cp '" + String.join(":", classPath) + "' "
                        + HostMain.class.getName() + " '" + check.folder() + "/connection-" + UUID.randomUUID() + "'"));
    }

    /**
     * @param command runs {@link HostMain}, whose standard streams are connected to this JVM
     */
    private static RemoteJvm start(Host host, String folder, List<String> command) {
        try {
            Path errors = Files.createTempFile("servlet-bench-ssh-", ".err");
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            try {
                return new RemoteJvm(host, folder, process, errors);
            } catch (IOException e) {
                boolean refused = endsBy(process, Ssh.FAILED);
                ManagedProcess.stop(process);
                String reason = lastLine(errors, e.getMessage());
                Files.deleteIfExists(errors);
                throw new TargetException(
                        refused
                                ? host.unreachable(reason)
                                : "no JVM could be started on " + host.name() + ": " + reason);
            }
        } catch (IOException e) {
            throw new TargetException("cannot run ssh (" + e.getMessage() + "): install OpenSSH's client");
        }
    }

    private static boolean endsBy(Process process, int code) {
        try {
            return process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == code;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private RemoteJvm(Host host, String folder, Process process, Path errors) throws IOException {
        this.host = host;
        this.folder = folder;
        this.process = process;
        this.errors = errors;
        this.requests = new Wire(new BufferedOutputStream(process.getOutputStream()));
        requests.flush();
        // A JVM that hangs sends nothing; killing it ends the reading.
        Future<?> late = heartbeat.schedule(process::destroyForcibly, START_SECONDS, TimeUnit.SECONDS);
        ObjectInputStream replies = new ObjectInputStream(process.getInputStream());
        replies.setObjectInputFilter(this::taken);
        late.cancel(false);
        DAEMON.newThread(() -> listen(replies)).start();
        heartbeat.scheduleWithFixedDelay(this::beat, HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
    }

    private ObjectInputFilter.Status taken(ObjectInputFilter.FilterInfo info) {
        ObjectInputFilter.Status status = REPLIES.checkInput(info);
        if (status == ObjectInputFilter.Status.REJECTED) {
            rejected =
                    info.serialClass() == null ? "too deep" : info.serialClass().getName();
        }
        return status;
    }

    /** Classes that are allowed in a host's answer: classes of servlet-bench, and values of the JDK. */
    private static final ObjectInputFilter REPLIES = ObjectInputFilter.Config.createFilter(
            "maxdepth=64;org.servletbench.bench.**;java.lang.*;java.util.*;java.util.concurrent.*;java.time.*;java.io.*;"
                    + "java.net.*;java.nio.file.*;sun.nio.fs.*;!*");

    /** Returns the machine on which the JVM runs. */
    public Host host() {
        return host;
    }

    /** Returns servlet-bench's folder on the host. */
    String folder() {
        return folder;
    }

    /** Returns why the connection ended without being closed; null while it lives. */
    public String lost() {
        return lost;
    }

    /**
     * Runs a job on the host and waits for it, for up to a minute.
     *
     * @throws TargetException if the job fails or takes longer, the connection is lost, or this thread is interrupted
     */
    public <T> T call(Job<T> job) {
        return call(job, USUAL);
    }

    /** Runs a job on the host with another time limit. */
    public <T> T call(Job<T> job, Duration limit) {
        try {
            return send(job).get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new TargetException(host.name() + " did not answer within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            throw TargetException.interrupted(host.name() + " worked");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TargetException known
                    ? known
                    : new TargetException(host.name() + ": " + e.getCause().getMessage());
        }
    }

    /** Starts a job on the host. The future fails in the same cases as {@link #call}. */
    @SuppressWarnings("unchecked")
    public <T> CompletableFuture<T> send(Job<T> job) {
        long id = ids.incrementAndGet();
        CompletableFuture<Object> reply = new CompletableFuture<>();
        open.put(id, reply);
        try {
            synchronized (requests) {
                requests.writeObject(new Request(id, job));
                requests.flush();
                requests.reset();
            }
        } catch (NotSerializableException e) {
            open.remove(id);
            throw new IllegalArgumentException("a job holds what cannot be sent: " + e.getMessage(), e);
        } catch (IOException e) {
            lose();
        }
        if (lost != null) {
            failAll();
        }
        return (CompletableFuture<T>) reply;
    }

    private void listen(ObjectInputStream replies) {
        try {
            while (true) {
                Reply reply = (Reply) replies.readObject();
                CompletableFuture<Object> waiting = open.remove(reply.id());
                if (reply.failure() != null) {
                    waiting.completeExceptionally(reply.failure());
                } else {
                    waiting.complete(reply.value());
                }
            }
        } catch (InvalidClassException e) {
            lose("its answer has something that we do not accept from another machine (" + rejected + ")");
        } catch (IOException | ClassNotFoundException e) {
            lose();
        }
    }

    private void beat() {
        try {
            send(here -> null).get(LOST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            process.destroyForcibly();
            lose();
        } catch (ExecutionException e) {
            // The failure has been reported already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lose() {
        lose(lastLine(errors, "no reason is known"));
    }

    private void lose(String why) {
        if (lost == null) {
            lost = "the connection to " + host.name() + " was lost: " + why;
        }
        heartbeat.shutdownNow();
        failAll();
    }

    private void failAll() {
        open.keySet().forEach(id -> {
            CompletableFuture<Object> waiting = open.remove(id);
            if (waiting != null) {
                waiting.completeExceptionally(new TargetException(lost));
            }
        });
    }

    private static String lastLine(Path errors, String otherwise) {
        try {
            return Files.readAllLines(errors, StandardCharsets.UTF_8).stream()
                    .filter(line -> !line.isBlank())
                    .reduce((first, second) -> second)
                    .orElse(otherwise);
        } catch (IOException e) {
            return otherwise;
        }
    }

    /** Ends the JVM on the host and everything that it started; returns when they have ended. */
    @Override
    public void close() {
        heartbeat.shutdownNow();
        try {
            synchronized (requests) {
                requests.close();
            }
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                ManagedProcess.stop(process);
            }
        } catch (IOException e) {
            ManagedProcess.stop(process);
        } catch (InterruptedException e) {
            ManagedProcess.stop(process);
            Thread.currentThread().interrupt();
        }
        try {
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            // It is only a temporary file.
        }
    }
}
