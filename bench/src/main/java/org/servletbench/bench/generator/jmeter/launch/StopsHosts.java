package org.servletbench.bench.generator.jmeter.launch;

import java.util.Arrays;
import java.util.List;

/**
 * The main class of a JMeter that loads from other hosts. It calls JMeter's own main class, and stops the hosts when
 * this JVM ends, through JMeter's own connection to them. (JMeter itself would listen for a stop command on a UDP port,
 * which it opens on every interface. Runs of servlet-bench do not open it.)
 */
public final class StopsHosts {

    /** System property with the JMeter servers to stop, {@code host:port}, separated by commas. */
    public static final String HOSTS = "servlet-bench.stop.hosts";

    /** JMeter's class that controls one of its servers. */
    private static final String CLIENT = "org.apache.jmeter.engine.ClientJMeterEngine";

    /** Time limit, ms, because a host that has died does not answer. */
    private static final long STOP_MILLIS = 5_000;

    private StopsHosts() {}

    /**
     * @param args the main class, followed by its arguments
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        String[] hosts = System.getProperty(HOSTS).split(",");
        Thread main = Thread.currentThread();
        // JMeter sets its own class loader on the thread that starts it.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(hosts, main.getContextClassLoader())));
        JMeterMain.call(args);
    }

    private static void stop(String[] hosts, ClassLoader jmeter) {
        long deadline = System.nanoTime() + STOP_MILLIS * 1_000_000;
        List<Thread> calls = Arrays.stream(hosts)
                .map(host -> daemon(() -> stop(host, jmeter)))
                .toList();
        try {
            for (Thread call : calls) {
                call.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void stop(String host, ClassLoader jmeter) {
        try {
            Class<?> client = Class.forName(CLIENT, true, jmeter);
            Object engine = client.getConstructor(String.class).newInstance(host);
            client.getMethod("stopTest", boolean.class).invoke(engine, true);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // The host has died, or runs no test. A running test stops when its time is over.
        }
    }
}
