package org.servletbench.proofs;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import jdk.test.whitebox.WhiteBox;

/**
 * Agent that stops all compilation in a server's JVM, so that the server stays as warm as it is for the whole
 * measurement. It does so once the process has used a given CPU time, or at once when attached to a running JVM.
 */
public final class CompilerStop {

    /** Value for a server that keeps compiling: it has the agent only because the other servers have it. */
    static final String NEVER = "never";

    private static final long LOOK_MS = 20;

    private CompilerStop() {}

    /** @param after CPU time of the process at which compilation stops, ms, or {@value #NEVER} */
    public static void premain(String after) {
        if (after.equals(NEVER)) {
            return;
        }
        long limit = Long.parseLong(after);
        Thread thread = new Thread(() -> stopAfter(limit), "servlet-bench-compiler-stop");
        thread.setDaemon(true);
        thread.start();
    }

    public static void agentmain(String ignored) {
        stop();
    }

    private static void stopAfter(long limit) {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        try {
            while (process.getProcessCpuTime() < Duration.ofMillis(limit).toNanos()) {
                Thread.sleep(LOOK_MS);
            }
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stop() {
        new WhiteBox().lockCompilation();
    }

    /**
     * Returns the JVM options of a server.
     *
     * @param after see {@link #premain}
     */
    static String options(Path jar, String after) {
        return "-XX:+UnlockDiagnosticVMOptions -XX:+WhiteBoxAPI -javaagent:" + jar + "=" + after;
    }

    /** Writes the agent's jar. */
    static Path jar(Path folder) throws IOException {
        Path jar = folder.resolve("compiler-stop.jar").toAbsolutePath();
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Premain-Class", CompilerStop.class.getName());
        main.putValue("Agent-Class", CompilerStop.class.getName());
        main.putValue("Boot-Class-Path", jar.getFileName().toString());
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            for (Class<?> type : List.of(CompilerStop.class, WhiteBox.class)) {
                String name = type.getName().replace('.', '/') + ".class";
                entries.putNextEntry(new JarEntry(name));
                try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(entries);
                }
                entries.closeEntry();
            }
        }
        return jar;
    }
}
