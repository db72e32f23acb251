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

/** Files and folders whose names come from elsewhere: nothing is written outside a root, and no link is followed. */
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
     * @throws UsageException if the text is no such name
     */
    public static Path below(Path root, String name) {
        if (!isName(name)) {
            throw new UsageException("'" + Text.shown(name) + "' is no name of a file or folder");
        }
        return root.resolve(name);
    }

    /**
     * Creates a folder below a root, including parents.
     *
     * @throws IOException if one of them is a link or no folder: one line for people
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
                throw new IOException(at + " is a link: nothing is written through one; delete it");
            }
            if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(at);
            }
        }
        return whole;
    }

    /**
     * Requires that a folder which another user may have made has only regular files and folders, at any depth.
     *
     * @throws IOException if a link, pipe or device is in it, or it cannot be read: one line for people
     */
    public static void requireOnlyFiles(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root.toRealPath())) {
            Optional<Path> other = all.filter(one -> !Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS)
                            && !Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS))
                    .findFirst();
            if (other.isPresent()) {
                throw new IOException(
                        other.get() + " is a link or a device: nothing is written into a folder with one; delete it");
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Returns the text of a file that another person may have named: a file in UTF-8, no device or endless pipe, and no file of the
     * kernel about processes.
     *
     * @param most its longest length, bytes
     * @throws IOException if it is no such file: one line for people
     */
    public static String text(Path file, int most) throws IOException {
        long length = Files.size(file);
        // Reading a pipe would block.
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (length == 0 && bytes.length > 0) {
                // Files that the kernel generates on reading, as in /proc, have length 0.
                throw new IOException(file + " is no regular file");
            }
            if (bytes.length > most) {
                throw new IOException(file + " is longer than " + most / 1024 + " KiB");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is no text in UTF-8");
        }
    }

    /**
     * Returns the text of a file in a folder that may come from a stranger: files outside the folder are not read.
     *
     * @throws IOException if it is a link, a device or no such text: one line for people
     */
    public static String textInFolder(Path file, int most) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is no file of this folder, but a link or a device");
        }
        return text(file, most);
    }

    /** Returns a folder for its owner alone, created or already there; with default permissions on systems without such permissions. */
    public static Path ownFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
        PosixFileAttributeView view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString("rwx------"));
        }
        return folder;
    }

    /**
     * Opens the end of a file, which is created if it is not there.
     *
     * @throws IOException if it is a link
     */
    public static OutputStream appending(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new IOException(file + " is a link: nothing is written through one; delete it");
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
     * Checks that a file can be written later, by creating one next to it and deleting it again. Creates its folder.
     *
     * @throws IOException if it cannot be written
     */
    public static void requireWritable(Path file) throws IOException {
        Path folder = file.toAbsolutePath().normalize().getParent();
        Files.createDirectories(folder);
        Files.delete(Files.createTempFile(folder, ".servlet-bench", ".tmp"));
    }

    /** Opens a new file: an existing one, or a link, is deleted first, and its target is not touched. */
    public static OutputStream fresh(Path file) throws IOException {
        Files.deleteIfExists(file);
        return Channels.newOutputStream(Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)));
    }
}
