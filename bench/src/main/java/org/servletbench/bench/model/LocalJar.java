package org.servletbench.bench.model;

import java.nio.file.Files;
import java.nio.file.Path;

/** A jar of the local Maven repository, by its coordinates. */
public record LocalJar(String group, String artifact, String version) {

    /** {@code group:artifact:version}: none of them can lead out of the repository. */
    public static final String FORM =
            "[0-9A-Za-z_-]+(\\.[0-9A-Za-z_-]+)*:[0-9A-Za-z_-][0-9A-Za-z._-]*:[0-9A-Za-z_-][0-9A-Za-z._-]*";

    /** Reads {@code group:artifact:version}, which has the {@link #FORM}. */
    public static LocalJar parse(String coordinates) {
        String[] parts = coordinates.split(":");
        return new LocalJar(parts[0], parts[1], parts[2]);
    }

    /** Returns its path in the local repository, whether or not it is there. */
    public Path path() {
        String given = System.getProperty("maven.repo.local");
        Path repository =
                given == null ? Path.of(System.getProperty("user.home"), ".m2", "repository") : Path.of(given);
        return repository
                .resolve(group.replace('.', '/'))
                .resolve(artifact)
                .resolve(version)
                .resolve(artifact + "-" + version + ".jar")
                .toAbsolutePath();
    }

    /** @throws UsageException if it is not there, with the command that brings it */
    public void requireThere() {
        if (!Files.isRegularFile(path())) {
            throw new UsageException(
                    "agent " + group + ":" + artifact + ":" + version + " is not in the local Maven repository: mvn"
                            + " dependency:get -Dartifact=" + group + ":" + artifact + ":" + version);
        }
    }
}
