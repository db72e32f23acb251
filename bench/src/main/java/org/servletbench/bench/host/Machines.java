package org.servletbench.bench.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.Keys;
import org.servletbench.bench.comparison.MeasureSpec;
import org.servletbench.bench.model.UsageException;

/**
 * The other machines of a run, as its options name them.
 *
 * @param target machine of the servers; empty: this machine
 * @param load machines of the load; empty: this machine
 * @param address address on which servers listen, as load hosts reach it; empty: the target's address in ssh's
 *     configuration
 */
public record Machines(Optional<Host> target, List<Host> load, HostJava java, Optional<String> address) {

    private static final String TARGET = "target.host";
    private static final String LOAD = "load.hosts";
    private static final String ADDRESS = "target.address";
    private static final String JDK = "host.jdk";
    /** Option that names a configuration file of ssh, which may contain commands. */
    public static final String CONFIG = "ssh.config";

    private static final String ALLOW = "target.allow-remote";

    /** Everything runs on this machine. */
    public static final Machines NONE =
            new Machines(Optional.empty(), List.of(), new HostJava(Optional.empty()), Optional.empty());

    /** All options that name machines or configure access to them. */
    public static final List<String> OPTIONS = List.of(TARGET, ADDRESS, LOAD, JDK, CONFIG, ALLOW);

    /**
     * Returns the machines of a single run.
     *
     * @param options options by their names, with dots; other options are ignored
     * @throws UsageException as {@link #of(MeasureSpec)}
     */
    public static Machines of(Map<String, String> options) {
        Map<String, String> own = new TreeMap<>(options);
        own.keySet().retainAll(OPTIONS);
        return of(Keys.bind(MeasureSpec.class, own, "-D"));
    }

    /**
     * @throws UsageException in one line, if the options contradict each other, or the user did not allow other
     *     machines
     */
    public static Machines of(MeasureSpec asked) {
        Optional<Path> config = Optional.ofNullable(asked.sshConfig()).map(Path::of);
        Optional<Host> target = Optional.ofNullable(asked.targetHost()).map(name -> Host.of(TARGET, name, config));
        List<Host> load = Optional.ofNullable(asked.loadHosts()).orElse(List.of()).stream()
                .map(name -> Host.of(LOAD, name, config))
                .toList();
        // The names are compared, because another user on the same machine does not make it another machine.
        if (load.stream().map(Host::name).distinct().count() < load.size()) {
            throw new UsageException(LOAD + ": a host is named twice");
        }
        target.map(Host::name).ifPresent(name -> {
            if (load.stream().map(Host::name).anyMatch(name::equals)) {
                throw new UsageException(LOAD + ": the servers run on " + name
                        + ", whose processors the load would take from them: name other machines");
            }
        });
        if ((target.isPresent() || !load.isEmpty()) && !Boolean.TRUE.equals(asked.targetAllowRemote())) {
            throw new UsageException(
                    "servers and load on other machines: add -Dtarget.allow-remote=true, or in a campaign"
                            + " --set measure.target-allow-remote=true, if they are yours to load");
        }
        if (target.isEmpty() && !load.isEmpty()) {
            throw new UsageException(LOAD + " needs " + TARGET + ": a server on this machine listens on loopback only");
        }
        if (target.isEmpty()) {
            requireTarget(ADDRESS, asked.targetAddress());
            requireTarget(JDK, asked.hostJdk());
            requireTarget(CONFIG, asked.sshConfig());
        }
        return new Machines(
                target,
                load,
                new HostJava(Optional.ofNullable(asked.hostJdk())),
                Optional.ofNullable(asked.targetAddress()));
    }

    private static void requireTarget(String option, String value) {
        if (value != null) {
            throw new UsageException(option + " is for servers on another machine: add " + TARGET);
        }
    }

    /** Returns all other machines, each of them once. */
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
