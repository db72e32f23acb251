package org.servletbench.bench.load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.SafeFiles;

/** The bytes of a raw log from a file, a pipe or standard input, uncompressed if gzip has compressed them. */
public final class LogFile {

    /** The name of standard input. */
    public static final Path INPUT = Path.of("-");

    private static final int BUFFER = 1 << 16;
    private static final int[] GZIP = {0x1f, 0x8b};

    private LogFile() {}

    /** Opens a log at its first byte. The stream can be reset. */
    static InputStream open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnreadableLogException("a directory; name the log in it");
        }
        InputStream bytes = new Whole(raw(file));
        try {
            return isPacked(bytes) ? new BufferedInputStream(new Unpacked(bytes), BUFFER) : bytes;
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    /**
     * Compresses a log with gzip, to a file next to it that replaces it.
     *
     * @return the compressed file; the log itself if the file could not be written completely, for example on a full
     *     disk
     */
    static Path pack(Path log) {
        Path packed = log.resolveSibling(log.getFileName() + ".gz");
        Path next = log.resolveSibling(log.getFileName() + ".gz.next");
        try {
            try (OutputStream out = new GZIPOutputStream(SafeFiles.fresh(next), BUFFER)) {
                Files.copy(log, out);
            }
            Files.move(next, packed, StandardCopyOption.ATOMIC_MOVE);
            Files.delete(log);
            return packed;
        } catch (IOException e) {
            next.toFile().delete();
            return Files.exists(log) ? log : packed;
        }
    }

    private static InputStream raw(Path file) throws IOException {
        if (file.equals(INPUT)) {
            return System.in;
        }
        // The stream of a path needs a position in the file, which a pipe does not have.
        return isReadOnce(file) ? new FileInputStream(file.toFile()) : Files.newInputStream(file);
    }

    /** True for a pipe or a terminal, whose content can be read only once. */
    static boolean isReadOnce(Path file) {
        return file.equals(INPUT) || Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    private static boolean isPacked(InputStream bytes) throws IOException {
        bytes.mark(GZIP.length);
        boolean packed = bytes.read() == GZIP[0] && bytes.read() == GZIP[1];
        bytes.reset();
        return packed;
    }

    /**
     * A stream that waits for input. {@link GZIPInputStream} assumes that a stream with nothing {@link #available} has
     * ended.
     */
    private static final class Whole extends BufferedInputStream {
        Whole(InputStream in) {
            super(in, BUFFER);
        }

        @Override
        public synchronized int available() throws IOException {
            mark(1);
            int next = read();
            reset();
            return next < 0 ? 0 : 1;
        }
    }

    private static final class Unpacked extends FilterInputStream {
        Unpacked(InputStream packed) throws IOException {
            super(null);
            try {
                in = new GZIPInputStream(packed, BUFFER);
            } catch (EOFException | ZipException e) {
                throw damaged();
            }
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            try {
                return super.read(buffer, from, length);
            } catch (EOFException | ZipException e) {
                throw damaged();
            }
        }

        private static UnreadableLogException damaged() {
            return new UnreadableLogException("the gzip data ends early or is damaged: copy or pack it again");
        }
    }
}
