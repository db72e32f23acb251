package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sockets through which a set of processes can be reached, as the kernel reports them: TCP sockets that listen, and UDP
 * sockets that are bound but not connected, so that they accept packets from anyone.
 */
final class Sockets {

    private static final Path PROC = Path.of("/proc");
    private static final String LISTENING = "0A";
    private static final int STATE = 3;
    private static final int INODE = 9;

    /**
     * One socket.
     *
     * @param protocol {@code tcp}, {@code tcp6}, {@code udp} or {@code udp6}
     * @param address hexadecimal, as the kernel writes it
     * @param port port number
     * @param process command line of the process that owns it
     */
    record Open(String protocol, String address, int port, String process) {

        boolean isLoopback() {
            // 127.x.x.x in the byte order of this machine's kernel, the same mapped into IPv6, and ::1.
            return switch (address.length()) {
                case 8 -> address.endsWith("7F");
                default ->
                    address.equals("00000000000000000000000001000000")
                            || address.startsWith("0000000000000000FFFF0000") && address.endsWith("7F");
            };
        }
    }

    private Sockets() {}

    /** Returns the current sockets of these processes. A process that has ended has none. */
    static Set<Open> of(Set<Long> pids) {
        Map<String, Long> owners = new HashMap<>();
        pids.forEach(pid -> inodes(pid).forEach(inode -> owners.put(inode, pid)));
        Set<Open> open = new HashSet<>();
        for (String protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
            for (String line : lines(protocol)) {
                // Most lines are ending connections, and splitting all of them twenty times a second would take time.
                if (protocol.startsWith("tcp") && !line.contains(" " + LISTENING + " ")) {
                    continue;
                }
                String[] columns = line.strip().split("\\s+");
                if (columns.length > INODE && owners.containsKey(columns[INODE]) && isReachable(protocol, columns)) {
                    String[] local = columns[1].split(":");
                    open.add(new Open(
                            protocol,
                            local[0],
                            Integer.parseInt(local[1], 16),
                            commandLine(owners.get(columns[INODE]))));
                }
            }
        }
        return open;
    }

    private static boolean isReachable(String protocol, String[] columns) {
        return protocol.startsWith("tcp") ? columns[STATE].equals(LISTENING) : columns[2].matches("0+:0+");
    }

    private static List<String> lines(String protocol) {
        try {
            List<String> lines = Files.readAllLines(PROC.resolve("net").resolve(protocol), StandardCharsets.US_ASCII);
            return lines.subList(1, lines.size());
        } catch (IOException e) {
            return List.of(); // This kernel has no IPv6.
        }
    }

    private static List<String> inodes(long pid) {
        List<String> inodes = new ArrayList<>();
        try (DirectoryStream<Path> handles =
                Files.newDirectoryStream(PROC.resolve(Long.toString(pid)).resolve("fd"))) {
            for (Path handle : handles) {
                String link = Files.readSymbolicLink(handle).toString();
                if (link.startsWith("socket:[")) {
                    inodes.add(link.substring("socket:[".length(), link.length() - 1));
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            // The process has ended, or closed this socket.
        }
        return inodes;
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(PROC.resolve(Long.toString(pid)).resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "process " + pid;
        }
    }

    /** Returns a process and all its descendants. */
    static Set<Long> family(ProcessHandle root) {
        return Stream.concat(Stream.of(root), root.descendants())
                .map(ProcessHandle::pid)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Looks again and again in its own thread until it is closed, because a port may be open for only a moment. */
    static final class Watch implements AutoCloseable {
        private static final long LOOK_MILLIS = 50;

        private final Set<Open> seen = Collections.synchronizedSet(new HashSet<>());
        private final Thread thread;
        private volatile boolean closed;

        Watch(Supplier<Set<Long>> processes) {
            thread = new Thread(() -> {
                while (!closed) {
                    seen.addAll(of(processes.get()));
                    try {
                        Thread.sleep(LOOK_MILLIS);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            });
            thread.start();
        }

        /** Returns all sockets ever seen. */
        Set<Open> seen() {
            return Set.copyOf(seen);
        }

        @Override
        public void close() {
            closed = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
