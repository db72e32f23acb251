package org.servletbench.bench.server.exchange;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small jars in Spring Boot's format, and a repository of small libraries. */
final class Jars {

    static final String BOOT = "3.5.16";

    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private String unpacked = "";
    private String script = "";

    /** Returns a service with these libraries. */
    static Jars service(String... libraries) {
        Jars jar = new Jars()
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nMain-Class: org.springframework.boot.loader.launch.JarLauncher\n"
                                + "Start-Class: shop.Shop\nSpring-Boot-Version: " + BOOT + "\n"
                                + "Spring-Boot-Classes: BOOT-INF/classes/\nSpring-Boot-Lib: BOOT-INF/lib/\n"
                                + "Spring-Boot-Classpath-Index: BOOT-INF/classpath.idx\n"
                                + "Spring-Boot-Layers-Index: BOOT-INF/layers.idx\n")
                .with("BOOT-INF/layers.idx", "- \"dependencies\":\n")
                .with("BOOT-INF/classes/application.properties", "spring.application.name=shop\n");
        StringBuilder index = new StringBuilder();
        for (String library : libraries) {
            jar.with("BOOT-INF/lib/" + library, library);
            index.append("- \"BOOT-INF/lib/").append(library).append("\"\n");
        }
        return jar.with("BOOT-INF/classpath.idx", index.toString());
    }

    Jars with(String name, String text) {
        return with(name, text.getBytes(StandardCharsets.UTF_8));
    }

    Jars with(String name, byte[] content) {
        entries.put(name, content);
        return this;
    }

    /** Returns an executable war, with one library that a server would provide. */
    static Jars war(String provided, String... libraries) {
        Jars war = new Jars()
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nMain-Class: org.springframework.boot.loader.launch.WarLauncher\n"
                                + "Start-Class: shop.Shop\nSpring-Boot-Version: " + BOOT + "\n"
                                + "Spring-Boot-Classes: WEB-INF/classes/\nSpring-Boot-Lib: WEB-INF/lib/\n")
                .with("WEB-INF/lib-provided/" + provided, provided);
        for (String library : libraries) {
            war.with("WEB-INF/lib/" + library, library);
        }
        return war;
    }

    /** Marks a library that Spring Boot unpacks to a separate file when it starts. */
    Jars unpacking(String library) {
        unpacked = library;
        return this;
    }

    /** Puts a script at the start of the jar. */
    Jars startedBy(String text) {
        script = text;
        return this;
    }

    /** Adds a class of the service that uses another class. */
    Jars withClass(String name, String used) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(61);
        out.writeShort(6);
        out.writeByte(5);
        out.writeLong(1);
        out.writeByte(7);
        out.writeShort(4);
        out.writeByte(1);
        out.writeUTF(used);
        out.writeByte(8);
        out.writeShort(4);
        entries.put("BOOT-INF/classes/" + name.replace('.', '/') + ".class", bytes.toByteArray());
        return this;
    }

    /** Adds a class with this many constants of maximum length, which is small when compressed. */
    Jars withConstants(String name, int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(61);
        out.writeShort(count + 1);
        for (int i = 0; i < count; i++) {
            out.writeByte(1);
            out.writeUTF("x".repeat(65_535));
        }
        entries.put("BOOT-INF/classes/" + name.replace('.', '/') + ".class", bytes.toByteArray());
        return this;
    }

    Path write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            out.write(script.getBytes(StandardCharsets.UTF_8));
            for (Map.Entry<String, byte[]> one : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(one.getKey());
                if (!unpacked.isEmpty() && one.getKey().endsWith(unpacked)) {
                    entry.setComment("UNPACK:0");
                }
                entry.setTime(1_600_000_000_000L);
                if (one.getKey().endsWith(".jar")) {
                    CRC32 crc = new CRC32();
                    crc.update(one.getValue());
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(one.getValue().length);
                    entry.setCrc(crc.getValue());
                }
                zip.putNextEntry(entry);
                zip.write(one.getValue());
                zip.closeEntry();
            }
        }
        return file;
    }

    /** Stores libraries in the cache of swaps, as if Maven had resolved them before: {@code GROUP:NAME:VERSION}. */
    static void resolved(Path cache, String starter, String... libraries) throws IOException {
        Path folder = cache.resolve("starters").resolve(BOOT + "-" + starter);
        for (String library : libraries) {
            String[] part = library.split(":");
            Path version = folder.resolve("lib")
                    .resolve(part[0].replace('.', '/'))
                    .resolve(part[1])
                    .resolve(part[2]);
            String type = part[1].contains("-starter-") ? "Spring-Boot-Jar-Type: dependencies-starter\n" : "";
            new Jars()
                    .with("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n" + type)
                    .write(version.resolve(part[1] + "-" + part[2] + ".jar"));
        }
        Files.writeString(folder.resolve("complete"), "");
    }
}
