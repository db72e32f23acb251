package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.server.os.LinuxKernel;
import org.servletbench.bench.server.os.MachineMemory;

/** Facts about the machine that affect figures. */
public final class Machine {

    private Machine() {}

    /**
     * Returns {@code cpu}, {@code cores}, {@code memory.bytes}, {@code os}, {@code kernel}, {@code governor},
     * {@code huge.pages}, {@code load}, …
     */
    public static Map<String, String> facts() {
        Map<String, String> facts = new TreeMap<>();
        value("/proc/cpuinfo", "model name").ifPresent(name -> facts.put("cpu", name));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory.bytes", Long.toString(MachineMemory.total()));
        facts.put(
                "os",
                value("/etc/os-release", "PRETTY_NAME")
                        .map(name -> name.replace("\"", ""))
                        .orElse(System.getProperty("os.name")));
        facts.put("kernel", System.getProperty("os.version"));
        facts.put(
                "governor",
                first("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").orElse("not known"));
        facts.put(
                "huge.pages",
                first("/sys/kernel/mm/transparent_hugepage/enabled")
                        .map(Machine::chosen)
                        .orElse("not known"));
        first("/proc/loadavg").ifPresent(load -> facts.put("load.before", load.split(" ")[0]));
        facts.put(
                "virtual",
                value("/proc/cpuinfo", "flags")
                                .filter(flags -> flags.contains("hypervisor"))
                                .isPresent()
                        ? "yes"
                        : "no");
        return facts;
    }

    /** Returns the value in brackets of a kernel's list: {@code madvise} of {@code always [madvise] never}. */
    static String chosen(String list) {
        return list.replaceFirst(".*\\[(.*)].*", "$1");
    }

    private static Optional<String> value(String file, String name) {
        return LinuxKernel.value(Path.of(file), name);
    }

    private static Optional<String> first(String file) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
