package org.servletbench.bench.reproduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ProfilesFolder;

/** Files that a plan's servers start with. Those that an interrupted run has written are kept. */
final class ServerFiles {

    private ServerFiles() {}

    /** The settings file of a plan: its set, and what the article sets besides. */
    static Path settings(ProfilesFolder profiles, RerunPlan plan, Path file) throws IOException {
        if (Files.exists(file)) {
            return file;
        }
        StringBuilder text = new StringBuilder(Files.readString(profiles.settings(plan.settings())));
        text.append("\n# As the article sets it.\n");
        new TreeMap<>(plan.serverProperties())
                .forEach((name, value) ->
                        text.append(name).append('=').append(value).append('\n'));
        return Files.writeString(file, text.toString(), StandardCharsets.UTF_8);
    }

    /** The JVM options of a plan: its own, for which the file is written, or those of the profiles. */
    static JvmOptions jvmOptions(ProfilesFolder profiles, RerunPlan plan, Path file) throws IOException {
        if (plan.jvmOptions() == null) {
            return profiles.jvmOptions();
        }
        if (!Files.exists(file)) {
            Files.writeString(
                    file,
                    "# Options of the JVM, as the file of the article has them.\n"
                            + String.join("\n", plan.jvmOptions()) + "\n");
        }
        return JvmOptions.read(file);
    }
}
