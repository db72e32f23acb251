package org.servletbench.bench.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.servletbench.bench.model.OwnFiles;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * Files that are copied to other machines and back. Another machine stores them in {@code ~/.servlet-bench/files} under
 * their SHA-256, so that each is copied only once and never changes.
 */
public final class HostFiles {

    /** Folder in the user's home on the other machine, where ssh starts. */
    static final String FOLDER = ".servlet-bench";

    private static final int CHUNK = 1 << 20;

    /** One class of each jar that the JVM on the other machine uses. */
    private static final List<String> USED = List.of(
            "org.servletbench.bench.host.HostMain",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "com.fasterxml.jackson.core.JsonFactory",
            "com.fasterxml.jackson.annotation.JsonProperty",
            "de.siegmar.fastcsv.reader.CsvReader",
            "org.apache.hc.core5.http.Header",
            "org.apache.hc.core5.http2.hpack.HPackDecoder",
            "org.HdrHistogram.Histogram");

    /** Hashes of files that have been read, because every block pushes the same hundred jars. */
    private static final Map<Version, String> HASHES = new ConcurrentHashMap<>();

    private record Version(Path file, long bytes, FileTime changed) {}

    private HostFiles() {}

    // ---- before there is a JVM ----

    /**
     * Copies servlet-bench's own classes, and others, to the host unless they are there already.
     *
     * @return the class path on the host
     */
    static List<String> install(Host host, HostCheck check, List<Path> others) {
        List<String> classPath = new ArrayList<>();
        for (Path jar : Stream.concat(ownJars().stream(), others.stream()).toList()) {
            String place = sha256(jar) + "/" + jar.getFileName();
            String there = check.folder() + "/files/" + place;
            if (!check.files().contains(place)) {
                copy(host, jar, there);
            }
            classPath.add(there);
        }
        return classPath;
    }

    private static void copy(Host host, Path file, String place) {
        try {
            String part = place + ".part$$";
            ManagedProcess.Ended copied = Ssh.run(
                    host.ssh("sh -c 'umask 077; mkdir -p " + place.substring(0, place.lastIndexOf('/')) + " && cat > "
                            + part + " && [ $(wc -c < " + part + ") = " + Files.size(file) + " ] && mv " + part + " "
                            + place + "'"),
                    Optional.of(file));
            if (copied.exitCode() == Ssh.FAILED) {
                throw new TargetException(host.unreachable(copied.lastLine().orElse(Ssh.SILENT)));
            }
            if (copied.exitCode() != 0) {
                throw new TargetException("cannot copy " + file.getFileName() + " to " + host.name() + ": "
                        + copied.lastLine().orElse(Ssh.SILENT));
            }
        } catch (IOException e) {
            throw new TargetException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }

    /** Returns the jars of this program. Classes outside a jar are packed into one. */
    private static List<Path> ownJars() {
        List<Path> jars = new ArrayList<>();
        for (String used : USED) {
            try {
                Path place = Path.of(Class.forName(used)
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
                Path jar = Files.isDirectory(place) ? packed(place) : place;
                if (!jars.contains(jar)) {
                    jars.add(jar);
                }
            } catch (URISyntaxException | ClassNotFoundException | IOException e) {
                throw new TargetException("cannot read the rig's own classes (" + e.getMessage() + ")");
            }
        }
        return jars;
    }

    /**
     * Packs a folder of classes into a jar, which is deleted when this JVM ends. The same classes result in the same
     * bytes, because entries are sorted and have no times.
     */
    public static Path packed(Path folder) throws IOException {
        Path jar = OwnFiles.folder().resolve("bench-classes.jar");
        try (Stream<Path> all = Files.walk(folder);
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry = new ZipEntry(folder.relativize(file).toString());
                entry.setTime(0);
                out.putNextEntry(entry);
                Files.copy(file, out);
            }
        }
        jar.toFile().deleteOnExit();
        jar.getParent().toFile().deleteOnExit();
        return jar;
    }

    // ---- through the connection ----

    /**
     * Copies a file to the other machine, unless it is there already.
     *
     * @return its path there
     * @throws TargetException if it cannot be read here or written there
     */
    public static String push(RemoteJvm to, Path file) {
        return push(to, List.of(file)).get(0);
    }

    /** Copies several files in order. One request finds the files that are already there. */
    public static List<String> push(RemoteJvm to, List<Path> files) {
        ArrayList<String> places = new ArrayList<>();
        files.forEach(file -> places.add(to.folder() + "/files/" + sha256(file) + "/" + file.getFileName()));
        List<String> there = to.call(here -> new ArrayList<>(
                places.stream().filter(place -> Files.exists(Path.of(place))).toList()));
        for (int i = 0; i < files.size(); i++) {
            if (!there.contains(places.get(i))) {
                copy(to, files.get(i), places.get(i));
            }
        }
        return places;
    }

    private static void copy(RemoteJvm to, Path file, String place) {
        String part = to.call(here -> {
            Files.createDirectories(Path.of(place).getParent());
            return Files.createTempFile(Path.of(place).getParent(), "", ".part").toString();
        });
        try (InputStream in = Files.newInputStream(file)) {
            for (byte[] bytes = in.readNBytes(CHUNK); bytes.length > 0; bytes = in.readNBytes(CHUNK)) {
                byte[] chunk = bytes;
                to.call(here -> Files.write(Path.of(part), chunk, StandardOpenOption.APPEND)
                        .toString());
            }
        } catch (IOException e) {
            throw new TargetException("cannot read " + file + " (" + e.getMessage() + ")");
        }
        to.call(here -> Files.move(Path.of(part), Path.of(place), StandardCopyOption.ATOMIC_MOVE)
                .toString());
    }

    /**
     * Copies a file back.
     *
     * @param place path of the file on the other machine
     * @param file file to write on this machine; it is replaced if it exists
     * @throws TargetException if it cannot be read there or written here
     */
    public static void bring(RemoteJvm from, String place, Path file) {
        try (OutputStream out = Files.newOutputStream(file)) {
            long offset = 0;
            for (int read = CHUNK; read == CHUNK; offset += read) {
                long at = offset;
                byte[] bytes = from.call(here -> chunk(Path.of(place), at));
                out.write(bytes);
                read = bytes.length;
            }
        } catch (IOException e) {
            throw new TargetException("cannot write " + file + " (" + e.getMessage() + ")");
        }
    }

    /** Reads a chunk of the file; fewer bytes than {@value #CHUNK} at its end. */
    private static byte[] chunk(Path file, long offset) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(offset);
            return in.readNBytes(CHUNK);
        }
    }

    private static String sha256(Path file) {
        try {
            Version version = new Version(file.toAbsolutePath(), Files.size(file), Files.getLastModifiedTime(file));
            String known = HASHES.get(version);
            if (known == null) {
                known = Sha256.of(file);
                HASHES.put(version, known);
            }
            return known;
        } catch (IOException e) {
            throw new TargetException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }
}
