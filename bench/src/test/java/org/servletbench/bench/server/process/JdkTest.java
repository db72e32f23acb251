package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.UsageException;

class JdkTest {

    @TempDir
    private Path home;

    private void java(String script) throws IOException {
        Path bin = Files.createDirectory(home.resolve("bin"));
        Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\n" + script + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private void assertUnusable(Path jdk, String why) {
        assertThatThrownBy(() -> Jdk.at(jdk.toString()))
                .isInstanceOf(UsageException.class)
                .hasMessage("the JDK " + jdk + " cannot be used: " + why);
    }

    @Test
    void saysWhatIsWrongWithAJdk() throws IOException {
        assertUnusable(home.resolve("none"), "there is no such folder");
        assertUnusable(home, "it has no bin/java; give the home of a JDK 17 or newer");
        java("echo no libjvm; exit 3");
        assertUnusable(home, "bin/java ended with exit code 3: no libjvm");
    }

    @Test
    void rejectsAnOldOne() throws IOException {
        java("echo '    java.version = 11.0.2' >&2");
        assertUnusable(home, "it is Java 11.0.2, and the applications need 17 or newer");
    }

    @Test
    void rejectsOneFromBefore9() throws IOException {
        java("echo '    java.version = 1.8.0_402' >&2");
        assertUnusable(home, "it is Java 1.8.0_402, and the applications need 17 or newer");
    }

    @Test
    void rejectsWhatIsNoJava() throws IOException {
        java("echo hello");
        assertUnusable(home, "bin/java does not report its version");
    }

    @Test
    void believesWhatTheJdkSaysOfItselfAndNotTheFoldersName() throws IOException {
        java(
                "cat >&2 <<'END'\nProperty settings:\n    java.home = /real/home\n    java.runtime.version = 25.0.3+9-LTS\n"
                        + "    java.version = 25.0.3\n    java.vm.name = Some VM\n    java.vm.vendor = Somebody\nEND");

        Jdk jdk = Jdk.at(home.toString());

        assertThat(jdk).isEqualTo(new Jdk(Path.of("/real/home"), "25.0.3", "25.0.3+9-LTS", "Somebody", "Some VM"));
        assertThat(jdk.feature()).isEqualTo(25);
        assertThat(jdk.versions())
                .containsEntry("jdk", "Some VM 25.0.3+9-LTS (Somebody)")
                .containsEntry("jdk.home", "/real/home")
                .containsEntry(
                        "jdk.rig",
                        Jdk.own().vm() + " " + Jdk.own().runtimeVersion() + " ("
                                + Jdk.own().vendor() + ")");
    }

    @Test
    void buildsOfTwoVendorsAreTwoJdks() {
        Jdk one = new Jdk(Path.of("/a"), "25.0.3", "25.0.3+9", "Somebody", "Some VM");
        Jdk other = new Jdk(Path.of("/b"), "25.0.3", "25.0.3+9", "Another", "Some VM");

        assertThat(one.versions().get("jdk")).isNotEqualTo(other.versions().get("jdk"));
        assertThat(Jdk.versions(List.of(Jdk.own(), one, other)))
                .containsEntry("jdk@/a", one.versions().get("jdk"))
                .containsEntry("jdk@/b", other.versions().get("jdk"));
    }

    @Test
    void knowsItsOwn() {
        Jdk asked = Jdk.of(List.of(Jdk.ownHome().toString()));

        assertThat(asked).isEqualTo(Jdk.own()).isEqualTo(Jdk.of(List.of()));
        assertThat(asked.versions()).containsKeys("jdk", "jdk.home").doesNotContainKey("jdk.rig");
    }

    @Test
    void findsTheLineThatNamesTheOption() {
        String ignored = "OpenJDK 64-Bit Server VM warning: Ignoring option ZGenerational; support was removed in 24.0";

        assertThat(Jdk.rejectedOption(List.of(
                        ignored,
                        "Unrecognized VM option 'Foo'",
                        "Error: Could not create the Java Virtual Machine.",
                        "Error: A fatal exception has occurred. Program will exit.")))
                .contains("Unrecognized VM option 'Foo'");
        assertThat(Jdk.rejectedOption(
                        List.of("Error occurred during initialization of VM", "Multiple garbage collectors selected")))
                .contains("Multiple garbage collectors selected");
        assertThat(Jdk.rejectedOption(List.of(ignored, "started"))).isEmpty();
        assertThat(Jdk.ignoredOption(List.of("started", ignored))).contains(ignored);
        assertThat(Jdk.ignoredOption(List.of("started"))).isEmpty();
    }
}
