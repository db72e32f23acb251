package org.servletbench.bench.cli;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.MavenBuild;
import org.servletbench.bench.server.process.RunFolder;

/** The clone that a command belongs to, or the unzipped folder, which has no sources. */
final class Repository {

    private Repository() {}

    /**
     * Its root: what was given, else above the jar, else above the working folder.
     *
     * @throws UsageException if there is none
     */
    static Path root(Path given) {
        if (given != null) {
            if (!isRoot(given)) {
                throw new UsageException(
                        "--root " + given + " is no clone of servlet-bench: there is no profiles folder");
            }
            return given.toAbsolutePath().normalize();
        }
        return Stream.concat(code().stream(), Stream.of(Path.of("").toAbsolutePath()))
                .flatMap(start -> Stream.iterate(start, Objects::nonNull, Path::getParent))
                .filter(Repository::isRoot)
                .findFirst()
                .orElseThrow(() ->
                        new UsageException("no clone of servlet-bench here: run this from one, or give --root DIR"));
    }

    /**
     * Where a command writes its results: what was given, else a new folder in bench/target; without sources in the working folder, because
     * the program's own may be read-only.
     *
     * @throws UsageException if what was given exists
     */
    static Path results(Path root, Path out, String folder, String name) {
        if (out != null && Files.exists(out)) {
            throw new UsageException("--out " + out + " already exists: nothing measured is ever overwritten; to go on"
                    + " with it give --resume " + out);
        }
        Path place = MavenBuild.hasSources(root) ? root.resolve("bench/target") : Path.of("servlet-bench");
        Path usual = place.resolve(folder).resolve(RunFolder.name(name));
        return (out == null ? usual : out).toAbsolutePath().normalize();
    }

    private static boolean isRoot(Path folder) {
        return Files.isRegularFile(folder.resolve("profiles/campaign.properties"));
    }

    private static Optional<Path> code() {
        try {
            return Optional.of(Path.of(Repository.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI()));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The commit of the sources, with {@code -dirty} when they were changed; empty when git cannot say. */
    static String commit(Path root) {
        if (!MavenBuild.hasSources(root)) {
            // What is around an unzipped folder is somebody else's.
            return "";
        }
        String folder = root.toString();
        return ManagedProcess.output("git", "-C", folder, "rev-parse", "HEAD")
                .map(String::strip)
                .map(head -> head
                        + (ManagedProcess.output("git", "-C", folder, "status", "--porcelain")
                                        .orElse("")
                                        .isBlank()
                                ? ""
                                : "-dirty"))
                .orElse("");
    }
}
