package org.servletbench.bench.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A jar in the local Maven repository, by its coordinates. */
public record LocalJar(String group, String artifact, String version) {

    /** Form {@code group:artifact:version}, or without the version. Such a text cannot lead out of the repository. */
    public static final String FORM =
            "[0-9A-Za-z_-]+(\\.[0-9A-Za-z_-]+)*:[0-9A-Za-z_-][0-9A-Za-z._-]*(:[0-9A-Za-z_-][0-9A-Za-z._-]*)?";

    /**
     * Returns coordinates of the {@link #FORM} with a version. If they have none, it comes from the property
     * {@code ARTIFACT.version}.
     *
     * @param pom file that defines the property
     * @return empty if the file does not exist, or does not contain the version
     */
    public static Optional<String> versioned(String coordinates, Path pom) {
        String[] parts = coordinates.split(":");
        if (parts.length > 2) {
            return Optional.of(coordinates);
        }
        try {
            Matcher property = Pattern.compile("<" + Pattern.quote(parts[1]) + "\\.version>([\\w.-]+)<")
                    .matcher(Files.readString(pom));
            return property.find() ? Optional.of(coordinates + ":" + property.group(1)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Parses {@code group:artifact:version}. */
    public static LocalJar parse(String coordinates) {
        String[] parts = coordinates.split(":");
        return new LocalJar(parts[0], parts[1], parts[2]);
    }

    /** Returns its path in the local repository, whether it exists or not. */
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

    /** @throws UsageException if it does not exist, with the command that downloads it */
    public void requireThere() {
        if (!Files.isRegularFile(path())) {
            throw new UsageException(
                    "agent " + group + ":" + artifact + ":" + version + " is not in the local Maven repository: mvn"
                            + " dependency:get -Dartifact=" + group + ":" + artifact + ":" + version);
        }
    }
}
