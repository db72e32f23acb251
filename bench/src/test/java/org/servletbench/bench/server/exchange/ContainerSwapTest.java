package org.servletbench.bench.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;
import org.servletbench.bench.server.exchange.ContainerSwap.Outcome;

class ContainerSwapTest {

    private static final String[] OF_SHOP = {
        "spring-core-6.2.1.jar",
        "tomcat-embed-core-10.1.40.jar",
        "tomcat-embed-el-10.1.40.jar",
        "tomcat-embed-websocket-10.1.40.jar",
        "tomcat-jdbc-10.1.40.jar",
        "jakarta.annotation-api-2.1.1.jar",
        "slf4j-api-2.0.16.jar",
        "asm-9.5.jar",
    };

    @TempDir
    private Path folder;

    private Path cache;

    @BeforeEach
    void resolve() throws IOException {
        cache = folder.resolve("cache");
        String[] tomcat = {
            "org.springframework.boot:spring-boot-starter-tomcat:3.5.16",
            "org.apache.tomcat.embed:tomcat-embed-core:10.1.55",
            "org.apache.tomcat.embed:tomcat-embed-el:10.1.55",
            "org.apache.tomcat.embed:tomcat-embed-websocket:10.1.55",
            "jakarta.annotation:jakarta.annotation-api:2.1.1",
        };
        Jars.resolved(cache, "tomcat", tomcat);
        for (String version : List.of("10.1.40", "10.1.41")) {
            Jars.resolved(
                    cache,
                    "tomcat-" + version,
                    "org.apache.tomcat.embed:tomcat-embed-core:" + version,
                    "org.apache.tomcat.embed:tomcat-embed-el:" + version,
                    "org.apache.tomcat.embed:tomcat-embed-websocket:" + version);
        }
        String[] jetty = {
            "org.springframework.boot:spring-boot-starter-jetty:3.5.16",
            "org.eclipse.jetty:jetty-server:12.0.22",
            "org.eclipse.jetty.ee10:jetty-ee10-servlet:12.0.22",
            "jakarta.servlet:jakarta.servlet-api:6.0.0",
            "org.apache.tomcat.embed:tomcat-embed-el:10.1.55",
            "org.ow2.asm:asm:9.7",
            "org.slf4j:slf4j-api:2.0.17",
        };
        Jars.resolved(cache, "jetty", jetty);
        String[] http2 = Arrays.copyOf(jetty, jetty.length + 1);
        http2[jetty.length] = "org.eclipse.jetty.http2:jetty-http2-server:12.0.22";
        Jars.resolved(cache, "jetty-h2", http2);
        String[] jasper = Arrays.copyOf(tomcat, tomcat.length + 2);
        jasper[tomcat.length] = "org.apache.tomcat.embed:tomcat-embed-jasper:10.1.55";
        jasper[tomcat.length + 1] = "org.eclipse.jdt:ecj:3.33.0";
        Jars.resolved(cache, "tomcat-jsp", jasper);
        String[] pages = Arrays.copyOf(jetty, jetty.length + 3);
        pages[jetty.length] = "org.eclipse.jetty.ee10:jetty-ee10-apache-jsp:12.0.22";
        pages[jetty.length + 1] = "org.mortbay.jasper:apache-jsp:10.1.16";
        pages[jetty.length + 2] = "org.eclipse.jdt:ecj:3.33.0";
        Jars.resolved(cache, "jetty-jsp", pages);
    }

    /** The library makes Java verify it, but does not sign anything in the service's jar. */
    @Test
    void aServiceWithASignedLibraryIsExchanged() throws IOException {
        Path jar = Jars.service(OF_SHOP).with("META-INF/BOOT.SF", "").write(folder.resolve("signed-library.jar"));
        assertThat(entries(exchange(jar, "jetty", null).jar())).contains("META-INF/BOOT.SF");
    }

