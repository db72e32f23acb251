package org.servletbench.bench.server.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.servletbench.bench.model.ContainerProfile.NativeLibrary;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.os.MachineMemory;

/** Reports predictable failures before anything is started. */
public final class Preflight {

    /** Number of files that a JVM opens besides its users' connections: jars, logs, selectors. */
    public static final int OTHER_FILE_HANDLES = 256;

    private Preflight() {}

    public static void check(TargetSpec spec) {
        if (spec.command().isEmpty() && !Files.isRegularFile(spec.jar())) {
            throw new TargetException(
                    "there is no application at " + spec.jar() + ": build it from the root with mvn -P"
                            + spec.profile().name() + "," + spec.line() + " process-classes");
        }
        spec.profile().nativeLibrary().ifPresent(Preflight::folderOf);
        spec.port().ifPresent(port -> freePort(spec.address(), port));
        if (ProfilesFolder.settingsValues(spec.settings()).containsKey(ServerProcess.VIRTUAL_THREADS)) {
            throw new TargetException(spec.settings() + " sets " + ServerProcess.VIRTUAL_THREADS
                    + ": remove it, and choose the threads with -Dthreads=virtual or an arm such as jetty+virtual");
        }
        memory(spec.jvmOptions(), MachineMemory.available());
    }

    /** Requires that the application has everything the workloads need. */
    public static void has(Path jar, List<Workload> workloads) {
        List<Workload> needy = workloads.stream()
                .filter(workload -> !workload.with().isEmpty())
                .toList();
        if (needy.isEmpty() || !Files.isRegularFile(jar)) {
            return;
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            String has = file.getManifest().getMainAttributes().getValue("Bench-With");
            for (Workload workload : needy) {
                if (!workload.with().equals(has)) {
                    throw new TargetException("the workload " + workload.name() + " needs the Maven profile "
                            + workload.with() + ": mvn -Pjetty," + workload.with() + " …");
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot read " + jar + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Requires enough file handles. Every user needs a connection, in the generator and in the server.
     *
     * @param connections number of connections of one process: in a generator with time slices, users times servers
     * @throws TargetException if this process may not open this many files
     */
    public static void fileHandles(int connections) {
        fileHandles(connections, mostFileHandles(), "this shell", "run: ulimit -n ");
    }

    /**
     * Requires enough file handles for a process on another machine.
     *
     * @param limit number of files that the process may have open
     */
    public static void fileHandles(int connections, long limit, String host) {
        fileHandles(connections, limit, host, "raise the hard limit of `ulimit -n` there to ");
    }

    static void fileHandles(int connections, long limit, String who, String hint) {
        long needed = (long) connections + OTHER_FILE_HANDLES;
        if (limit < needed) {
            throw new TargetException("too few file handles for " + connections + " connections: " + who + " allows "
                    + limit + " open files for a process; " + hint + needed);
        }
    }

    /**
     * Returns the number of files that this process may have open; the largest number if the system does not report it.
     */
    public static long mostFileHandles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    static void memory(JvmOptions options, long availableBytes) {
        if (options.memoryBytes() > availableBytes) {
            throw new TargetException("not enough memory for the server: " + options.source() + " asks for "
                    + (options.memoryBytes() >> 20) + " MiB and " + (availableBytes >> 20)
                    + " MiB are free; stop other programs, or give -Djvm.options=FILE with a smaller -Xmx");
        }
    }

    /** Returns a port that is free right now. */
    public static int anyFreePort(String address) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new TargetException("no server can listen on " + address + " (" + e.getMessage() + ")"
                    + (address.equals(TargetSpec.LOOPBACK)
                            ? ""
                            : ": give an address of its machine with target.address"));
        }
    }

    /** Requires that the port is free right now. */
    static void freePort(String address, int port) {
        if (!isFree(address, port)) {
            throw new TargetException("port " + port + " on " + address
                    + " is in use: stop what listens there, or give another with -Dtarget.port=8081");
        }
    }

    /** True if a server could bind the port right now. */
    static boolean isFree(String address, int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(address))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the folder with a native library, from the places where the system's linker and Debian keep them. */
    public static Path folderOf(NativeLibrary library) {
        return libraryFolders()
                .filter(folder -> contains(folder, library.file()))
                .findFirst()
                .orElseThrow(() -> new TargetException("this profile needs " + library.file()
                        + ", which is not on this machine: apt-get install " + library.debianPackage()));
    }

    private static Stream<Path> libraryFolders() {
        Stream<Path> reported = Stream.of(
                        Optional.ofNullable(System.getenv("LD_LIBRARY_PATH")).orElse(""),
                        System.getProperty("java.library.path", ""))
                .flatMap(list -> Stream.of(list.split(":")))
                .filter(folder -> !folder.isBlank())
                .map(Path::of);
        List<Path> usual = Stream.of("/usr/local/lib", "/usr/lib64", "/usr/lib", "/lib")
                .map(Path::of)
                .toList();
        return Stream.of(reported, usual.stream(), usual.stream().flatMap(Preflight::multiarch))
                .flatMap(folders -> folders);
    }

    private static Stream<Path> multiarch(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().contains("-linux-gnu")).toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private static boolean contains(Path folder, String file) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(found -> found.getFileName().toString().startsWith(file));
        } catch (IOException e) {
            return false;
        }
    }
}
