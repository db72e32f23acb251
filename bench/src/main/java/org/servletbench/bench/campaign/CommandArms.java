package org.servletbench.bench.campaign;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.comparison.NamedArm;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.ServerCommand;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.server.exchange.JarManifest;
import org.servletbench.bench.server.process.TargetSpec;

/** Arms that a user's own command starts. They can be any server, with or without Spring Boot. */
final class CommandArms {

    private CommandArms() {}

    /** True if a command starts one of these arms. */
    static boolean any(List<Arm> arms) {
        return arms.stream().anyMatch(arm -> arm.spec().serverCommand().isPresent());
    }

    /**
     * Returns the files that a command names by absolute paths, and those on the class paths of its jars. This is what
     * the server runs, as far as the command shows it.
     */
    static List<Path> files(ServerCommand command) {
        Set<Path> files = new LinkedHashSet<>();
        for (String word : command.words()) {
            Stream.of(word.split(File.pathSeparator))
                    .filter(part -> part.startsWith("/"))
                    .map(Path::of)
                    .filter(Files::isRegularFile)
                    .forEach(file -> {
                        files.add(file);
                        files.addAll(classPath(file));
                    });
        }
        return List.copyOf(files);
    }

    private static List<Path> classPath(Path jar) {
        if (!jar.toString().endsWith(".jar")) {
            return List.of();
        }
        try {
            String path = JarManifest.of(jar).getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return Stream.of(Optional.ofNullable(path).orElse("").split(" +"))
                    .filter(entry -> entry.endsWith(".jar") && !entry.contains(":"))
                    .map(jar::resolveSibling)
                    .filter(Files::isRegularFile)
                    .toList();
        } catch (IOException e) {
            throw new UsageException("command: cannot read " + jar + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Returns a description of the files of a command: the first one, and the hash of all of them. Both are empty if
     * the command names no file.
     */
    static Arm.Build build(ServerCommand command) {
        List<Path> files = files(command);
        try {
            List<String> hashes = new ArrayList<>();
            for (Path file : files) {
                hashes.add(Sha256.of(file));
            }
            return new Arm.Build(
                    "",
                    "",
                    files.isEmpty() ? "" : files.get(0).toString(),
                    hashes.size() > 1 ? Sha256.of(String.join("\n", hashes)) : String.join("", hashes));
        } catch (IOException e) {
            throw new TargetException("cannot read the files of a command (" + e.getMessage() + ")");
        }
    }

    /** Describes an arm for its page: its command, and what has not been verified. */
    static String words(Arm arm, ServerCommand command) {
        int files = files(command).size();
        return "started by its own command; unproven: container, versions and limits, such as how many requests it serves at once"
                + (command.isJava() ? "" : ", and JVM options, which it does not get from servlet-bench")
                + "; compared: its answers and its JDK; it gets no settings set; "
                + (files == 0
                        ? "a change of its files goes unnoticed, because the command names none by an absolute path"
                        : "a change of its " + (files == 1 ? "file" : files + " files") + " is noticed");
    }

    /**
     * Checks that a server that sets cookies has its own address. Clients keep cookies by address, regardless of the
     * port.
     *
     * @param settingCookies names of workloads whose answers set cookies
     */
    static void requireOwnCookies(Arm arm, Set<String> settingCookies, URI url) {
        if (!settingCookies.isEmpty()
                && arm.spec().serverCommand().isPresent()
                && TargetSpec.LOOPBACK.equals(url.getHost())) {
            throw TargetException.refusal(
                    TargetException.Refusal.WORK,
                    "arms." + arm.id() + " sets cookies and listens on " + TargetSpec.LOOPBACK
                            + ", which other servers may share, and users would mix them up: let its command or its 'env' give it "
                            + ServerCommand.ADDRESS);
        }
    }

    /**
     * Returns a recorded campaign with the commands that the user names again. A record's own commands are never run,
     * because the record may come from someone else.
     *
     * @param again the user's comparison; empty if none was named
     * @throws UsageException if commands are needed but not named
     * @throws TargetException if a command differs from the recorded one
     */
    static Campaign again(Campaign recorded, Optional<Comparison> again) {
        if (!any(recorded.arms())) {
            return recorded;
        }
        Comparison comparison = again.orElseThrow(() -> new UsageException(
                "--resume: a record gives no consent to run its commands: name the comparison again, as in compare"
                        + " FILE --resume DIR (with the --set that changed its commands)"));
        Map<String, ArmSpec> named = comparison.arms().stream()
                .collect(Collectors.toMap(NamedArm::name, NamedArm::spec, (one, other) -> one, TreeMap::new));
        return recorded.with(recorded.arms().stream()
                .map(arm -> arm.spec().serverCommand().isEmpty() ? arm : again(arm, recorded, named))
                .toList());
    }

    /** Returns the arm as a record shows it, without values that may be secret. */
    private static ArmSpec asWritten(ArmSpec spec) {
        try {
            return Json.MAPPER.treeToValue(Secrets.each(new Secrets().hidden(spec), Secrets::scrubbed), ArmSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Arm again(Arm arm, Campaign recorded, Map<String, ArmSpec> named) {
        // An A/A copy runs the same as its baseline.
        String name = arm.role() == Arm.Role.CONTROL ? arm.group() : arm.id();
        ArmSpec given = named.get(name);
        if (given == null || given.serverCommand().isEmpty()) {
            throw new UsageException("--resume: the comparison has no command for arms." + name);
        }
        ArmSpec shown = recorded.showsValues() ? given : asWritten(given);
        if (!shown.server().equals(arm.spec().server())) {
            throw new TargetException("--resume: arms." + name + " was "
                    + Secrets.scrubbed(arm.spec().texts().toString()) + " and is "
                    + Secrets.scrubbed(shown.texts().toString())
                    + ": restore it, give the --set that changed it"
                    + (Objects.equals(shown.jdk(), arm.spec().jdk())
                            ? ""
                            : " (instead of --jdk, --set server.jdk=HOME)")
                    + ", or start a new campaign");
        }
        // The whole arm comes from the user, because a record's environment or JVM options would change what the
        // command does.
        return arm.with(given.called(arm.label(), arm.group()));
    }
}
