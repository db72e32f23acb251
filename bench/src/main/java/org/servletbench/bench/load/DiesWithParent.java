package org.servletbench.bench.load;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;

/**
 * The main class of every JMeter that we start: calls JMeter's own, and ends this JVM when standard input ends. Standard
 * input is a pipe from the rig, and closes when the rig's process ends, whatever ended it, kill -9 included.
 *
 * <p>It ends by {@link System#exit}, so that JMeter still writes out its results; and, where other hosts take part, stops
 * them first, through JMeter's own connection to them. (JMeter itself would be told by a UDP port, which it opens on every
 * interface: our runs have none.) Alone on the class path: it must use nothing but the JDK.
 */
public final class DiesWithParent {

    /** System property: the JMeter servers to stop, {@code host:port} with commas between. Not set: no other hosts. */
    public static final String HOSTS = "servlet-bench.stop.hosts";

    /** JMeter's hold on one of its servers. */
    private static final String CLIENT = "org.apache.jmeter.engine.ClientJMeterEngine";

    private static final int EXIT_CODE = 130;
    private static final long PATIENCE_MILLIS = 8_000;
    /** A host that has died does not answer. */
    private static final long STOP_MILLIS = 5_000;

    private DiesWithParent() {}

    /** @param args the main class, then its arguments */
    public static void main(String[] args) throws ReflectiveOperationException {
        watch();
        String hosts = System.getProperty(HOSTS);
        if (hosts != null) {
            Thread main = Thread.currentThread();
            // JMeter makes its own class loader that of the thread which starts it.
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> stop(hosts.split(","), main.getContextClassLoader())));
        }
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            System.err.println(e.getCause());
            System.exit(1);
        }
    }

    private static void watch() {
        Thread watcher = new Thread(DiesWithParent::awaitEnd, "servlet-bench-parent");
        watcher.setDaemon(true);
        watcher.start();
    }

    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever sent.
            }
        } catch (IOException e) {
            // As good as its end.
        }
        Thread last = new Thread(() -> {
            sleep(PATIENCE_MILLIS);
            Runtime.getRuntime().halt(EXIT_CODE);
        });
        last.setDaemon(true);
        last.start();
        System.exit(EXIT_CODE);
    }

    private static void stop(String[] hosts, ClassLoader jmeter) {
        long deadline = System.nanoTime() + STOP_MILLIS * 1_000_000;
        List<Thread> calls = Arrays.stream(hosts)
                .map(host -> new Thread(() -> stop(host, jmeter)))
                .toList();
        for (Thread call : calls) {
            call.setDaemon(true);
            call.start();
        }
        try {
            for (Thread call : calls) {
                call.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stop(String host, ClassLoader jmeter) {
        try {
            Class<?> client = Class.forName(CLIENT, true, jmeter);
            Object engine = client.getConstructor(String.class).newInstance(host);
            client.getMethod("stopTest", boolean.class).invoke(engine, true);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // It has died, or nothing runs there; if something does, it stops when its tier's time is over.
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
