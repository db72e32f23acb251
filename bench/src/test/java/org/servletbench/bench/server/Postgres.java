package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.servletbench.bench.server.process.Preflight;
import org.servletbench.bench.server.process.TargetSpec;

/** A PostgreSQL from Debian's package on loopback. Its data is deleted with it. */
final class Postgres implements AutoCloseable {

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private final Path bin;
    private final String data;
    private final int port = Preflight.anyFreePort(TargetSpec.LOOPBACK);

    private Postgres(Path bin) throws IOException {
        this.bin = bin;
        this.data = run("mktemp", "-d", "/tmp/servlet-bench-postgres.XXXXXX").strip();
    }

    /** Starts a server, and skips the test if PostgreSQL is not installed. In CI, nothing is skipped. */
    static Postgres start() throws IOException {
        Optional<Path> bin = bin();
        String missing = "no PostgreSQL in " + VERSIONS + ": apt-get install postgresql";
        if (bin.isEmpty() && !"true".equals(System.getenv("CI"))) {
            Assumptions.abort(missing);
        }
        Postgres postgres = new Postgres(bin.orElseThrow(() -> new AssertionError(missing)));
        postgres.run(postgres.program("initdb"), "-D", postgres.data, "-A", "trust", "-U", "bench", "--no-sync");
        postgres.run(
                postgres.program("pg_ctl"),
                "-D",
                postgres.data,
                "-l",
                postgres.data + "/log",
                "-o",
                "-p " + postgres.port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off",
                "-w",
                "start");
        return postgres;
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=bench";
    }

    /** Returns the result of a query, without a header. */
    String ask(String query) throws IOException {
        return run(program("psql"), "-h", "127.0.0.1", "-p", "" + port, "-U", "bench", "-Atc", query, "postgres")
                .strip();
    }

    @Override
    public void close() throws IOException {
        run(program("pg_ctl"), "-D", data, "-m", "immediate", "stop");
        run("rm", "-r", data);
    }

    private static Optional<Path> bin() throws IOException {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        }
    }

    private String program(String name) {
        return bin.resolve(name).toString();
    }

    /** Runs a command as another user, because PostgreSQL refuses to run as root; its package creates that user. */
    private String run(String... words) throws IOException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        command.addAll(List.of(words));
        Path output = Files.createTempFile("postgres", ".out");
        try {
            // Redirected into a file, because the server that pg_ctl leaves behind would keep a pipe open.
            Process process = new ProcessBuilder(command)
                    .directory(Path.of("/tmp").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            int code = process.waitFor();
            String said = Files.readString(output, StandardCharsets.UTF_8);
            if (code != 0) {
                throw new IOException(command + " ended with " + code + ": " + said);
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            Files.delete(output);
        }
    }
}
