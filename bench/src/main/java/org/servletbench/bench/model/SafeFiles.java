package org.servletbench.bench.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Access to files and folders whose names are not ours. Nothing is written outside a root, and no link is followed. */
public final class SafeFiles {

    private static final Pattern NAME = Pattern.compile("[0-9A-Za-z][0-9A-Za-z._+@ -]{0,199}");

    private SafeFiles() {}

    /** True if a text is the name of one file or folder. */
    public static boolean isName(String text) {
        return text != null && NAME.matcher(text).matches();
    }

    /**
     * Returns a path directly below a root.
     *
     * @throws UsageException if the text is not the name of one file or folder
     */
    public static Path below(Path root, String name) {
        if (!isName(name)) {
            throw new UsageException("'" + Text.shown(name) + "' is not a valid name of a file or folder");
        }
        return root.resolve(name);
    }

    /**
     * Creates a folder below a root, including parents.
     *
     * @throws IOException if one of them is a link or not a folder; the message is one line for people
     */
    public static Path folder(Path root, Path folder) throws IOException {
        Path top = root.toAbsolutePath().normalize();
        Path whole = folder.toAbsolutePath().normalize();
        if (!whole.startsWith(top)) {
            throw new IOException(folder + " is not below " + root);
        }
        Files.createDirectories(top);
        Path at = top;
        for (Path step : top.relativize(whole)) {
            if (step.toString().isEmpty()) {
                break;
            }
            at = at.resolve(step);
            if (Files.isSymbolicLink(at)) {
                throw new IOException(at + " is a link, and we do not write through links: delete it");
            }
            if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(at);
            }
        }
        return whole;
    }

    /**
     * Checks that a folder which another user may have made contains only regular files and folders, at any depth.
     *
     * @throws IOException if it contains a link, pipe or device, or cannot be read; the message is one line for people
     */
    public static void requireOnlyFiles(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root.toRealPath())) {
            Optional<Path> other = all.filter(one -> !Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS)
                            && !Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS))
                    .findFirst();
            if (other.isPresent()) {
                throw new IOException(
                        other.get() + " is a link or a device, and we do not write into a folder with one: delete it");
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Returns the text of a file that another person may have named. It must be a file in UTF-8, and neither a device,
     * an endless pipe, nor a file of the kernel about processes.
     *
     * @param most maximum length, bytes
     * @throws IOException if it is not such a file; the message is one line for people
     */
    public static String text(Path file, int most) throws IOException {
        long length = Files.size(file);
        // Reading a pipe would block.
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (length == 0 && bytes.length > 0) {
                // Files that the kernel generates when they are read, as in /proc, have length 0.
                throw new IOException(file + " is not a regular file");
            }
            if (bytes.length > most) {
                throw new IOException(file + " is longer than " + most / 1024 + " KiB");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not text in UTF-8");
        }
    }

    /**
     * Returns the text of a file in a folder that may come from someone else. Files outside the folder are not read.
     *
     * @throws IOException if it is a link, a device or not a text; the message is one line for people
     */
    public static String textInFolder(Path file, int most) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is a link or a device, not a file of this folder");
        }
        return text(file, most);
    }

    /**
     * Returns a folder that only its owner can access. Creates it if necessary. Systems without POSIX permissions use
     * their defaults.
     */
    public static Path ownFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
        PosixFileAttributeView view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString("rwx------"));
        }
        return folder;
    }

    /**
     * Opens a file for appending. Creates it if necessary.
     *
     * @throws IOException if it is a link
     */
    public static OutputStream appending(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new IOException(file + " is a link, and we do not write through links: delete it");
        }
        return Channels.newOutputStream(Files.newByteChannel(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND,
                        LinkOption.NOFOLLOW_LINKS)));
    }

    /**
     * Checks that a file can be written later, by creating and deleting another file next to it. Creates its folder.
     *
     * @throws IOException if it cannot be written
     */
    public static void requireWritable(Path file) throws IOException {
        Path folder = file.toAbsolutePath().normalize().getParent();
        Files.createDirectories(folder);
        Files.delete(Files.createTempFile(folder, ".servlet-bench", ".tmp"));
    }

    /** Opens a new file. An existing file or link is deleted first; a link's target is not touched. */
    public static OutputStream fresh(Path file) throws IOException {
        Files.deleteIfExists(file);
        return Channels.newOutputStream(Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)));
    }
}
