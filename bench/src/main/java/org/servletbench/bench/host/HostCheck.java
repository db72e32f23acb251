package org.servletbench.bench.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.Jdk;

/**
 * Facts that a host reports before any file of servlet-bench is there.
 *
 * @param facts facts by name: {@code kernel}, {@code machine}, {@code cores}, {@code memory} (kB), {@code files}
 *     (maximum number of open files of a process), {@code attach}, {@code setpriv}, {@code home}, and properties of its
 *     java such as {@code java.version}; unavailable facts are missing
 * @param files files of servlet-bench that are already there, as hash and name
 * @param unreachable why ssh did not reach the host; empty if it did
 */
public record HostCheck(Host host, Map<String, String> facts, List<String> files, Optional<String> unreachable) {

    /** Minimum limit of open files. 1500 users need as many connections, and the JVM needs its own files. */
    private static final int LEAST_FILES = 4096;

    private static final String JAVA = "java.version";
    /** Options that set the JDK of a host in a single run, a campaign, and doctor. */
    private static final String OTHER_JDK = "-Dhost.jdk=HOME, --set measure.host-jdk=HOME or --host-jdk HOME";

    /** Checks a host; never fails because of the host's state. */
    public static HostCheck of(Host host, HostJava java) {
        String script = "echo kernel=$(uname -s); echo home=$HOME; echo machine=$(uname -m); echo files=$(ulimit -Hn);"
                + " echo setpriv=$(command -v setpriv);"
                + " echo cores=$(getconf _NPROCESSORS_ONLN); echo memory=$(sed -n \"s/^MemTotal: *//p\" /proc/meminfo);"
                + " %1$s -XshowSettings:properties -version 2>&1 | sed -n \"s/^ *\\(java[.a-z]*\\) = /\\1=/p\";"
                + " echo attach=$(%1$s --list-modules 2>/dev/null | grep -c ^jdk.attach);"
                + " cd $HOME/%2$s/files 2>/dev/null && ls -d */* | sed s/^/have=/; true";
        ManagedProcess.Ended result = Ssh.run(
                host.ssh("sh -c '" + script.formatted(java.command(), HostFiles.FOLDER) + "'"), Optional.empty());
        Map<String, String> facts = new LinkedHashMap<>();
        List<String> files = new ArrayList<>();
        for (String line : result.output().split("\n")) {
            int equals = line.indexOf('=');
            String value = line.substring(equals + 1).strip();
            if (equals > 0 && line.startsWith("have=")) {
                files.add(value);
            } else if (equals > 0 && !value.isEmpty()) {
                facts.put(line.substring(0, equals), value);
            }
        }
        return new HostCheck(
                host,
                facts,
                files,
                result.exitCode() == Ssh.FAILED || !facts.containsKey("kernel")
                        ? Optional.of(result.lastLine().orElse(Ssh.SILENT))
                        : Optional.empty());
    }

    /** Returns the problems that make the host unusable, one line each with the solution; empty for a usable host. */
    public List<String> problems() {
        String name = host.name();
        if (unreachable.isPresent()) {
            return List.of(host.unreachable(unreachable.get()));
        }
        List<String> problems = new ArrayList<>();
        if (!"Linux".equals(facts.get("kernel"))) {
            problems.add(name + " runs " + facts.get("kernel") + ": Linux is needed");
        }
        if (!facts.getOrDefault("home", "").matches("/[\\w/.+-]*")) {
            problems.add(name + " has the home '" + facts.get("home") + "': a path without blanks is needed");
        }
        if (!facts.containsKey(JAVA)) {
            problems.add(name + " has no java that runs (" + facts.get("machine") + "): install a JDK " + Jdk.OLDEST
                    + " or newer for this architecture, or give its folder: " + OTHER_JDK);
        } else if (Jdk.feature(facts.get(JAVA)).orElse(0) < Jdk.OLDEST) {
            problems.add(name + " has Java " + facts.get(JAVA) + ": install a JDK " + Jdk.OLDEST
                    + " or newer, or give its folder: " + OTHER_JDK);
        } else if (!"1".equals(facts.get("attach"))) {
            problems.add(name + " has a Java without the module jdk.attach: install a JDK, not a JRE");
        }
        if (!facts.containsKey("setpriv")) {
            problems.add(name + " has no setpriv: apt-get install util-linux");
        }
        if (mostFiles() < LEAST_FILES) {
            problems.add(name + " allows " + mostFiles()
                    + " open files per process: raise the hard limit of `ulimit -n` to " + LEAST_FILES + " or more");
        }
        return problems;
    }

    /** Returns how many files a process may open on the host; the largest number if it is unknown. */
    public long mostFiles() {
        String files = facts.getOrDefault("files", "");
        return files.matches("\\d{1,9}") ? Long.parseLong(files) : Long.MAX_VALUE;
    }

    /**
     * Returns the facts that determine the host's speed, as far as they are known: processors, kind of machine, Java.
     */
    public Map<String, String> hardware() {
        Map<String, String> known = new LinkedHashMap<>(facts);
        known.keySet().retainAll(List.of("cores", "machine", JAVA));
        return known;
    }

    /** Returns the host and its hardware in one line for people, as far as they are known. */
    public String describe() {
        return host.name() + ": "
                + Stream.of(
                                fact("", "kernel", ""),
                                fact("", "machine", ""),
                                fact("", "cores", " cores"),
                                fact("", "memory", " of memory"),
                                fact("", "files", " open files"),
                                fact("Java ", JAVA, ""),
                                fact("", "java.home", ""))
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(", "));
    }

    private Optional<String> fact(String before, String name, String after) {
        return Optional.ofNullable(facts.get(name)).map(value -> before + value + after);
    }

    /** Returns the folder of servlet-bench on the host. */
    String folder() {
        return facts.get("home") + "/" + HostFiles.FOLDER;
    }

    /**
     * @throws TargetException with the first problem, if there is one
     */
    void requireUsable() {
        problems().stream().findFirst().ifPresent(TargetException::raise);
    }
}
