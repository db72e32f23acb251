package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.UsageException;

/**
 * The JMeter servers that share a load's users.
 *
 * @param hosts servers in the given order; empty: JMeter runs on this machine alone
 */
public record JMeterHosts(List<Host> hosts) {

    /** Default port of a JMeter server. */
    public static final int DEFAULT_PORT = 1099;

    private static final int LAST_PORT = 65_535;

    /** Time in which a server must accept a connection so that it does not count as silent, ms. */
    private static final int PATIENCE_MILLIS = 2_000;

    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9][A-Za-z0-9.-]*)(?::(\\d{1,5}))?");

    /**
     * A JMeter server.
     *
     * @param text the host as the user wrote it, for results and errors
     * @param name its name or IPv4 address
     * @param port port of its RMI registry
     */
    public record Host(String text, String name, int port) {

        boolean answers() {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(name, port), PATIENCE_MILLIS);
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }

    /**
     * Returns the hosts of {@code -Djmeter.hosts=host1,host2:1099}.
     *
     * @param allowRemote whether the user allowed hosts other than this machine
     * @throws UsageException if a host is not of the form {@code name} or {@code name:port}, is named twice, is
     *     unknown, or is not on this machine and {@code -Dtarget.allow-remote=true} does not allow it
     */
    public static JMeterHosts of(List<String> texts, boolean allowRemote) {
        List<Host> hosts = new ArrayList<>();
        for (String text : texts) {
            Matcher matcher = HOST.matcher(text);
            if (!matcher.matches()) {
                throw new UsageException(
                        "-Djmeter.hosts: " + text + " is not understood: give hosts such as host1,host2:1099");
            }
            int port = matcher.group(2) == null ? DEFAULT_PORT : Integer.parseInt(matcher.group(2));
            if (port < 1 || port > LAST_PORT) {
                throw new UsageException("-Djmeter.hosts: " + text + ": a port is from 1 to " + LAST_PORT);
            }
            requireAllowed("jmeter.hosts", matcher.group(1), allowRemote);
            hosts.add(new Host(text, matcher.group(1), port));
        }
        if (hosts.stream()
                        .map(host -> host.name() + ":" + host.port())
                        .distinct()
                        .count()
                < hosts.size()) {
            throw new UsageException("-Djmeter.hosts has a duplicate");
        }
        return new JMeterHosts(List.copyOf(hosts));
    }

    /**
     * @throws UsageException if the host that an option names is not on this machine, and the user did not allow that
     */
    public static InetAddress requireAllowed(String option, String host, boolean allowRemote) {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!address.isLoopbackAddress() && !allowRemote) {
                throw new UsageException("-D" + option + ": " + host
                        + " is not on this machine: add -Dtarget.allow-remote=true if it is yours to use");
            }
            return address;
        } catch (UnknownHostException e) {
            throw new UsageException("-D" + option + ": no such host as " + host);
        }
    }

    public boolean isEmpty() {
        return hosts.isEmpty();
    }

    public boolean areLocal() {
        return hosts.stream().allMatch(host -> address(host).isLoopbackAddress());
    }

    private static InetAddress address(Host host) {
        try {
            return InetAddress.getByName(host.name());
        } catch (UnknownHostException e) {
            throw new LoadException("no such host as " + host.name());
        }
    }

    /**
     * Returns this machine's address as the hosts see it, to which they send their samples; loopback if all of them are
     * on this machine.
     */
    String ownAddress() {
        return hosts.stream()
                .map(JMeterHosts::address)
                .filter(address -> !address.isLoopbackAddress())
                .findFirst()
                .map(JMeterHosts::localAddressTowards)
                .orElse("127.0.0.1");
    }

    private static String localAddressTowards(InetAddress remote) {
        // Connecting a UDP socket sends nothing; it only makes the system choose the route.
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(remote, DEFAULT_PORT);
            return socket.getLocalAddress().getHostAddress();
        } catch (SocketException e) {
            throw new LoadException("no route to " + remote.getHostAddress() + " (" + e.getMessage() + ")");
        }
    }

    /** Returns the hosts in JMeter's format. */
    String list() {
        return String.join(",", hosts.stream().map(Host::text).toList());
    }

    /**
     * Returns a host's number of users. All hosts have the same number; if the users cannot be divided evenly, the
     * first hosts have one more.
     */
    public int share(int users, int index) {
        return users / hosts.size() + (index < users % hosts.size() ? 1 : 0);
    }

    /** Returns the first host that does not accept a connection now. */
    Optional<Host> silent() {
        return hosts.stream().filter(host -> !host.answers()).findFirst();
    }
}
