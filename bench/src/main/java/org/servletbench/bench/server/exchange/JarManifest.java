package org.servletbench.bench.server.exchange;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Reads the manifest of an untrusted jar. */
public final class JarManifest {

    /** Maximum length of a manifest, bytes. */
    private static final int LONGEST = 1 << 20;

    private JarManifest() {}

    /**
     * Reads the manifest of an open jar.
     *
     * @return an empty manifest if there is none
     * @throws IOException if it is invalid, or longer than any real manifest
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
     * Reads the manifest of a jar.
     *
     * @throws IOException if it is not a jar or a regular file, or its manifest is invalid
     */
    public static Manifest of(Path jar) throws IOException {
        try (ZipFile zip = new Budget().open(jar)) {
            return of(zip);
        }
    }

    /**
     * Returns the package of the class that starts an application, which contains the application's own code.
     *
     * @return empty if the manifest names no class
     * @throws IOException if it cannot be read
     */
    public static String ownPackage(Path jar) throws IOException {
        String start = of(jar).getMainAttributes().getValue("Start-Class");
        return start == null || !start.contains(".") ? "" : start.substring(0, start.lastIndexOf('.'));
    }
}
