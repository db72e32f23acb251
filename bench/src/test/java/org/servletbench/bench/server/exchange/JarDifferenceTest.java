package org.servletbench.bench.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.exchange.JarDifference.Fact;
import org.servletbench.bench.server.exchange.JarDifference.Family;
import org.servletbench.bench.server.exchange.JarDifference.Module;

class JarDifferenceTest {

    @TempDir
    Path folder;

    private JarDifference between(Jars before, Jars after) throws IOException {
        return JarDifference.between(
                before.write(folder.resolve("before.jar")), after.write(folder.resolve("after.jar")));
    }

    /** Returns a library with these entries. */
    private static byte[] library(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static Map.Entry<String, String> pom(String group, String artifact, String version) {
        return Map.entry(
                "META-INF/maven/" + group + "/" + artifact + "/pom.properties",
                "groupId=" + group + "\nartifactId=" + artifact + "\nversion=" + version + "\n");
    }

    @Test
    void librariesThatMovedTogetherAreOneFamily() throws IOException {
        JarDifference difference = between(
                Jars.service(
                        "tomcat-embed-core-10.1.15.jar",
                        "tomcat-embed-el-10.1.15.jar",
                        "spring-core-6.1.0.jar",
                        "spring-boot-3.5.15.jar",
                        "guava-31.0.jar"),
                Jars.service(
                        "tomcat-embed-core-10.1.16.jar",
                        "tomcat-embed-el-10.1.16.jar",
                        "spring-core-6.1.1.jar",
                        "spring-boot-3.5.16.jar",
                        "caffeine-3.2.4.jar"));
        assertThat(difference.changed())
                .extracting(Family::name, Family::before, Family::after)
                .containsExactly(
                        tuple("tomcat-embed-*", "10.1.15", "10.1.16"),
                        tuple("spring-boot", "3.5.15", "3.5.16"),
                        tuple("spring-core", "6.1.0", "6.1.1"));
        assertThat(difference.changed().get(0).members()).containsExactly("tomcat-embed-core", "tomcat-embed-el");
        assertThat(difference.added()).containsExactly(new Module("", "caffeine", "3.2.4"));
        assertThat(difference.removed()).containsExactly(new Module("", "guava", "31.0"));
        assertThat(difference.libraries()).isEqualTo(5);
        assertThat(difference.words())
                .isEqualTo(
                        "tomcat-embed-* (2) 10.1.15 → 10.1.16; spring-boot 3.5.15 → 3.5.16; spring-core 6.1.0 → 6.1.1;"
                                + " libraries: 1 added, 1 removed");
    }

    /** A library that includes others also has their coordinates. The file name says which are its own. */
    @Test
    void coordinatesComeFromTheLibraryItself() throws IOException {
        Jars before = Jars.service()
                .with(
                        "BOOT-INF/lib/pool-7.0.2.jar",
                        library(Map.ofEntries(pom("com.acme", "pool", "7.0.2"), pom("org.other", "shaded", "1"))))
                .with("BOOT-INF/lib/plain.jar", library(Map.ofEntries(pom("com.acme", "plain", "1"))));
        Jars after = Jars.service()
                .with(
                        "BOOT-INF/lib/pool-7.1.0.jar",
                        library(Map.ofEntries(pom("com.acme", "pool", "7.1.0"), pom("org.other", "shaded", "2"))))
                .with("BOOT-INF/lib/plain.jar", library(Map.ofEntries(pom("com.acme", "plain", "2"))));
        assertThat(between(before, after).changed())
                .extracting(Family::group, Family::name, Family::before, Family::after)
                .containsExactly(tuple("com.acme", "plain", "1", "2"), tuple("com.acme", "pool", "7.0.2", "7.1.0"));
    }

    @Test
    void filesOfOneModuleByClassifierAreOneFamily() throws IOException {
        Family family = between(ssl("2.0"), ssl("2.1")).changed().get(0);
        assertThat(family.words()).isEqualTo("ssl-* (2) 2.0 → 2.1");
        assertThat(family.members()).containsExactly("ssl-linux", "ssl-mac");
    }

    private static Jars ssl(String version) throws IOException {
        byte[] library = library(Map.ofEntries(pom("com.acme", "ssl", version)));
        return Jars.service()
                .with("BOOT-INF/lib/ssl-" + version + "-linux.jar", library)
                .with("BOOT-INF/lib/ssl-" + version + "-mac.jar", library);
    }

    /** For example slf4j-api and jul-to-slf4j. */
    @Test
    void aFamilyWithoutACommonWordHasTheNameOfItsGroup() throws IOException {
        assertThat(between(group("1.0"), group("1.1")).changed())
                .extracting(Family::words)
                .containsExactly("org.log:* (2) 1.0 → 1.1");
    }

    private static Jars group(String version) throws IOException {
        return Jars.service()
                .with("BOOT-INF/lib/api-" + version + ".jar", library(Map.ofEntries(pom("org.log", "api", version))))
                .with(
                        "BOOT-INF/lib/bridge-" + version + ".jar",
                        library(Map.ofEntries(pom("org.log", "bridge", version))));
    }

    @Test
    void aRebuiltLibraryKeepsItsVersion() throws IOException {
        JarDifference difference = between(
                Jars.service().with("BOOT-INF/lib/own-1.0.jar", "one"),
                Jars.service().with("BOOT-INF/lib/own-1.0.jar", "two"));
        assertThat(difference.changed()).singleElement().satisfies(family -> {
            assertThat(family.isRebuilt()).isTrue();
            assertThat(family.after()).isEqualTo("1.0");
        });
    }

    @Test
    void ownClassesAreCountedByPackage() throws IOException {
        JarDifference difference = between(
                Jars.service()
                        .with("BOOT-INF/classes/shop/web/Cart.class", "old")
                        .with("BOOT-INF/classes/shop/web/Gone.class", "old")
                        .with("BOOT-INF/classes/shop/db/Same.class", "same"),
                Jars.service()
                        .with("BOOT-INF/classes/shop/web/Cart.class", "new")
                        .with("BOOT-INF/classes/shop/db/Same.class", "same")
                        .with("BOOT-INF/classes/shop/db/New.class", "new"));
        assertThat(difference.classes())
                .isEqualTo(new JarDifference.Classes(1, 1, 1, Map.of("shop.web", 2, "shop.db", 1)));
        assertThat(difference.classes().packages().keySet()).containsExactly("shop.web", "shop.db");
    }

    /** A value may be a password. */
    @Test
    void configurationIsNamedWithoutValues() throws IOException {
        JarDifference difference = between(
                Jars.service()
                        .with(
                                "BOOT-INF/classes/application.properties",
                                "spring.application.name=shop\na.password=old\nb.same=1\nc-gone=1\n"),
                Jars.service().with("BOOT-INF/classes/application.yaml", "a: {password: new}\nb.same: 1\n"));
        assertThat(difference.keys()).containsExactly("a.password", "c-gone");
        assertThat(difference.toString()).doesNotContain("old").doesNotContain("new");
    }

    @Test
    void factsOfTheManifestThatDiffer() throws IOException {
        Jars after = Jars.service("a-1.jar")
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nMain-Class: org.springframework.boot.loader.launch.JarLauncher\n"
                                + "Start-Class: shop.Other\nSpring-Boot-Version: 4.0.0\n"
                                + "Spring-Boot-Classes: BOOT-INF/classes/\nSpring-Boot-Lib: BOOT-INF/lib/\n");
        assertThat(between(Jars.service("a-1.jar"), after).facts())
                .containsExactly(
                        new Fact("Spring Boot", Jars.BOOT, "4.0.0"),
                        new Fact("start class", "shop.Shop", "shop.Other"),
                        new Fact("layers", "dependencies", ""));
    }

    @Test
    void equalJarsDifferInNothing() throws IOException {
        assertThat(between(Jars.service("a-1.jar"), Jars.service("a-1.jar")).isEmpty())
                .isTrue();
    }

    @Test
    void namesOfAnUntrustedJarAreOneLine() throws IOException {
        JarDifference difference = between(
                Jars.service("a-1.jar"),
                Jars.service("a-1.jar", "x\n::error::y-1.jar").with("BOOT-INF/classes/p/A\u001b[2J.class", "c"));
        assertThat(difference.added()).singleElement().satisfies(one -> assertThat(one.name())
                .isEqualTo("x ::error::y"));
        assertThat(difference.toString()).doesNotContain("\u001b");
    }

    @Test
    void aFileThatIsNoBootJarIsRejected() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "no jar");
        Path plain = Files.write(folder.resolve("plain.jar"), library(Map.of("A.class", "")));
        Path good = Jars.service("a-1.jar").write(folder.resolve("good.jar"));
        for (Path bad : List.of(text, plain, folder.resolve("missing.jar"))) {
            assertThatThrownBy(() -> JarDifference.between(good, bad))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining(bad.getFileName().toString())
                    .hasMessageNotContaining("\n");
        }
    }
}
