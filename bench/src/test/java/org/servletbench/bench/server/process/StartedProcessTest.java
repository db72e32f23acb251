package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.ManagedProcess;

/** Tests the causes of failed starts. A campaign blames the server only for its own failures. */
class StartedProcessTest {

    @TempDir
    private Path folder;

    private TargetException start(boolean portTaken) {
        return (TargetException) catchThrowable(() -> StartedProcess.start(
                "127.0.0.1",
                OptionalInt.of(1),
                "port",
                new StartedProcess.Timeout(Duration.ZERO, ""),
                port -> new Silent(portTaken)));
    }

    @Test
    void aServerThatDoesNotAnswerInItsTimeFailed() {
        TargetException late = start(false);

        assertThat(late).hasMessageContaining("was not ready after 0 s");
        assertThat(late.isTheServers()).isTrue();
        assertThat(late.saying("there: late").isTheServers()).isTrue();
        assertThat(late.refusal()).isEmpty();
    }

    /** The cause takes one line, however long the log is. */
    @Test
    void aServerThatDiedIsToldByItsCause() {
        assertThat(StartedProcess.cause(List.of(
                        "org.springframework.beans.factory.BeanCreationException: shop",
                        "\tat shop.Shop.main(Shop.java:1)",
                        "Caused by: java.lang.IllegalStateException: first",
                        "\t... 12 more",
                        "Caused by: java.lang.UnsupportedOperationException: last",
                        "\t... 13 more",
                        "",
                        "2026-11-26 INFO Stopping")))
                .isEqualTo("java.lang.UnsupportedOperationException: last");
        assertThat(StartedProcess.cause(List.of(
                        "APPLICATION FAILED TO START",
                        "Description:",
                        "",
                        "Failed to configure a DataSource:",
                        "",
                        "Reason: no driver",
                        "Action:",
                        "Consider this")))
                .isEqualTo("Failed to configure a DataSource: Reason: no driver");
        assertThat(StartedProcess.cause(List.of("x".repeat(2000)))).hasSize(301);
        assertThat(StartedProcess.cause(List.of())).isEqualTo("it printed nothing");
    }

    /** Hibernate fails later, because it lacks the connection's data, and does not name the host. */
    @Test
    void aDatabaseThatIsNotThereIsNamedBeforeWhatFollowsFromIt() {
        List<String> log = List.of(
                "2026-11-28T04:00:00.000Z  INFO 7 --- [shop] [           main] com.zaxxer.hikari.HikariDataSource       : HikariPool-1 - Starting...",
                "2026-11-28T04:00:01.000Z  WARN 7 --- [shop] [           main] org.hibernate.orm.deprecation            : HHH90000025",
                "2026-11-28T04:00:01.100Z  WARN 7 --- [shop] [           main] o.h.engine.jdbc.spi.SqlExceptionHelper   : SQL Error: 0, SQLState: 08001",
                "2026-11-28T04:00:01.101Z ERROR 7 --- [shop] [           main] o.h.engine.jdbc.spi.SqlExceptionHelper   : Connection to"
                        + " 127.0.0.1:5999 refused. Check that the hostname and port are correct.",
                "org.postgresql.util.PSQLException: Connection to 127.0.0.1:5999 refused. Check that the hostname and port are correct.",
                "\tat org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:352)",
                "Caused by: java.net.ConnectException: Connection refused",
                "\t... 14 more",
                "org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'entityManagerFactory'",
                "Caused by: org.hibernate.HibernateException: Unable to determine Dialect without JDBC metadata");

        assertThat(StartedProcess.cause(log))
                .isEqualTo(
                        "Connection to 127.0.0.1:5999 refused. Check that the hostname and port are correct.; it ended"
                                + " with: org.hibernate.HibernateException: Unable to determine Dialect without JDBC metadata");
        assertThat(StartedProcess.cause(List.of(
                        "com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure",
                        "Caused by: java.net.ConnectException: Connection refused",
                        "Caused by: org.hibernate.HibernateException: Unable to determine Dialect")))
                .startsWith("com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure; it");
        assertThat(StartedProcess.cause(List.of(
                        "java.lang.IllegalStateException: no cache",
                        "Caused by: java.net.ConnectException: Connection refused: cache/10.0.0.9:6379")))
                .isEqualTo("java.net.ConnectException: Connection refused: cache/10.0.0.9:6379");
    }

    @Test
    void aPortThatAnotherProcessTookIsNotTheServersFault() {
        TargetException taken = start(true);

        assertThat(taken).hasMessageContaining("was taken by another process");
        assertThat(taken.isTheServers()).isFalse();
    }

    @Test
    void aServerThatIsNotWhatItShouldBeFailed() {
        TargetException refused = TargetException.refusal(TargetException.Refusal.SERVER, "another connector");

        assertThat(refused.isTheServers()).isTrue();
        assertThat(refused.saying("there: another connector").refusal()).contains(TargetException.Refusal.SERVER);
        assertThat(refused.saying("there")).hasMessage("there");
    }

    /** Otherwise it would silently take processor time from the servers of later blocks. */
    @Test
    void whatAServerLeftIsEndedAndNamed() throws Exception {
        Process process = ManagedProcess.start(
                new ProcessBuilder("setsid", "sh", "-c", "sleep 600 & echo $!; exec sleep 601"),
                ManagedProcess.Farewell.KILL);
        long child = Long.parseLong(process.inputReader().readLine());
        // Until it becomes 'sleep' it has the shell's name.
        while (!Files.readString(Path.of("/proc/" + child + "/comm")).strip().equals("sleep")) {
            Thread.sleep(5);
        }
        Silent server = new Silent(false, process);
        server.stop();
        assertThat(server.leftBehind()).containsExactly("sleep (process " + child + ")");
    }

    /** A process that never answers. */
    private final class Silent extends StartedProcess {
        private final boolean portTaken;

        private Silent(boolean portTaken) {
            this(portTaken, sleeping());
        }

        private Silent(boolean portTaken, Process process) {
            super("the server", process, "127.0.0.1", 1, folder.resolve("log"));
            this.portTaken = portTaken;
        }

        @Override
        boolean answers() {
            return false;
        }

        @Override
        boolean isPortTaken() {
            return portTaken;
        }

        @Override
        TargetException diedAtStart() {
            return TargetException.notUp("died");
        }
    }

    private static Process sleeping() {
        try {
            return new ProcessBuilder("sleep", "60").start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
