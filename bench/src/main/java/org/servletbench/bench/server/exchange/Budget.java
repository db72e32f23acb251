package org.servletbench.bench.server.exchange;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Limits the cost of reading an untrusted jar: unpacked bytes, entries, and time. One budget covers everything read
 * from a jar.
 */
final class Budget {

    /** Default limit of unpacked bytes: ten times those of a large service. */
    static final long BYTES = 2L << 30;

    static final int ENTRIES = 100_000;
    static final Duration TIME = Duration.ofMinutes(5);
    /** Maximum length of an entry's text, such as an index, bytes. */
    static final int TEXT = 4 << 20;
    /** Maximum length of a file's path on Linux. */
    private static final int LONGEST_NAME = 4096;

    private final long bytes;
    private final int entries;
    private final Duration time;
    private final long began = System.nanoTime();
    private long spent;

    /** Creates the default budget. */
    Budget() {
        this(BYTES, ENTRIES, TIME);
    }

    /**
     * @param bytes limit of unpacked bytes of all entries that are read, and of the jar itself
     *
     * @param time time limit from now on
     */
    Budget(long bytes, int entries, Duration time) {
        this.bytes = bytes;
        this.entries = entries;
        this.time = time;
    }

    /** Returns the number of bytes unpacked so far. */
    long spent() {
        return spent;
    }

    /**
     * Opens a jar.
     *
     * @throws IOException if it is not a regular file or a jar, or exceeds the budget; the message is one line for
     *     people
     */
    ZipFile open(Path jar) throws IOException {
        requireFile(jar);
        ZipFile zip = new ZipFile(jar.toFile());
        try {
            if (zip.size() > entries) {
                throw new IOException("it has more than " + entries + " entries");
            }
            if (zip.stream().anyMatch(entry -> entry.getName().length() > LONGEST_NAME)) {
                throw new IOException("it has an entry with a name of more than " + LONGEST_NAME + " characters");
            }
            requireTime();
            return zip;
        } catch (IOException | RuntimeException e) {
            zip.close();
            throw e;
        }
    }

    /** @throws IOException if it is not a regular file (a pipe, for example), or is longer than the budget */
    void requireFile(Path jar) throws IOException {
        if (!Files.isRegularFile(jar)) {
            throw new IOException("it is not a regular file");
        }
        if (Files.size(jar) > bytes) {
            throw new IOException("it has more than " + (bytes >> 20) + " MiB");
        }
    }

    /**
     * Returns an entry's content, within the budget.
     *
     * @throws IOException also while reading, if the content exceeds the budget
     */
    InputStream read(ZipFile zip, ZipEntry entry) throws IOException {
        requireTime();
        return new FilterInputStream(zip.getInputStream(entry)) {
            @Override
            public int read() throws IOException {
                int one = super.read();
                spend(one < 0 ? 0 : 1);
                return one;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                int some = super.read(into, from, length);
                spend(Math.max(0, some));
                return some;
            }

            @Override
            public long skip(long count) throws IOException {
                long some = super.skip(count);
                spend(some);
                return some;
            }
        };
    }

    /** Returns the beginning of an entry's text, at most {@link #TEXT} bytes. */
    String text(ZipFile zip, ZipEntry entry) throws IOException {
        try (InputStream in = read(zip, entry)) {
            return new String(in.readNBytes(TEXT), StandardCharsets.UTF_8);
        }
    }

    private void spend(long more) throws IOException {
        spent += more;
        if (spent > bytes) {
            throw new IOException("it unpacks to more than " + (bytes >> 20) + " MiB");
        }
        requireTime();
    }

    private void requireTime() throws IOException {
        if (System.nanoTime() - began >= time.toNanos()) {
            throw new IOException("it cannot be read within " + time.toSeconds() + " s");
        }
    }
}
