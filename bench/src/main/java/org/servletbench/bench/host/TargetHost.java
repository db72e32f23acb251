package org.servletbench.bench.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.servletbench.bench.model.TargetException;

/**
 * The machine on which servers run. It is connected until this object is closed.
 *
 * @param clock clock of that machine, as measured when this object was opened
 * @param address numeric address on which servers listen
 * @param reached true if this machine must reach the servers, because it sends the load
 */
public record TargetHost(RemoteJvm jvm, HostClock clock, String address, boolean reached) implements AutoCloseable {

    /**
     * Connects to the machine and measures its clock.
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

    /**
     * @throws TargetException if the machine's clock has changed
     */
    public void requireSameClock() {
        clock.requireStill(HostClock.measure(jvm), name());
    }

    @Override
    public void close() {
        jvm.close();
    }
}
