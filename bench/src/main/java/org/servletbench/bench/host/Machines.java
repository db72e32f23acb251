package org.servletbench.bench.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;

/**
 * The other machines of a run, as named by its options.
 *
 * @param target machine of the servers; empty: here
 * @param load machines of the load; empty: here
 * @param address address on which servers listen, as load hosts reach it; empty: the target's address in ssh's configuration
 */
public record Machines(Optional<Host> target, List<Host> load, HostJava java, Optional<String> address) {

    /** Everything on this machine. */
    public static final Machines HERE =
            new Machines(Optional.empty(), List.of(), new HostJava(Optional.empty()), Optional.empty());

    private static final String TARGET = "target.host";
    private static final String LOAD = "load.hosts";
    private static final String ADDRESS = "target.address";
    private static final String JDK = "host.jdk";
    /** Option with a file that configures ssh, and may name commands. */
    public static final String CONFIG = "ssh.config";

    private static final String ALLOW = "target.allow-remote";

    /** Everything runs on this machine. */
    public static final Machines NONE =
            new Machines(Optional.empty(), List.of(), new HostJava(Optional.empty()), Optional.empty());

    /** All options that name machines or configure access to them. */
    public static final List<String> OPTIONS = List.of(TARGET, ADDRESS, LOAD, JDK, CONFIG, ALLOW);

    /** Reads {@code target.host}, {@code load.hosts}, {@code host.jdk}, {@code target.address} and {@code ssh.config}. */
    public static Machines of(Options options) {
        Optional<Path> config = options.text(CONFIG).map(Path::of);
        Optional<Host> target = options.text(TARGET).map(name -> Host.of(TARGET, name, config));
        List<Host> load = options.text(LOAD).map(names -> List.of(names.split(","))).orElse(List.of()).stream()
                .map(name -> Host.of(LOAD, name.strip(), config))
                .toList();
        // Compared by name: the same machine under another user is the same machine.
        if (load.stream().map(Host::name).distinct().count() < load.size()) {
            throw new UsageException(LOAD + ": a host is named twice");
        }
        target.map(Host::name).ifPresent(name -> {
            if (load.stream().map(Host::name).anyMatch(name::equals)) {
                throw new UsageException(LOAD + ": the servers run on " + name
                        + ", whose processors the load would take from them: name other machines");
            }
        });
        if ((target.isPresent() || !load.isEmpty()) && !options.flag(ALLOW)) {
            throw new UsageException(
                    "servers and load on other machines: add -Dtarget.allow-remote=true, or in a campaign"
                            + " --set measure.target-allow-remote=true, if they are yours to load");
        }
        if (target.isEmpty() && !load.isEmpty()) {
            throw new UsageException(LOAD + " needs " + TARGET + ": a server on this machine listens on loopback only");
        }
        if (target.isEmpty()) {
            Stream.of(ADDRESS, JDK, CONFIG).filter(options::isGiven).findFirst().ifPresent(name -> {
                throw new UsageException(name + " is for servers on another machine: add " + TARGET);
            });
        }
        return new Machines(target, load, new HostJava(options.text(JDK)), options.text(ADDRESS));
    }

    /** Returns all other machines, each once. */
    public List<Host> all() {
        return Stream.of(target.stream(), load.stream())
                .flatMap(hosts -> hosts)
                .distinct()
                .toList();
    }

    /** True if everything runs on this machine. */
    public boolean none() {
        return target.isEmpty() && load.isEmpty();
    }
}
