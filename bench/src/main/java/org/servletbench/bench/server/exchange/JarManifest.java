package org.servletbench.bench.server.exchange;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The manifest of a jar that somebody else has made. */
public final class JarManifest {

    /** Bytes. */
    private static final int LONGEST = 1 << 20;

    private JarManifest() {}

    /**
     * Reads it.
     *
     * @return an empty one where there is none
     * @throws IOException if it is no manifest, or longer than any
     */
    static Manifest of(ZipFile jar) throws IOException {
        ZipEntry entry = jar.getEntry(JarFile.MANIFEST_NAME);
        if (entry == null) {
            return new Manifest();
        }
        try (InputStream in = jar.getInputStream(entry)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new IOException("its manifest is longer than 1 MiB");
            }
            return new Manifest(new ByteArrayInputStream(bytes));
        }
    }

    /**
     * Reads that of a jar.
     *
     * @throws IOException if it is no jar, no regular file, or has no such manifest
     */
    public static Manifest of(Path jar) throws IOException {
        try (ZipFile zip = new Budget().open(jar)) {
            return of(zip);
        }
    }

    /**
     * The package of the class that starts an application: where its own code is.
     *
     * @return empty where its manifest names none
     * @throws IOException if it cannot be read
     */
    public static String ownPackage(Path jar) throws IOException {
        String start = of(jar).getMainAttributes().getValue("Start-Class");
        return start == null || !start.contains(".") ? "" : start.substring(0, start.lastIndexOf('.'));
    }
}
