package org.servletbench.bench.load.jmeter;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.generator.jmeter.launch.TargetAllowList;
import org.servletbench.bench.model.UsageException;

/**
 * Hosts to which a user's own plan may connect, besides its server; {@code -Djmeter.plan.hosts} names them. Each name
 * is resolved once, and JMeter may use only the resolved addresses.
 *
 * @param addresses addresses in the format of {@link TargetAllowList}
 */
public record PlanTargets(Set<String> addresses) {

    /** Option that names the hosts. */
    public static final String OPTION = "jmeter.plan.hosts";

    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?");
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /**
     * @throws UsageException if a host is malformed or unknown
     */
    public static PlanTargets of(List<String> hosts) {
        Set<String> addresses = new TreeSet<>();
        for (String text : hosts) {
            Matcher host = HOST.matcher(text);
            if (!host.matches()) {
                throw new UsageException(
                        "-D" + OPTION + ": " + text + " is not understood: give hosts such as auth1,db1:5432");
            }
            try {
                add(addresses, host.group(1), host.group(2) == null ? TargetAllowList.ANY_PORT : host.group(2));
            } catch (UnknownHostException e) {
                throw new UsageException("-D" + OPTION + ": no such host as " + host.group(1));
            }
        }
        return new PlanTargets(addresses);
    }

    /**
     * Rejects a JDK that cannot check sockets, before a server is started.
     *
     * @throws UsageException if the JDK cannot
     */
    public static void requireJdk() {
        if (Runtime.version().feature() > TargetAllowList.LAST_JDK) {
            throw new UsageException(
                    "-Djmeter.plan: the guard that keeps a plan's load on its server needs a JDK from 17 to "
                            + TargetAllowList.LAST_JDK + ", and this is "
                            + Runtime.version().feature()
                            + ": run Maven with such a JDK (JAVA_HOME)");
        }
    }

    /** Returns these addresses and the server's address. */
    Set<String> and(URI server) throws UnknownHostException {
        Set<String> all = new TreeSet<>(addresses);
        int usual = "https".equals(server.getScheme()) ? HTTPS : HTTP;
        add(all, server.getHost(), Integer.toString(server.getPort() < 0 ? usual : server.getPort()));
        return all;
    }

    private static void add(Set<String> all, String host, String port) throws UnknownHostException {
        for (InetAddress address : InetAddress.getAllByName(host)) {
            all.add(address.getHostAddress() + ":" + port);
        }
    }
}
