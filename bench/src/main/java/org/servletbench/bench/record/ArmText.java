package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.list;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sentences on how the arms of a campaign differ from their baselines. */
public final class ArmText {
    private static final String COMMAND = "command";
    private static final String DEFAULT = "the default";

    private ArmText() {}

    /** Returns the name of a key for people. */
    private static String words(String key) {
        return switch (key) {
            case "boot" -> "Spring Boot";
            case "version" -> "the container's version";
            case "jdk" -> "the JDK";
            case "jvm" -> "JVM options";
            case "memory" -> "the memory limit";
            case "cpus" -> "the CPU limit";
            case "settings" -> "the settings set";
            case "with" -> "what is added to the application";
            case "exports" -> "the export of spans";
            case "ready" -> "the path that shows its readiness";
            case "archive", "container", "app", COMMAND, "threads", "heap", "protocol", "agent" -> "the " + key;
            default -> key.replaceFirst("^properties\\.", "");
        };
    }

    /**
     * Returns {@code jetty-vt differs from tomcat in the container (jetty, not tomcat-nio) and the threads (virtual)};
     * empty for a baseline.
     */
    public static Optional<String> line(Arm arm, List<Arm> arms) {
        return baseline(arm, arms).map(base -> {
            if (arm.traits().containsKey(COMMAND) && !base.traits().containsKey(COMMAND)) {
                return arm.label() + " is another program than " + base.label() + ": "
                        + arm.traits().get(COMMAND);
            }
            List<String> parts = new ArrayList<>();
            for (String key : arm.differences(base)) {
                parts.add(words(key) + " (" + arm.traits().getOrDefault(key, DEFAULT) + ", not "
                        + base.traits().getOrDefault(key, DEFAULT) + ")");
            }
            return arm.label() + " differs from " + base.label() + " in " + list(parts)
                    + (parts.size() > 1 ? ": their effects cannot be distinguished" : "");
        });
    }

    private static Optional<Arm> baseline(Arm arm, List<Arm> arms) {
        return arm.role() != Arm.Role.ARM || arm.traits().isEmpty()
                ? Optional.empty()
                : arms.stream()
                        .filter(one ->
                                one.role() == Arm.Role.BASELINE && one.group().equals(arm.group()))
                        .filter(base -> !arm.differences(base).isEmpty())
                        .findFirst();
    }

    /**
     * Returns the differences of all arms, if one differs in more than the container; and a warning, if versions of
     * Spring Boot differ within a group.
     */
    public static List<String> lines(List<Arm> arms) {
        List<String> lines = new ArrayList<>();
        Arm.acrossLines(arms).ifPresent(lines::add);
        boolean containers = arms.stream()
                .flatMap(arm -> baseline(arm, arms).map(arm::differences).stream())
                .allMatch(List.of("container")::equals);
        if (!containers) {
            arms.forEach(arm -> line(arm, arms).ifPresent(lines::add));
        }
        return lines;
    }
}
