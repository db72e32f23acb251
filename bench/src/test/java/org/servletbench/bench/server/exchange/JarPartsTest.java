package org.servletbench.bench.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.exchange.JarParts.Part;

class JarPartsTest {

    @TempDir
    Path folder;

    private Path before;
    private Path after;

    @BeforeEach
    void write() throws IOException {
        before = Jars.service(
                        "tomcat-embed-core-10.1.15.jar",
                        "tomcat-embed-el-10.1.15.jar",
                        "spring-boot-3.5.15.jar",
                        "guava-31.0.jar")
                .with("BOOT-INF/classes/shop/Cart.class", "old")
                .with("org/springframework/boot/loader/Launcher.class", "old")
                .write(folder.resolve("before.jar"));
        after = Jars.service(
                        "tomcat-embed-core-10.1.16.jar",
                        "tomcat-embed-el-10.1.16.jar",
                        "spring-boot-3.5.16.jar",
                        "caffeine-3.2.4.jar")
                .with("BOOT-INF/classes/shop/Cart.class", "new")
                .with("BOOT-INF/classes/shop/Order.class", "new")
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nMain-Class: org.springframework.boot.loader.launch.JarLauncher\n"
                                + "Start-Class: shop.NewShop\nSpring-Boot-Version: 3.5.17\n"
                                + "Spring-Boot-Classes: BOOT-INF/classes/\nSpring-Boot-Lib: BOOT-INF/lib/\n"
                                + "Spring-Boot-Classpath-Index: BOOT-INF/classpath.idx\n"
                                + "Spring-Boot-Layers-Index: BOOT-INF/layers.idx\n")
                .with("org/springframework/boot/loader/Launcher.class", "new")
                .write(folder.resolve("after.jar"));
    }

    /** Returns checksums of a jar's files, without the manifest and the indexes. */
    private static Map<String, Long> contents(Path jar) throws IOException {
        Map<String, Long> contents = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            zip.stream()
                    .filter(entry -> !entry.isDirectory() && !entry.getName().matches(".*(MANIFEST.MF|\\.idx)"))
                    .forEach(entry -> contents.put(entry.getName(), entry.getCrc()));
        }
        return contents;
    }

    private Map<String, Long> with(JarParts parts, List<Part> some) throws IOException {
        Path out = folder.resolve("hybrid.jar");
        parts.write(some, out);
        return contents(out);
    }

    private static List<Part> named(JarParts parts, String... keys) {
        return parts.parts().stream()
                .filter(part -> List.of(keys).contains(part.key()))
                .toList();
    }

    @Test
    void familiesOtherLibrariesAndOwnFilesAreParts() {
        assertThat(JarParts.between(before, after).parts())
                .extracting(Part::key)
                .containsExactly("tomcat-embed", "spring-boot", "guava", "caffeine", "own");
    }

    @Test
    void noPartIsTheOldBuildAndAllPartsAreTheNewOne() throws IOException {
        JarParts parts = JarParts.between(before, after);
        assertThat(with(parts, List.of())).isEqualTo(contents(before));
        assertThat(with(parts, parts.parts())).isEqualTo(contents(after));
    }

    @Test
    void aPartBringsOnlyItself() throws IOException {
        JarParts parts = JarParts.between(before, after);
        assertThat(with(parts, named(parts, "tomcat-embed")))
                .containsKeys(
                        "BOOT-INF/lib/tomcat-embed-core-10.1.16.jar",
                        "BOOT-INF/lib/tomcat-embed-el-10.1.16.jar",
                        "BOOT-INF/lib/spring-boot-3.5.15.jar",
                        "BOOT-INF/lib/guava-31.0.jar")
                .doesNotContainKeys("BOOT-INF/lib/tomcat-embed-core-10.1.15.jar", "BOOT-INF/classes/shop/Order.class");
        Map<String, Long> old = contents(before);
        assertThat(with(parts, named(parts, "own")))
                .containsKeys("BOOT-INF/classes/shop/Order.class", "BOOT-INF/lib/tomcat-embed-core-10.1.15.jar")
                .containsEntry(
                        "org/springframework/boot/loader/Launcher.class",
                        old.get("org/springframework/boot/loader/Launcher.class"));
    }

    /** The manifest's launcher and version come from the library spring-boot. */
    @Test
    void theLauncherMovesWithSpringBoot() throws IOException {
        JarParts parts = JarParts.between(before, after);
        Path out = folder.resolve("boot.jar");
        parts.write(named(parts, "spring-boot"), out);
        assertThat(contents(out))
                .containsEntry(
                        "org/springframework/boot/loader/Launcher.class",
                        contents(after).get("org/springframework/boot/loader/Launcher.class"));
        try (JarFile jar = new JarFile(out.toFile())) {
            Manifest manifest = jar.getManifest();
            assertThat(manifest.getMainAttributes().getValue("Spring-Boot-Version"))
                    .isEqualTo("3.5.17");
            assertThat(manifest.getMainAttributes().getValue("Start-Class")).isEqualTo("shop.Shop");
        }
    }

    @Test
    void theIndexNamesTheLibrariesThatAreThere() throws IOException {
        JarParts parts = JarParts.between(before, after);
        Path out = folder.resolve("indexed.jar");
        parts.write(named(parts, "caffeine", "guava"), out);
        try (ZipFile zip = new ZipFile(out.toFile())) {
            ZipEntry index = zip.getEntry("BOOT-INF/classpath.idx");
            assertThat(new String(zip.getInputStream(index).readAllBytes(), StandardCharsets.UTF_8))
                    .contains("caffeine-3.2.4.jar", "tomcat-embed-core-10.1.15.jar")
                    .doesNotContain("guava");
        }
    }

    @Test
    void whatABuildWritesAboutItselfIsNoPart() throws IOException {
        Path now = Jars.service("tomcat-embed-core-10.1.15.jar", "guava-31.0.jar")
                .with("BOOT-INF/classes/shop/Cart.class", "same")
                .with("META-INF/maven/shop/shop/pom.properties", "#Monday")
                .with("BOOT-INF/classes/META-INF/build-info.properties", "build.time=1")
                .write(folder.resolve("now.jar"));
        Path later = Jars.service("tomcat-embed-core-10.1.15.jar", "guava-32.0.jar")
                .with("BOOT-INF/classes/shop/Cart.class", "same")
                .with("META-INF/maven/shop/shop/pom.properties", "#Tuesday")
                .with("BOOT-INF/classes/META-INF/build-info.properties", "build.time=2")
                .write(folder.resolve("later.jar"));
        assertThat(JarParts.between(now, later).parts()).extracting(Part::key).containsExactly("guava");
    }

    /** A war that can also be deployed has its container in another folder. */
    @Test
    void librariesThatAServerWouldProvideAreParts() throws IOException {
        Path old = Jars.war("tomcat-embed-core-10.1.15.jar", "guava-31.0.jar").write(folder.resolve("old.war"));
        Path now = Jars.war("tomcat-embed-core-10.1.16.jar", "guava-31.0.jar").write(folder.resolve("new.war"));
        assertThat(JarDifference.between(old, now).changed())
                .extracting(JarDifference.Family::words)
                .containsExactly("tomcat-embed-core 10.1.15 → 10.1.16");
        JarParts parts = JarParts.between(old, now);
        assertThat(parts.parts()).extracting(Part::key).containsExactly("tomcat-embed-core");
        assertThat(with(parts, parts.parts())).isEqualTo(contents(now));
    }

    /** For example a native library for each operating system. */
    @Test
    void filesOfOneModuleByClassifierAreOnePart() throws IOException {
        Path old = Jars.service("tomcat-embed-core-10.1.15.jar", "ssl-2.0.jar", "ssl-2.0-linux.jar", "ssl-2.0-mac.jar")
                .write(folder.resolve("old.jar"));
        Path now = Jars.service("tomcat-embed-core-10.1.15.jar", "ssl-2.1.jar", "ssl-2.1-linux.jar", "ssl-2.1-mac.jar")
                .write(folder.resolve("new.jar"));
        JarParts parts = JarParts.between(old, now);
        assertThat(parts.parts()).extracting(Part::key).containsExactly("ssl");
        assertThat(with(parts, parts.parts())).isEqualTo(contents(now));
    }

    @Test
    void theLauncherNamesItsFileSystem() throws IOException {
        Path old = Jars.service("tomcat-embed-core-10.1.15.jar", "spring-boot-3.1.5.jar")
                .write(folder.resolve("old.jar"));
        Path now = Jars.service("tomcat-embed-core-10.1.15.jar", "spring-boot-3.2.0.jar")
                .with("META-INF/services/java.nio.file.spi.FileSystemProvider", "org.springframework.boot.loader.nio")
                .write(folder.resolve("new.jar"));
        JarParts parts = JarParts.between(old, now);
        assertThat(parts.parts()).extracting(Part::key).containsExactly("spring-boot");
        assertThat(with(parts, parts.parts())).isEqualTo(contents(now));
    }

    @Test
    void aServiceOnNettyHasPartsToo() throws IOException {
        Path old = Jars.service("reactor-netty-http-1.2.0.jar").write(folder.resolve("old.jar"));
        Path now = Jars.service("reactor-netty-http-1.2.1.jar").write(folder.resolve("new.jar"));
        assertThat(JarParts.between(old, now).parts()).extracting(Part::key).containsExactly("reactor-netty-http");
    }

    @Test
    void equalJarsHaveNothingToDivide() throws IOException {
        assertThatThrownBy(() -> JarParts.between(before, before))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("the same libraries and own files: there is nothing to divide");
    }
}