    @Test
    void timesCommentsScriptAndModeAreThoseOfTheService() throws IOException {
        String script = "#!/bin/bash\nexec java -jar \"$0\"\n";
        Path jar = Jars.service(OF_SHOP)
                .with("BOOT-INF/classes/static/logo.svg", "<svg/>")
                .unpacking("asm-9.5.jar")
                .startedBy(script)
                .write(folder.resolve("script.jar"));
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2020-02-02T02:02:02Z")));
        Path made = exchange(jar, "jetty", null).jar();

        assertThat(Files.readAllBytes(made)).startsWith(script.getBytes(StandardCharsets.UTF_8));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwxr-xr-x");
        assertThat(Files.getLastModifiedTime(made)).isEqualTo(Files.getLastModifiedTime(jar));
        try (ZipFile was = new ZipFile(jar.toFile());
                ZipFile is = new ZipFile(made.toFile())) {
            for (String name : List.of("BOOT-INF/lib/asm-9.5.jar", "BOOT-INF/classes/static/logo.svg")) {
                assertThat(is.getEntry(name).getComment())
                        .isEqualTo(was.getEntry(name).getComment());
                assertThat(is.getEntry(name).getLastModifiedTime())
                        .isEqualTo(was.getEntry(name).getLastModifiedTime());
            }
            assertThat(was.getEntry("BOOT-INF/lib/asm-9.5.jar").getComment()).isEqualTo("UNPACK:0");
        }
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2021-02-02T02:02:02Z")));
        assertThat(Files.getLastModifiedTime(exchange(jar, "jetty", null).jar()))
                .isEqualTo(Files.getLastModifiedTime(jar));
    }

    @Test
    void aServiceThatAsksForHttp2HasItOnJettyToo() throws IOException {
        Path jar = Jars.service(OF_SHOP)
                .with("BOOT-INF/classes/application.properties", "server.http2.enabled=true\n")
                .write(folder.resolve("http2.jar"));
        assertThat(libraries(exchange(jar, "jetty", null).jar())).contains("jetty-http2-server-12.0.22.jar");
        assertThat(libraries(exchange(shop(), "jetty", null).jar())).doesNotContain("jetty-http2-server-12.0.22.jar");
    }

    /** Libraries that a server would provide on deployment are needed to start the war here. */
    @Test
    void aWarIsExchangedWithWhatRunsItsPages() throws IOException {
        Path war = Jars.war("tomcat-embed-core-10.1.40.jar", "spring-core-6.2.1.jar", "ecj-3.33.0.jar")
                .with("WEB-INF/lib-provided/tomcat-embed-jasper-10.1.40.jar", "jasper")
                .with("WEB-INF/jsp/list.jsp", "<html/>")
                .write(folder.resolve("shop.war"));
        Outcome outcome = exchange(war, "jetty", null);

        assertThat(outcome.exchange().removed())
                .containsExactlyInAnyOrder("tomcat-embed-core-10.1.40.jar", "tomcat-embed-jasper-10.1.40.jar");
        assertThat(entries(outcome.jar()))
                .contains(
                        "WEB-INF/lib/jetty-server-12.0.22.jar",
                        "WEB-INF/lib/apache-jsp-10.1.16.jar",
                        "WEB-INF/lib/ecj-3.33.0.jar",
                        "WEB-INF/lib/spring-core-6.2.1.jar",
                        "WEB-INF/jsp/list.jsp")
                .noneMatch(name -> name.contains("tomcat-embed-core") || name.contains("jasper-10.1.40"));
        assertThatThrownBy(() -> exchange(war, "undertow", null))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(
                        "has JSP pages, which Spring Boot does not run on Undertow: give tomcat or jetty");
        Path plain = Jars.war("tomcat-embed-core-10.1.40.jar", "spring-core-6.2.1.jar")
                .write(folder.resolve("plain.war"));
        assertThat(entries(exchange(plain, "jetty", null).jar()))
                .contains("WEB-INF/lib/jetty-server-12.0.22.jar")
                .noneMatch(name -> name.contains("apache-jsp"));
    }

    private Outcome exchange(Path jar, String container, String version) {
        return new ContainerSwap(cache).exchange(jar, container, Optional.ofNullable(version), false);
    }

    private Path shop() throws IOException {
        return Jars.service(OF_SHOP).write(folder.resolve("shop.jar"));
    }

