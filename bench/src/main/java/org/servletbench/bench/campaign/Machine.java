package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the machine is, as far as it bears on figures. */
public final class Machine {

    private Machine() {}

    /** {@code cpu}, {@code cores}, {@code memory.bytes}, {@code os}, {@code kernel}, {@code governor}, {@code load}, … */
    public static Map<String, String> facts() {
        Map<String, String> facts = new TreeMap<>();
        value("/proc/cpuinfo", "model name").ifPresent(name -> facts.put("cpu", name));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        value("/proc/meminfo", "MemTotal")
                .ifPresent(kib ->
                        facts.put("memory.bytes", Long.toString(Long.parseLong(kib.replaceAll("\\D", "")) << 10)));
        facts.put(
                "os",
                value("/etc/os-release", "PRETTY_NAME")
                        .map(name -> name.replace("\"", ""))
                        .orElse(System.getProperty("os.name")));
        facts.put("kernel", System.getProperty("os.version"));
        facts.put(
                "governor",
                first("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").orElse("not known"));
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

    /** The value behind {@code name:} or {@code name=} in a file. */
    private static Optional<String> value(String file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .filter(rest -> rest.startsWith(":") || rest.startsWith("="))
                .map(rest -> rest.substring(1).strip())
                .findFirst();
    }

    private static Optional<String> first(String file) {
        return lines(file).stream().findFirst();
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return List.of();
        }
    }
}
