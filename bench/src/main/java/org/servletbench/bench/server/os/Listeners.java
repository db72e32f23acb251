package org.servletbench.bench.server.os;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** TCP sockets on which a process and its children listen, as the kernel reports them. */
public final class Listeners {

    private static final Path PROC = Path.of("/proc");
    private static final String LISTENING = "0A";
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final int WORD = 4;

    /** A socket that accepts connections. */
    public record Listener(InetAddress address, int port) {

        /** True if other machines can reach it, by an address other than the given one and loopback. */
        boolean isOutside(InetAddress own) {
            return !address.isLoopbackAddress() && !address.equals(own);
        }

        /** Returns the address as network tools show it: {@code *:9001}. */
        @Override
        public String toString() {
            return (address.isAnyLocalAddress() ? "*" : address.getHostAddress()) + ":" + port;
        }
    }

    private Listeners() {}

    /**
     * Returns the sockets on which a process and its children listen, on addresses other than this one and loopback.
     *
     * @throws IOException if the kernel does not report them
     */
    public static List<Listener> outside(ProcessHandle process, InetAddress own) throws IOException {
        return of(process).stream().filter(one -> one.isOutside(own)).toList();
    }

    /**
     * Returns all sockets on which a process and its children listen.
     *
     * @throws IOException if the kernel does not report them
     */
    public static List<Listener> of(ProcessHandle process) throws IOException {
        return of(
                process,
                Stream.concat(Stream.of(process), process.descendants()).toList());
    }

    /**
     * Returns all sockets on which a process itself listens.
     *
     * @throws IOException if the kernel does not report them
     */
    public static List<Listener> ofItself(ProcessHandle process) throws IOException {
        return of(process, List.of(process));
    }

    private static List<Listener> of(ProcessHandle process, List<ProcessHandle> all) throws IOException {
        Set<String> inodes = new HashSet<>();
        for (ProcessHandle one : all) {
            inodes.addAll(inodes(one.pid()));
        }
        return of(process.pid(), inodes);
    }

    private static List<Listener> of(long pid, Set<String> inodes) throws IOException {
        List<Listener> all = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            // This file is from the network namespace of the process, which may differ from ours.
            Path file = PROC.resolve(Long.toString(pid)).resolve("net").resolve(table);
            if (Files.exists(file)) {
                all.addAll(of(Files.readAllLines(file, StandardCharsets.US_ASCII), inodes));
            }
        }
        return all;
    }

    /** @param lines lines of {@code /proc/net/tcp} or {@code tcp6} */
    static List<Listener> of(List<String> lines, Set<String> inodes) throws UnknownHostException {
        List<Listener> all = new ArrayList<>();
        for (String line : lines) {
            String[] columns = line.strip().split("\\s+");
            if (columns.length > INODE && columns[STATE].equals(LISTENING) && inodes.contains(columns[INODE])) {
                String[] local = columns[1].split(":");
                all.add(new Listener(address(local[0]), Integer.parseInt(local[1], 16)));
            }
        }
        return all;
    }

    /**
     * Parses an address. The kernel writes words of four bytes in machine order, which is little-endian on all machines
     * that we support.
     */
    private static InetAddress address(String hexadecimal) throws UnknownHostException {
        byte[] written = HexFormat.of().parseHex(hexadecimal);
        byte[] bytes = new byte[written.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = written[i / WORD * WORD + WORD - 1 - i % WORD];
        }
        // This converts an IPv4 address mapped into IPv6 to IPv4.
        return InetAddress.getByAddress(bytes);
    }

    private static Set<String> inodes(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> handles =
                Files.newDirectoryStream(PROC.resolve(Long.toString(pid)).resolve("fd"))) {
            for (Path handle : handles) {
                try {
                    String target = Files.readSymbolicLink(handle).toString();
                    if (target.startsWith("socket:[")) {
                        inodes.add(target.substring("socket:[".length(), target.length() - 1));
                    }
                } catch (IOException e) {
                    // The handle was closed in the meantime.
                }
            }
        }
        return inodes;
    }
}
