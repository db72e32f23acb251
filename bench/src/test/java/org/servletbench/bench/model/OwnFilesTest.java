package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFilesTest {

    @TempDir
    private Path temporary;

    @Test
    void theyAreForTheirOwnerAloneAndNamedByTheirProcess() throws IOException {
        Path folder = OwnFiles.folder();
        Path file = OwnFiles.file(".values");
        try {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(file.getFileName().toString())
                    .contains("-" + ProcessHandle.current().pid() + "-");
            assertThat(OwnFiles.isOne(file, ".values")).isTrue();
            assertThat(OwnFiles.isOne(file, ".properties")).isFalse();
            assertThat(OwnFiles.isOne(Path.of("/home/me/servlet-bench-1.values"), ".values"))
                    .isFalse();
            OwnFiles.sweep(folder.getParent());
            assertThat(folder).exists();
            assertThat(file).exists();
        } finally {
            Files.delete(folder);
            Files.delete(file);
        }
    }

    /** After kill -9, the next process deletes the files that its predecessor left. */
    @Test
    void thoseOfAProcessThatIsNoMoreAreSwept() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path made = OwnFiles.folder();
        Files.delete(made);
        String begin = made.getFileName().toString().replaceFirst("-\\d+-\\d*$", "-");
        Path old = Files.createDirectory(temporary.resolve(begin + dead.pid() + "-1"));
        Files.writeString(old.resolve("jvm.args"), "planted");
        Path values = Files.writeString(temporary.resolve(begin + dead.pid() + "-2.values"), "planted");
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path kept = Files.writeString(elsewhere.resolve("kept"), "mine");
        Path link = Files.createSymbolicLink(temporary.resolve(begin + dead.pid() + "-3"), elsewhere);
        Path living = Files.createFile(
                temporary.resolve(begin + ProcessHandle.current().pid() + "-4.values"));
        Path otherNumbering = Files.createFile(temporary.resolve("servlet-bench-1-" + dead.pid() + "-5.values"));
        Path notOurs = Files.createFile(temporary.resolve("servlet-bench-notes"));

        OwnFiles.sweep(temporary);
        assertThat(old).doesNotExist();
        assertThat(values).doesNotExist();
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(kept).exists();
        assertThat(living).exists();
        assertThat(otherNumbering).exists();
        assertThat(notOurs).exists();
    }
}
