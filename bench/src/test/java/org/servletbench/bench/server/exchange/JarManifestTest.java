package org.servletbench.bench.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarManifestTest {

    @TempDir
    private Path folder;

    @Test
    void theOwnPackageIsThatOfTheClassThatStarts() throws IOException {
        assertThat(JarManifest.ownPackage(Jars.service("a-1.jar").write(folder.resolve("a.jar"))))
                .isEqualTo("shop");
        assertThat(JarManifest.ownPackage(new Jars().with("x", "x").write(folder.resolve("b.jar"))))
                .as("without a manifest")
                .isEmpty();
    }

    /** All readers report a manifest that is too long in the same way. */
    @Test
    void aManifestWithoutEndIsALine() throws IOException {
        Path jar = Jars.service("tomcat-embed-core-10.1.55.jar")
                .with(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nMain-Class: org.springframework.boot.loader.launch.JarLauncher\n"
                                + "Start-Class: shop.Shop\nSpring-Boot-Version: 3.5.16\nSpring-Boot-Lib: BOOT-INF/lib/\n"
                                + "X: y\n".repeat(300_000))
                .write(folder.resolve("long.jar"));
        assertThatThrownBy(() -> JarManifest.ownPackage(jar)).hasMessage("its manifest is longer than 1 MiB");
        assertThatThrownBy(() -> ServiceJar.read(jar, folder, List.of()))
                .hasMessageContaining("its manifest is longer than 1 MiB");
        assertThatThrownBy(() -> BootJar.read(jar)).hasMessageContaining("its manifest is longer than 1 MiB");
    }
}