    private static List<String> libraries(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith("BOOT-INF/lib/"))
                    .map(name -> name.substring("BOOT-INF/lib/".length()))
                    .toList();
        }
    }

    @Test
    void theContainersOwnLibrariesGoAndEverythingElseStays() throws IOException {
        Outcome outcome = exchange(shop(), "jetty", null);
        assertThat(outcome.exchange().from()).isEqualTo("Tomcat 10.1.40");
        assertThat(outcome.exchange().to()).isEqualTo("Jetty 12.0.22");
        assertThat(ContainerSwap.of(outcome.jar())).contains(outcome.exchange());
        assertThat(ContainerSwap.of(shop())).isEmpty();
        assertThat(outcome.exchange().text().lines())
                .hasSize(3)
                .contains("removed: tomcat-embed-core-10.1.40.jar tomcat-embed-websocket-10.1.40.jar");
        assertThat(outcome.exchange().removed())
                .containsExactly("tomcat-embed-core-10.1.40.jar", "tomcat-embed-websocket-10.1.40.jar");
        assertThat(libraries(outcome.jar()))
                .containsExactlyInAnyOrder(
                        "spring-core-6.2.1.jar",
                        // Validation needs it.
                        "tomcat-embed-el-10.1.40.jar",
                        // A connection pool, which is not part of the starter.
                        "tomcat-jdbc-10.1.40.jar",
                        "jakarta.annotation-api-2.1.1.jar",
                        // In the versions of the service.
                        "slf4j-api-2.0.16.jar",
                        "asm-9.5.jar",
                        "jetty-server-12.0.22.jar",
                        "jetty-ee10-servlet-12.0.22.jar",
                        "jakarta.servlet-api-6.0.0.jar");
    }

    @Test
    void theNewJarIsOneThatSpringBootStarts() throws IOException {
        Path jar = exchange(shop(), "jetty", null).jar();
        try (JarFile file = new JarFile(jar.toFile())) {
            var main = file.getManifest().getMainAttributes();
            assertThat(main.getValue("Main-Class")).endsWith("JarLauncher");
            assertThat(main.getValue("Start-Class")).isEqualTo("shop.Shop");
            assertThat(main.getValue("Bench-Container-Version")).isEqualTo("12.0.22");
            assertThat(main.getValue("Spring-Boot-Layers-Index")).isEqualTo("BOOT-INF/layers.idx");
            assertThat(new String(
                            file.getInputStream(file.getEntry("BOOT-INF/layers.idx"))
                                    .readAllBytes(),
                            StandardCharsets.UTF_8))
                    .startsWith("- \"dependencies\":\n  - \"BOOT-INF/lib/jakarta.servlet-api-6.0.0.jar\"\n");
            assertThat(file.stream().filter(entry -> entry.getName().endsWith(".jar")))
                    .allSatisfy(entry -> assertThat(entry.getMethod()).isEqualTo(ZipEntry.STORED));
            String index = new String(
                    file.getInputStream(file.getEntry("BOOT-INF/classpath.idx")).readAllBytes(),
                    StandardCharsets.UTF_8);
            assertThat(index.lines().map(line -> line.replaceAll("- \"BOOT-INF/lib/(.*)\"", "$1")))
                    .containsExactlyInAnyOrderElementsOf(libraries(jar));
        }
    }

    @Test
    void theWayBackRestoresTheLibraries() throws IOException {
        Path jetty = exchange(shop(), "jetty", null).jar();
        Outcome back = exchange(jetty, "tomcat", "10.1.40");
        assertThat(libraries(back.jar())).containsExactlyInAnyOrder(OF_SHOP);
        assertThat(back.exchange().from()).isEqualTo("Jetty 12.0.22");
    }

    @Test
    void tomcatForTomcatKeepsTheServicesOwnVersion() throws IOException {
        Outcome same = exchange(shop(), "tomcat", null);
        assertThat(libraries(same.jar())).containsExactlyInAnyOrder(OF_SHOP);
        assertThat(same.exchange().to()).isEqualTo("Tomcat 10.1.40");
        assertThat(exchange(shop(), "tomcat", "10.1.41").exchange().to()).isEqualTo("Tomcat 10.1.41");
    }

    @Test
    void theSameExchangeGivesTheSameBytesAndIsMadeOnce() throws IOException {
        Path shop = shop();
        Path first = exchange(shop, "jetty", null).jar();
        byte[] bytes = Files.readAllBytes(first);
        var time = Files.getLastModifiedTime(first);
        assertThat(exchange(shop, "jetty", null).jar()).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(time);
        Files.delete(first);
        assertThat(exchange(shop, "jetty", null).jar()).hasBinaryContent(bytes);
    }

    @Test
    void classesThatNeedTheOldContainerAreNamed() throws IOException {
        Path jar = Jars.service(OF_SHOP)
                .withClass("shop.AccessLog", "org/apache/catalina/valves/AccessLogValve")
                .withClass("shop.Order", "java/util/List")
                .write(folder.resolve("valve.jar"));
        assertThat(exchange(jar, "jetty", null).exchange().needOld())
                .containsExactly("shop.AccessLog uses org.apache.catalina.valves.AccessLogValve");
        assertThat(exchange(jar, "tomcat", null).exchange().needOld()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none.jar     | no such file",
                "text.jar     | is not a jar",
                "native       | is a native image",
                "plain.jar    | is not an executable jar or war of Spring Boot",
                "signed.jar   | is signed",
                "batch.jar    | has no servlet container",
                "thin.jar     | is a thin jar: its launcher gets the libraries when it starts",
                "beside.jar   | has no libraries inside, but beside it (Class-Path in its manifest): give the jar that",
                "netty.jar    | runs on Netty",
                "both.jar     | has Tomcat and Jetty",
            })
    void whatCannotBeExchangedIsRejectedInOneLine(String name, String why) throws IOException {
        Files.writeString(folder.resolve("text.jar"), "not a jar");
        Files.write(folder.resolve("native"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0});
        new Jars().with("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n").write(folder.resolve("plain.jar"));
        Jars.service(OF_SHOP)
                .with("META-INF/SHOP.SF", "Signature-Version: 1.0\n")
                .write(folder.resolve("signed.jar"));
        Jars.service("spring-core-6.2.1.jar").write(folder.resolve("batch.jar"));
        Jars.service()
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nSpring-Boot-Version: 3.5.16\nSpring-Boot-Lib: BOOT-INF/lib/\n"
                                + "Main-Class: org.springframework.boot.loader.wrapper.ThinJarWrapper\n")
                .write(folder.resolve("thin.jar"));
        Jars.service()
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nSpring-Boot-Version: 3.5.16\nSpring-Boot-Lib: BOOT-INF/lib/\n"
                                + "Class-Path: lib/a.jar\n")
                .write(folder.resolve("beside.jar"));
        Jars.service("reactor-netty-http-1.2.0.jar").write(folder.resolve("netty.jar"));
        Jars.service("tomcat-embed-core-10.1.40.jar", "jetty-server-12.0.22.jar")
                .write(folder.resolve("both.jar"));
        Path jar = folder.resolve(name);
        assertThatThrownBy(() -> exchange(jar, "jetty", null))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(jar.toString())
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }

    @Test
    void containersThatSpringBootLacksAreRejected() throws IOException {
        Path jar = shop();
        assertThatThrownBy(() -> exchange(jar, "netty", null))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("there is no container 'netty': give one of tomcat, jetty, undertow");
        Path four = Jars.service("tomcat-embed-core-11.0.1.jar")
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nMain-Class: org.springframework.boot.loader.launch.JarLauncher\n"
                                + "Spring-Boot-Version: 4.1.1\nSpring-Boot-Lib: BOOT-INF/lib/\n")
                .write(folder.resolve("four.jar"));
        assertThatThrownBy(() -> exchange(four, "undertow", null))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("Spring Boot 4.1.1, which has no Undertow");
    }

    /** Each of them would become a folder outside the cache, or an element of a POM. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../../evil",
                "3.5.16/../../evil",
                "3.5.16</version><version>1",
                "3.5.16 -javaagent:x",
                "3.5.16${env.HOME}",
                "/tmp/evil",
                "..",
                "",
            })
    void aVersionThatIsNoneStaysText(String version) throws IOException {
        Path victim = folder.resolve("evil/pom.xml");
        Files.createDirectories(victim.getParent());
        Files.writeString(victim, "mine");
        Path ofBoot = Jars.service(OF_SHOP)
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nSpring-Boot-Version: " + version + "\nSpring-Boot-Lib: BOOT-INF/lib/\n")
                .write(folder.resolve("boot.jar"));
        assertThatThrownBy(() -> exchange(ofBoot, "jetty", null))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("names an invalid version of Spring Boot")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> exchange(shop(), "jetty", version))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is not a version");
        if (!version.isEmpty()) {
            Path ofTomcat =
                    Jars.service("tomcat-embed-core-1" + version + ".jar").write(folder.resolve("tomcat.jar"));
            assertThatThrownBy(() -> exchange(ofTomcat, "tomcat", null)).isInstanceOf(UsageException.class);
        }
        assertThat(victim).hasContent("mine");
        assertThat(cache.resolve("starters"))
                .isDirectoryNotContaining(one -> one.toString().contains("evil"));
    }

    @Test
    void aFolderOfTheCacheThatIsALinkIsNotWrittenThrough() throws IOException {
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Path pom = Files.writeString(elsewhere.resolve("pom.xml"), "mine");
        Files.createSymbolicLink(cache.resolve("starters/3.5.16-jetty-12.0.9"), elsewhere);
        assertThatThrownBy(() -> exchange(shop(), "jetty", "12.0.9"))
                .hasMessageContaining("is a link")
                .hasMessageNotContaining("\n");
        assertThat(pom).hasContent("mine");
    }

    @Test
    void thePomIsWrittenAsXml() {
        String pom = Starters.pom(new Starters.Starter(
                new Version("3.5.16"), ServletContainer.JETTY, Optional.of(new Version("12.0.9")), true, true));
        assertThat(pom)
                .contains("<artifactId>spring-boot-starter-parent</artifactId><version>3.5.16</version><relativePath/>")
                .contains("<jetty.version>12.0.9</jetty.version>")
                .contains("<artifactId>spring-boot-starter-jetty</artifactId>")
                .contains(
                        "<artifactId>jetty-http2-server</artifactId>",
                        "<artifactId>jetty-ee10-apache-jsp</artifactId>");
    }

    /** A mirror may have a release without some of its libraries. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Could not find artifact org.apache:x:jar:1.2 in central (https://repo.example.org/maven2)",
                "org.apache:x:jar:1.2 was not found in https://repo.example.org/maven2 during a previous attempt."
            })
    void whatMavenDoesNotGetIsNamed(String said) {
        assertThat(Starters.explained(
                        new TargetException("the build failed: -q:\n    [ERROR] " + said),
                        new Starters.Starter(
                                new Version("3.5.13"), ServletContainer.JETTY, Optional.empty(), false, false),
                        Path.of("pom.xml")))
                .isInstanceOf(UsageException.class)
                .hasMessage("Maven's repositories do not have org.apache:x:jar:1.2, which Spring Boot 3.5.13 needs:"
                        + " give a version that they have");
    }

    @Test
    void theHashIsThatOfWhatIsWritten() throws Exception {
        Path jar = shop();
        byte[] first = Files.readAllBytes(jar);
        byte[] second = Files.readAllBytes(
                Jars.service(OF_SHOP).with("BOOT-INF/classes/second", "2").write(folder.resolve("second.jar")));
        AtomicBoolean ends = new AtomicBoolean();
        Thread replacing = new Thread(() -> {
            for (int i = 0; !ends.get(); i++) {
                try {
                    Path next = Files.write(folder.resolve("next"), i % 2 == 0 ? second : first);
                    Files.move(next, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        replacing.start();
        try {
            for (int i = 0; i < 40; i++) {
                exchange(jar, "jetty", null);
            }
        } finally {
            ends.set(true);
            replacing.join();
        }
        // One entry for each of the two, with the content of its hash.
        Files.write(jar, first);
        assertThat(entries(exchange(jar, "jetty", null).jar())).doesNotContain("BOOT-INF/classes/second");
        Files.write(jar, second);
        assertThat(entries(exchange(jar, "jetty", null).jar())).contains("BOOT-INF/classes/second");
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left).noneMatch(one -> one.getFileName().toString().startsWith("unfinished"));
        }
    }

    private static List<String> entries(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().map(ZipEntry::getName).toList();
        }
    }

    @Test
    void aJarWithMoreEntriesThanItsFirstDirectoryCountsIsWhole() throws IOException {
        Jars jar = Jars.service(OF_SHOP);
        for (int i = 0; i < 66_000; i++) {
            jar = jar.with("BOOT-INF/classes/static/" + i, "");
        }
        assertThat(BootJar.withContainer(jar.write(folder.resolve("large.jar"))).container())
                .isEqualTo(ServletContainer.TOMCAT);
    }

    @Test
    void damagedAndForeignJarsAreRejectedInOneLine() throws IOException {
        Path whole = Jars.service(OF_SHOP).write(folder.resolve("whole.jar"));
        // Cut off right after a library, whose own directory could be mistaken for the jar's.
        Path library = new Jars()
                .with("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
                .write(folder.resolve("l.jar"));
        byte[] cut = Arrays.copyOf(Files.readAllBytes(whole), 900 + (int) Files.size(library));
        System.arraycopy(Files.readAllBytes(library), 0, cut, 900, (int) Files.size(library));
        rejected(Files.write(folder.resolve("cut.jar"), cut), "is cut short or damaged");
        rejected(
                Jars.service(OF_SHOP)
                        .with(
                                "META-INF/MANIFEST.MF",
                                "Manifest-Version: 1.0\nMain-Class: evil.Main\nSpring-Boot-Version: 3.5.16\n"
                                        + "Spring-Boot-Lib: BOOT-INF/lib/\n")
                        .write(folder.resolve("main.jar")),
                "is not started by Spring Boot, but by evil.Main");
        rejected(
                Jars.service(OF_SHOP)
                        .with(
                                "META-INF/MANIFEST.MF",
                                "Manifest-Version: 1.0\nSpring-Boot-Version: 3.5.16\nSpring-Boot-Lib: BOOT-INF/lib/\n")
                        .write(folder.resolve("none.jar")),
                "names nothing that starts it (no Main-Class in its manifest)");
        rejected(
                Jars.service(OF_SHOP)
                        .with(
                                "META-INF/MANIFEST.MF",
                                "Manifest-Version: 1.0\nSpring-Boot-Version: 3.5.16\nSpring-Boot-Lib: ../../\n")
                        .write(folder.resolve("lib.jar")),
                "has its libraries in no folder of a jar");
        rejected(
                Jars.service(OF_SHOP)
                        .with("BOOT-INF/classes/shop/Cut.class", "\u00ca")
                        .write(folder.resolve("class.jar")),
                "the class file BOOT-INF/classes/shop/Cut.class is damaged");
        rejected(
                Jars.service(OF_SHOP).withConstants("shop.Large", 300).write(folder.resolve("large.jar")),
                "the class file BOOT-INF/classes/shop/Large.class is damaged");
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left).noneMatch(one -> one.getFileName().toString().startsWith("unfinished"));
        }
    }

    /** 3 MB of zeros take 3 KB in a jar. The real limit is 2 GiB. */
    @Test
    void aJarThatUnpacksToTooMuchIsRejectedAndLeavesNothing() throws IOException {
        Path jar = Jars.service(OF_SHOP)
                .with("BOOT-INF/classes/zeros", "\0".repeat(3 << 20))
                .write(folder.resolve("bomb.jar"));
        ContainerSwap small = limited(new Budget(2 << 20, Budget.ENTRIES, Budget.TIME));
        assertThatThrownBy(() -> small.exchange(jar, "jetty", Optional.empty(), false))
                .hasMessageContaining("it unpacks to more than 2 MiB")
                .hasMessageNotContaining("\n");
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left).noneMatch(one -> one.getFileName().toString().startsWith("unfinished"));
        }
        assertThat(limited(new Budget(4 << 20, Budget.ENTRIES, Budget.TIME))
                        .exchange(jar, "jetty", Optional.empty(), false)
                        .jar())
                .isRegularFile();
    }

    private void rejected(Path jar, String why) {
        assertThatThrownBy(() -> exchange(jar, "jetty", null))
                .hasMessageContaining(why)
                .hasMessageNotContaining("null")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "null",
                "[]",
                "",
                "{\"bootVersion\": \"3\", \"from\": \"a\", \"to\": \"b\", \"removed\": [null], \"added\": [], \"needOld\": []}"
            })
    void aRecordOfAnExchangeThatIsNoneIsALine(String record) throws IOException {
        Path jar = Jars.service(OF_SHOP)
                .with("META-INF/servlet-bench/exchange.json", record)
                .write(folder.resolve("shop.jar"));
        assertThatThrownBy(() -> ContainerSwap.of(jar))
                .isInstanceOf(IOException.class)
                .message()
                .startsWith(jar + ": META-INF/servlet-bench/exchange.json is ")
                .hasLineCount(1);
    }

    private ContainerSwap limited(Budget budget) {
        return new ContainerSwap(cache, () -> budget);
    }

    private void assertTooMuch(Path jar, Budget budget, String why) {
        assertThatThrownBy(() -> limited(budget).exchange(jar, "jetty", Optional.empty(), false))
                .isInstanceOfAny(UsageException.class, TargetException.class)
                .message()
                .contains(why)
                .hasLineCount(1);
    }

    /** A regular expression would take quadratic time, and hang with a jar of 130 kB. */
    @Test
    void aJarWithANameThatIsNoneIsALine() throws IOException {
        Path jar = Jars.service(OF_SHOP).with("x".repeat(65_000), "").write(folder.resolve("name.jar"));
        assertTooMuch(jar, new Budget(), "it has an entry with a name of more than 4096 characters");
        assertThatThrownBy(() -> ServiceJar.read(jar, folder, List.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("a name of more than 4096 characters");
        assertThat(BootJar.fileName("a/b/c.jar") + BootJar.fileName("d.jar")).isEqualTo("c.jard.jar");
    }

    /** Each class alone is tiny. Formerly all of them were read before anything was counted. */
    @Test
    void oneBudgetHoldsForAllThatIsReadOfAJar() throws IOException {
        Jars jars = Jars.service(OF_SHOP);
        for (int i = 0; i < 20; i++) {
            jars.withConstants("shop.Large" + i, 16);
        }
        Path jar = jars.write(folder.resolve("classes.jar"));
        Budget budget = new Budget(3 << 20, Budget.ENTRIES, Budget.TIME);
        assertTooMuch(jar, budget, "it unpacks to more than 3 MiB");
        assertThat(budget.spent()).isLessThanOrEqualTo((3 << 20) + (1 << 20));
        assertTooMuch(jar, new Budget(Budget.BYTES, 20, Budget.TIME), "it has more than 20 entries");
        assertTooMuch(jar, new Budget(Budget.BYTES, Budget.ENTRIES, Duration.ZERO), "it cannot be read within 0 s");
        assertTooMuch(jar, new Budget(1000, Budget.ENTRIES, Budget.TIME), "it has more than 0 MiB");
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left).noneMatch(one -> one.getFileName().toString().startsWith("unfinished"));
        }
    }

    /** Opening a pipe blocks until something writes to it. */
    @Test
    void aPipeInPlaceOfAJarOrBesideOneIsNotWaitedFor() throws Exception {
        Path jar = Jars.service(OF_SHOP).write(folder.resolve("shop/shop.jar"));
        Path pipe = folder.resolve("shop/application.properties");
        Path other = folder.resolve("shop/pipe.jar");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString(), other.toString())
                        .start()
                        .waitFor())
                .isZero();
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            assertThat(exchange(jar, "jetty", null).jar()).isRegularFile();
            assertThatThrownBy(() -> ContainerSwap.containers(other)).isInstanceOf(UsageException.class);
            assertThatThrownBy(() -> ContainerSwap.of(other)).hasMessageContaining("it is not a regular file");
            assertThatThrownBy(() -> JarManifest.of(other)).hasMessageContaining("it is not a regular file");
            assertThatThrownBy(() -> JarManifest.ownPackage(other)).hasMessageContaining("it is not a regular file");
        });
    }
}
