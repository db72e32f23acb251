package org.servletbench.bench.model;

import java.util.Locale;

/** Kinds of archives of classes, with the options by which a JVM writes and reads them. */
public enum ArchiveKind {
    /** Linked classes and method profiles (JEP 483, 514, 515), which JDK 25 is the first to have. */
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

    /** Returns the key of its option and of its facts: {@code aot} or {@code cds}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the option, up to the file's name, of a JVM that writes one when it ends. */
    public String write() {
        return write;
    }

    /** Returns the option, up to the file's name, of a JVM that uses one. */
    public String read() {
        return read;
    }

    /** Returns the option of a JVM that does not start if it cannot use it. */
    public String insist() {
        return insist;
    }
}
