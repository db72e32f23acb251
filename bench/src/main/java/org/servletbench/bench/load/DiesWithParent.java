package org.servletbench.bench.load;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The main class of every JMeter that we start: calls JMeter's own, and ends this JVM when standard input ends. Standard
 * input is a pipe from the rig, and closes when the rig's process ends, whatever ended it, kill -9 included.
 *
 * <p>It ends by {@link System#exit}, so that JMeter still writes out its results; and, where other hosts take part, tells
 * JMeter to stop them first. Alone on the class path: it must use nothing but the JDK.
 */
public final class DiesWithParent {

    /** System property: the UDP port on which JMeter takes {@code StopTestNow}. Not set: no other hosts. */
    static final String STOP_PORT = "servlet-bench.stop.port";

    private static final int EXIT_CODE = 130;
    private static final long PATIENCE_MILLIS = 8_000;
    private static final long STOP_MILLIS = 2_000;

    private DiesWithParent() {}

    /** @param args the main class, then its arguments */
    public static void main(String[] args) throws ReflectiveOperationException {
        watch();
        Integer stopPort = Integer.getInteger(STOP_PORT);
        if (stopPort != null) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopHosts(stopPort)));
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

    private static void stopHosts(int port) {
        byte[] stop = "StopTestNow".getBytes(StandardCharsets.US_ASCII);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(stop, stop.length, InetAddress.getLoopbackAddress(), port));
            sleep(STOP_MILLIS);
        } catch (IOException e) {
            // The hosts then stop by themselves when their tier's time is over.
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
