package org.servletbench.bench.server.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;

/**
 * An executable Spring Boot jar.
 *
 * @param file the file that is read
 * @param original the original of a copy, for messages; the same file if it is not a copy
 * @param bootVersion version in its manifest, such as {@code 3.5.16}
 * @param libraryFolder folder of its libraries, with a trailing slash
 * @param libraries file names of the libraries, in the jar's order; for a war including those that a server would
 *     provide
 * @param hasPages true if it has JSP pages
 */
record BootJar(
        Path file,
        Path original,
        Manifest manifest,
        Version bootVersion,
        String libraryFolder,
        List<String> libraries,
        boolean hasPages) {

    /**
     * Folder of a war with libraries that a server provides when the war is deployed. The war's launcher reads it as
     * well.
     */
    private static final String PROVIDED = "WEB-INF/lib-provided/";

    private static final String LAUNCHER = "org.springframework.boot.loader.";
    /** Part of the class name of the launcher of spring-boot-thin-layout. */
    private static final String THIN = ".ThinJar";
    /** Maximum length of a script in front of a jar, bytes. */
    private static final int MOST_BEFORE = 1 << 20;

    /**
     * Length of the record at the end of a zip, bytes. The constants below are its first four bytes, and the largest
     * number, which stands for anything larger.
     */
    private static final int END = 22;

    private static final int MOST_COMMENT = 0xFFFF;
    private static final int END_MARK = 0x06054b50;
    private static final int LOCAL = 0x504b0304;
    private static final long MOST = 0xFFFF_FFFFL;

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final String SERVLET = "no servlet container, so that there is nothing to exchange";

    /**
     * Reads how a jar with a replaceable container describes itself.
     *
     * @throws UsageException if that is impossible; the message says why
     */
    static BootJar withContainer(Path file) {
        return withContainer(file, file, new Budget());
    }

    /**
     * Reads a copy of a jar with a replaceable container.
     *
     * @param copy file to read, which must not change
     * @param file the original, for messages
     * @param budget limit for everything read from it
     */
    static BootJar withContainer(Path copy, Path file, Budget budget) {
        BootJar jar = read(copy, file, budget);
        jar.containerVersion();
        return jar;
    }

    /**
     * Reads how a jar describes itself.
     *
     * @throws UsageException if its libraries cannot be replaced; the message says why
     */
    static BootJar read(Path file) {
        return read(file, file, new Budget());
    }

    private static BootJar read(Path copy, Path file, Budget budget) {
        if (!Files.isRegularFile(file)) {
            throw new UsageException(file + ": there is no such file");
        }
        try (ZipFile zip = budget.open(copy)) {
            requireWhole(copy, file);
            List<String> names = zip.stream().map(ZipEntry::getName).toList();
            Manifest manifest = JarManifest.of(zip);
            Attributes main = manifest.getMainAttributes();
            String boot = main.getValue("Spring-Boot-Version");
            String folder = main.getValue("Spring-Boot-Lib");
            String launcher = main.getValue(Attributes.Name.MAIN_CLASS);
            if (launcher != null && launcher.contains(THIN)) {
                throw rejected(
                        file,
                        "is a thin jar: its launcher gets the libraries when it starts, and none of them is inside: build it"
                                + " without the thin layout");
            }
            if (boot == null || folder == null) {
                throw rejected(
                        file,
                        "is not an executable jar or war of Spring Boot (its manifest has no Spring-Boot-Version and Spring-Boot-Lib): give"
                                + " the jar that spring-boot:repackage or bootJar makes");
            }
            if (launcher != null && !launcher.startsWith(LAUNCHER)) {
                throw rejected(file, "is not started by Spring Boot, but by " + Text.shown(launcher));
            }
            if (!folder.matches("([A-Za-z0-9-]++/)++")) {
                throw rejected(file, "has its libraries in no folder of a jar: '" + Text.shown(folder) + "'");
            }
            if (isSigned(zip)) {
                throw rejected(
                        file, "is signed: an exchange would break its signature; give the jar before it is signed");
            }
            List<String> libraries = names.stream()
                    .filter(name -> isLibrary(name, folder))
                    .map(BootJar::fileName)
                    .toList();
            if (libraries.isEmpty()) {
                throw rejected(
                        file,
                        "has no libraries inside"
                                + (main.getValue(Attributes.Name.CLASS_PATH) == null
                                        ? ""
                                        : ", but beside it (Class-Path in its manifest)")
                                + ": give the jar that spring-boot:repackage or bootJar makes");
            }
            BootJar jar = new BootJar(
                    copy,
                    file,
                    manifest,
                    version(file, "Spring Boot", boot),
                    folder,
                    libraries,
                    names.stream().anyMatch(BootJar::isPage));
            if (launcher == null) {
                throw rejected(file, "names nothing that starts it (no Main-Class in its manifest): build it again");
            }
            return jar;
        } catch (ZipException e) {
            throw rejected(file, isNative(copy) ? "is a native image: give the service's jar" : "is not a jar");
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }

    /**
     * True if the jar is signed. If a library is signed, Spring Boot writes an empty BOOT.SF so that Java verifies that
     * library; this signs nothing.
     */
    private static boolean isSigned(ZipFile zip) {
        return zip.stream()
                .anyMatch(entry -> entry.getName().matches("META-INF/[^/]+\\.(SF|DSA|RSA|EC)") && entry.getSize() != 0);
    }

    /**
     * True if an entry is a library.
     *
     * @param folder folder of the jar's libraries, with a trailing slash
     */
    static boolean isLibrary(String name, String folder) {
        return (name.startsWith(folder) || folder.startsWith("WEB-INF/") && name.startsWith(PROVIDED))
                && name.endsWith(".jar");
    }

    /** True if an entry is a JSP page. */
    static boolean isPage(String name) {
        return name.endsWith(".jsp") || name.endsWith(".jspx");
    }

    /** True if an entry is a library. */
    boolean isLibrary(String entry) {
        return isLibrary(entry, libraryFolder);
    }

    /** True if an entry is one of these libraries. */
    boolean isOneOf(Set<String> some, String entry) {
        return isLibrary(entry, libraryFolder) && some.contains(fileName(entry));
    }

    /** Returns the bytes in front of the jar, such as a script that starts it; empty for most jars. */
    byte[] before() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] begin = in.readNBytes(MOST_BEFORE);
            ByteBuffer bytes = ByteBuffer.wrap(begin);
            for (int at = 0; at + Integer.BYTES <= begin.length; at++) {
                if (bytes.getInt(at) == LOCAL) {
                    return Arrays.copyOf(begin, at);
                }
            }
            return new byte[0];
        }
    }

    /** True if a service has no servlet container because it runs on Netty. */
    static boolean runsOnNetty(Path file) {
        try (ZipFile zip = new Budget().open(file)) {
            List<String> libraries = files(zip);
            return libraries.stream().anyMatch(library -> Artifact.versionIn(library, "reactor-netty-http") != null)
                    && containers(libraries).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the names of the libraries, without folders. */
    static List<String> files(ZipFile zip) {
        return zip.stream().map(entry -> fileName(entry.getName())).toList();
    }

    /** Returns an entry's name without its folder. A regular expression would take quadratic time for a long name. */
    static String fileName(String entry) {
        return entry.substring(entry.lastIndexOf('/') + 1);
    }

    /** @param libraries file names, without folders */
    static List<ServletContainer> containers(List<String> libraries) {
        return Stream.of(ServletContainer.values())
                .filter(one -> version(libraries, one).isPresent())
                .toList();
    }

    /** @throws UsageException if it has no servlet container, or several */
    ServletContainer container() {
        List<ServletContainer> found = containers(libraries);
        if (found.size() > 1) {
            throw rejected(
                    original,
                    "has " + found.get(0).title() + " and " + found.get(1).title()
                            + ": build it with one container, so that it is clear which one to exchange");
        }
        if (found.isEmpty()) {
            boolean netty =
                    libraries.stream().anyMatch(library -> Artifact.versionIn(library, "reactor-netty-http") != null);
            throw rejected(
                    original,
                    netty
                            ? "runs on Netty and has " + SERVLET + ": compare JDKs, heaps or two builds, such as --arms"
                                    + " netty:heap=256m,netty:heap=512m"
                            : "has " + SERVLET);
        }
        return found.get(0);
    }

    /** @throws UsageException as for {@link #container}, or if its library's name has no version */
    Version containerVersion() {
        ServletContainer container = container();
        return version(
                original, container.title(), version(libraries, container).orElseThrow());
    }

    /** Returns a checked version, because it becomes part of a path and of a POM. */
    private static Version version(Path file, String of, String text) {
        if (!Version.isOne(text) || !text.matches("v?\\d.*")) {
            throw rejected(file, "names an invalid version of " + of + ": '" + Text.shown(text) + "'");
        }
        return new Version(text);
    }

    private static Optional<String> version(List<String> libraries, ServletContainer container) {
        return libraries.stream()
                .flatMap(library -> Stream.ofNullable(container.versionOf(library)))
                .findFirst();
    }

    /**
     * Returns the service's own classes that use a class of the container, such as
     * {@code shop.AccessLog uses org.apache.catalina.Valve}.
     */
    List<String> classesThatNeed(ServletContainer one, Budget budget) throws IOException {
        String folder = Optional.ofNullable(manifest.getMainAttributes().getValue("Spring-Boot-Classes"))
                .orElse("BOOT-INF/classes/");
        List<String> needing = new ArrayList<>();
        try (ZipFile zip = budget.open(file)) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (entry.getName().startsWith(folder) && entry.getName().endsWith(".class")) {
                    try (InputStream in = budget.read(zip, entry)) {
                        ClassReferences.in(in, entry.getName()).stream()
                                .filter(one::ownsClass)
                                .findFirst()
                                .ifPresent(used -> needing.add(entry.getName()
                                                .substring(folder.length())
                                                .replaceFirst("\\.class$", "")
                                                .replace('/', '.')
                                        + " uses "
                                        + used.replace('/', '.')));
                    }
                }
            }
        }
        return needing;
    }

    /**
     * Rejects a jar that is cut off within a library. The library's own directory is then at the end and would be taken
     * for the jar's.
     *
     * @throws UsageException if there are more bytes before the directory than it says
     */
    private static void requireWhole(Path copy, Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(copy.toFile(), "r")) {
            int length = (int) Math.min(in.length(), END + MOST_COMMENT);
            byte[] tail = new byte[length];
            in.seek(in.length() - length);
            in.readFully(tail);
            ByteBuffer end = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
            in.seek(0);
            boolean begins = in.length() > END && in.readInt() == LOCAL;
            for (int at = length - END; at >= 0 && begins; at--) {
                if (end.getInt(at) == END_MARK && (end.getShort(at + 20) & 0xFFFF) == length - END - at) {
                    long size = end.getInt(at + 12) & MOST;
                    long offset = end.getInt(at + 16) & MOST;
                    // Jars with more entries than this number can express have another record before it.
                    boolean large = (end.getShort(at + 10) & 0xFFFF) == 0xFFFF;
                    if (!large && size < MOST && offset < MOST && size + offset != in.length() - length + at) {
                        throw rejected(file, "is cut short or damaged: copy or build it again");
                    }
                    return;
                }
            }
        }
    }

    private static boolean isNative(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(ELF.length), ELF);
        } catch (IOException e) {
            return false;
        }
    }

    private static UsageException rejected(Path file, String why) {
        return new UsageException(file + " " + why);
    }
}
