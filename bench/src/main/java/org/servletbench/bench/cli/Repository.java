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

/** The clone that a command belongs to, or the unzipped distribution, which has no sources. */
final class Repository {

    private Repository() {}

    /**
     * Returns the root: the given one, else the one above the jar, else the one above the working folder.
     *
     * @throws UsageException if there is none
     */
    static Path root(Path given) {
        if (given != null) {
            if (!isRoot(given)) {
                throw new UsageException(
                        "--root " + given + " is not a clone of servlet-bench: it has no profiles folder");
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
     * Returns the folder for results: the given one, else a new one in bench/target. A distribution without sources
     * uses the working folder, because its own may be read-only.
     *
     * @throws UsageException if the given one exists
     */
    static Path results(Path root, Path out, String folder, String name) {
        if (out != null && Files.exists(out)) {
            throw new UsageException("--out " + out + " already exists: measurements are never overwritten; to continue"
                    + " it, give --resume " + out);
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

    /** Returns the commit of the sources, with {@code -dirty} if they were changed; empty if git cannot report it. */
    static String commit(Path root) {
        if (!MavenBuild.hasSources(root)) {
            // Without sources, any repository around the unzipped folder is not ours.
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
