package org.servletbench.bench.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.servletbench.bench.model.TargetException;

/**
 * The machine on which servers run, connected as long as this is open.
 *
 * @param clock clock of that machine, when this was opened
 * @param address address on which servers listen, as a number
 * @param reached true if this machine must reach them, because the load comes from here
 */
public record TargetHost(RemoteJvm jvm, HostClock clock, String address, boolean reached) implements AutoCloseable {

    /**
     * Connects to it and measures its clock.
     *
     * @throws TargetException if it cannot be used; the message says what it lacks
     */
    public static TargetHost connect(Machines machines) {
        Host host = machines.target().orElseThrow();
        String name = machines.address().orElseGet(host::address);
        String address;
        try {
            address = InetAddress.getByName(name).getHostAddress();
        } catch (UnknownHostException e) {
            throw new TargetException("the address of " + name + " is unknown: give one of " + host.name()
                    + " that the load can reach, with target.address");
        }
        RemoteJvm jvm = RemoteJvm.connect(host, machines.java());
        try {
            return new TargetHost(
                    jvm, HostClock.measure(jvm), address, machines.load().isEmpty());
        } catch (TargetException e) {
            jvm.close();
            throw e;
        }
    }

    /** Returns its name. */
    public String name() {
        return jvm.host().name();
    }

    /** @throws TargetException if its clock has changed */
    public void requireSameClock() {
        clock.requireStill(HostClock.measure(jvm), name());
    }

    @Override
    public void close() {
        jvm.close();
    }
}
