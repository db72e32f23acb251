package org.servletbench.bench.model;

import java.util.Locale;

/** Kinds of class archives, with the options by which a JVM writes and reads them. */
public enum ArchiveKind {
    /** Linked classes and method profiles (JEP 483, 514, 515), from JDK 25. */
    AOT("AOT cache", 25, "-XX:AOTCacheOutput=", "-XX:AOTCache=", "-XX:AOTMode=on"),
    /** Parsed classes, in addition to those of the JDK's own archive (JEP 350). */
    CDS("CDS archive", 13, "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile=", "-Xshare:on");

    private final String title;
    private final int oldestJdk;
    private final String write;
    private final String read;
    private final String insist;

    ArchiveKind(String title, int oldestJdk, String write, String read, String insist) {
        this.title = title;
        this.oldestJdk = oldestJdk;
        this.write = write;
        this.read = read;
        this.insist = insist;
    }

    /** Returns its name in a sentence. */
    public String title() {
        return title;
    }

    public int oldestJdk() {
        return oldestJdk;
    }

    /** Returns the key in options and facts: {@code aot} or {@code cds}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the option, up to the file's name, with which a JVM writes an archive when it ends. */
    public String write() {
        return write;
    }

    /** Returns the option, up to the file's name, with which a JVM uses an archive. */
    public String read() {
        return read;
    }

    /** Returns the option with which a JVM fails to start if it cannot use its archive. */
    public String insist() {
        return insist;
    }
}
