package org.servletbench.bench.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedJarTest {

    @TempDir
    Path folder;

    /** Maven writes into the existing file. */
    @Test
    void aBuildReplacesTheJarAndNotWhatIsServed() throws IOException {
        Path jar = Files.writeString(folder.resolve("app.jar"), "before");
        Path served = ServedJar.of(jar);
        Files.writeString(jar, "after");
        assertThat(served).hasContent("before").isNotEqualTo(jar);
        assertThat(ServedJar.of(jar)).as("the next server").hasContent("after");
    }

    @Test
    void leftoversOfProcessesThatAreGoneAreDeleted() throws IOException {
        Path jar = Files.writeString(folder.resolve("app.jar"), "app");
        Path gone = Files.writeString(folder.resolve("serving-999999999.jar"), "old");
        Path alive = Files.writeString(folder.resolve("serving-1.jar"), "of another");
        ServedJar.of(jar);
        assertThat(gone).doesNotExist();
        assertThat(alive).exists();
        assertThat(ServedJar.of(folder.resolve("none.jar"))).isEqualTo(folder.resolve("none.jar"));
    }
}
