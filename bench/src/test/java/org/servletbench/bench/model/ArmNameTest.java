package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArmNameTest {

    private static final ProfilesFolder FOLDER =
            new ProfilesFolder(Path.of(System.getProperty("bench.root"), "profiles"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jetty                    | boot3 | jetty                    | Jetty
            jetty+boot3+platform     | boot3 | jetty                    | Jetty
            tomcat-apr               | boot2 | tomcat-apr+boot2         | Tomcat APR
            tomcat-nio+virtual       | boot3 | tomcat-nio+virtual       | Tomcat NIO, virtual threads
            jetty@25                 | boot3 | jetty@25                 | Jetty, JDK 25
            jetty+boot4+virtual@25   | boot4 | jetty+boot4+virtual@25   | Jetty, virtual threads, JDK 25
            """)
    void anArmHasOneName(String text, String line, String id, String label) {
        ArmName name = ArmName.of(text, FOLDER);

        assertThat(name.usedLine()).isEqualTo(line);
        assertThat(name.id()).isEqualTo(id);
        assertThat(name.label()).isEqualTo(label);
        assertThat(ArmName.of(id, FOLDER).id()).isEqualTo(id);
    }

    @Test
    void whatItLeavesOpenIsFilledInAndWhatItSaysStays() {
        assertThat(ArmName.of("jetty", FOLDER)
                        .orThreads(Threads.VIRTUAL)
                        .orJdk(25)
                        .id())
                .isEqualTo("jetty+virtual@25");
        assertThat(ArmName.of("jetty+platform@17", FOLDER)
                        .orThreads(Threads.VIRTUAL)
                        .orJdk(25)
                        .id())
                .isEqualTo("jetty@17");
    }

    @ParameterizedTest
    @CsvSource({"jetty+boot5", "jetty+green", "jetty+virtual+boot4", "jetty@", "jetty@25+virtual", "+boot3", "jetty+"})
    void rejectsAnotherForm(String text) {
        assertThatThrownBy(() -> ArmName.of(text, FOLDER))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(
                        "--arms: '" + text + "' is not understood: give profile[+line][+threads][@JDK]");
    }

    @Test
    void rejectsWhatThereIsNot() {
        assertThatThrownBy(() -> ArmName.of("undertow+boot4+virtual", FOLDER))
                .hasMessage("--arms: there is no Undertow on boot4 (Spring Boot 4 dropped it)");
        assertThatThrownBy(() -> ArmName.of("grizzly", FOLDER)).hasMessageStartingWith("no profile 'grizzly'");
    }

    @Test
    void virtualThreadsNeedAJdkAndALineThatHaveThem() {
        Threads.PLATFORM.requirePossible("jetty", "boot2", 17, "JDK 17");
        Threads.VIRTUAL.requirePossible("jetty", "boot3", 21, "JDK 21");
        assertThatThrownBy(() -> Threads.VIRTUAL.requirePossible("jetty", "boot3", 20, "JDK 20 (/opt/20)"))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "jetty: virtual threads need a JDK 21 or newer, and the server would run on JDK 20 (/opt/20):"
                                + " name another with --jdk HOME");
        assertThatThrownBy(() -> Threads.VIRTUAL.requirePossible("jetty", "boot2", 25, "JDK 25"))
                .hasMessage("jetty: Spring Boot 2.7 cannot serve with virtual threads: choose boot3 or boot4");
        assertThatThrownBy(() -> Threads.of("green")).hasMessage("no threads 'green': choose platform or virtual");
    }
}
