package org.servletbench.bench.server.exchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Writes an executable Spring Boot jar, mostly from entries of another one. */
final class JarWriter implements AutoCloseable {

    static final String CLASSPATH_INDEX = "Spring-Boot-Classpath-Index";
    static final String LAYERS_INDEX = "Spring-Boot-Layers-Index";
    private static final Pattern INDEXED = Pattern.compile("-\\s*\"([^\"]+)\"\\s*");

    private final ZipOutputStream zip;

    /** @param before bytes in front of the jar, such as a script that starts it */
    JarWriter(Path out, byte[] before) throws IOException {
        OutputStream file = Files.newOutputStream(out);
        try {
            file.write(before);
        } catch (IOException e) {
            file.close();
            throw e;
        }
        zip = new ZipOutputStream(file);
    }

    /** Copies an entry with its times and its comment, which marks a library that must be unpacked. */
    void copy(ZipFile in, ZipEntry entry, Budget budget) throws IOException {
        ZipEntry same = new ZipEntry(entry);
        if (entry.getMethod() != ZipEntry.STORED) {
            same.setCompressedSize(-1);
        }
        zip.putNextEntry(same);
        try (InputStream bytes = budget.read(in, entry)) {
            bytes.transferTo(zip);
        }
        zip.closeEntry();
    }

    /** Writes an entry like another one, but with other bytes. */
    void put(ZipEntry like, byte[] bytes) throws IOException {
        put(like.getName(), like.getTime(), bytes, like.getMethod() == ZipEntry.STORED);
    }

    void put(String name, long time, byte[] bytes, boolean stored) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(time);
        if (stored) {
            CRC32 crc = new CRC32();
            crc.update(bytes);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(bytes.length);
            entry.setCrc(crc.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /**
     * Returns the index of libraries on the class path.
     *
     * @param removed file names of the removed libraries
     * @param added entries of the added libraries
     */
    static byte[] index(String text, Set<String> removed, List<String> added) {
        List<String> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            var matcher = INDEXED.matcher(line);
            String library = matcher.matches() ? BootJar.fileName(matcher.group(1)) : "";
            if (!removed.contains(library)) {
                lines.add(line);
            }
        }
        added.forEach(one -> lines.add("- \"" + one + "\""));
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the index of layers. Layers name libraries one by one, or their folder. New libraries go into the first
     * layer, as dependencies do.
     *
     * @param removed file names of the removed libraries
     * @param added entries of the added libraries
     */
    static byte[] layers(String text, Set<String> removed, List<String> added) {
        Set<String> named = text.lines().map(String::strip).collect(Collectors.toSet());
        List<String> single = added.stream()
                .filter(one -> !named.contains("- \"" + one.substring(0, one.lastIndexOf('/') + 1) + "\""))
                .toList();
        List<String> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            var matcher = INDEXED.matcher(line.strip());
            boolean gone = matcher.matches() && removed.contains(BootJar.fileName(matcher.group(1)));
            if (!gone) {
                lines.add(line);
            }
            if (lines.size() == 1) {
                single.forEach(one -> lines.add("  - \"" + one + "\""));
            }
        }
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(Manifest manifest) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        manifest.write(out);
        return out.toByteArray();
    }
}
