package org.servletbench.bench.generator.jmeter.launch;

import java.net.InetAddress;
import java.security.Permission;
import java.util.Set;

/**
 * The main class of a JMeter with a user's own plan. It calls JMeter's own main class, and lets it connect only to the
 * checked addresses, wherever the plan, a redirect or an embedded page leads. It checks each socket, with the address
 * that the socket will use.
 *
 * <p>A plan that runs scripts or commands can bypass it. It prevents load from being sent elsewhere by mistake, but it
 * is not a sandbox.
 */
@SuppressWarnings("removal")
public final class TargetAllowList extends SecurityManager {

    /**
     * System property with the addresses and ports to which JMeter may connect, separated by commas; {@code *} is any
     * port.
     */
    public static final String TARGETS = "servlet-bench.targets";

    /** The latest JDK that lets a program check its sockets this way. */
    public static final int LAST_JDK = 23;

    /** Option of the JVM without which a newer JDK rejects a security manager. */
    public static final String ALLOW = "-Djava.security.manager=allow";

    public static final String ANY_PORT = "*";

    /** Stands for the port when a name is resolved. The address is checked when it is used. */
    private static final int LOOKED_UP = -1;

    private final Set<String> targets;

    private TargetAllowList(Set<String> targets) {
        this.targets = targets;
    }

    /**
     * @param args the main class, followed by its arguments
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        System.setSecurityManager(
                new TargetAllowList(Set.of(System.getProperty(TARGETS).split(","))));
        JMeterMain.call(args);
    }

    @Override
    public void checkConnect(String host, int port) {
        if (port != LOOKED_UP && !targets.contains(host + ":" + port) && !targets.contains(host + ":" + ANY_PORT)) {
            throw new SecurityException("no connection to " + host + ":" + port
                    + ", which is not the server that was named: add -Djmeter.plan.hosts=" + host + ":" + port
                    + " if it is yours to load");
        }
    }

    @Override
    public void checkConnect(String host, int port, Object context) {
        checkConnect(host, port);
    }

    @Override
    public void checkMulticast(InetAddress group) {
        checkConnect(group.getHostAddress(), 0);
    }

    /** Allows everything except replacing this security manager. */
    @Override
    public void checkPermission(Permission permission) {
        if (permission.getName().equals("setSecurityManager")) {
            throw new SecurityException("a plan must not change what keeps its load at the server");
        }
    }

    @Override
    public void checkPermission(Permission permission, Object context) {
        checkPermission(permission);
    }
}
