package org.servletbench.bench.comparison;

import static org.servletbench.bench.comparison.NamedArm.REFERENCE;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.LocalJar;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.ServerCommand;
import org.servletbench.bench.model.Version;

/** Binds the arms of a file, together with their shared settings and the defaults. */
record ArmBinding(Tree tree, ComparisonFile file, Origin place, ProfilesFolder profiles) {

    /**
     * Resolves paths in a comparison: relative to its own folder, to the repository's root, or to the working
     * directory.
     */
    record Origin(Tree tree, Path file, Path root) {

        String file(String path, String text) {
            return found(path, text, Files::isRegularFile, "file", howToBuild(Path.of(text)));
        }

        String folder(String path, String text) {
            return found(path, text, Files::isDirectory, "folder", "");
        }

        private String found(String path, String text, Predicate<Path> is, String what, String hint) {
            return Stream.of(
                            file.toAbsolutePath().getParent(),
                            root.toAbsolutePath(),
                            Path.of("").toAbsolutePath())
                    .map(folder -> folder.resolve(text).normalize())
                    .filter(is)
                    .findFirst()
                    .orElseThrow(() -> tree.wrong(path, "'" + path + "': there is no " + what + " " + text + hint))
                    .toString();
        }

        /** Returns the command that builds a jar; empty if it is not one that Maven builds in this repository. */
        private String howToBuild(Path jar) {
            Path target = jar.getParent();
            Path module = target == null ? null : target.getParent();
            if (module == null || !target.endsWith("target") || !jar.toString().matches(".*\\.[jw]ar")) {
                return "";
            }
            Path here = Path.of("").toAbsolutePath();
            Path shown = root.toAbsolutePath().normalize().equals(here) ? module : root.resolve(module);
            return Files.isRegularFile(root.resolve(module).resolve("pom.xml"))
                    ? ": build it with mvn -f " + shown + " package"
                    : "";
        }
    }

    /**
     * An arm to be checked.
     *
     * @param own keys below its name in the file
     * @param all its keys, including those that all arms share
     * @param containers available containers
     * @param named container according to the arm's name; empty if the name is none
     * @param noApp why a service cannot have the requested connector; empty if it can
     */
    private record Asked(
            String name, ArmSpec own, ArmSpec all, List<String> containers, String named, Optional<String> noApp) {

        String container() {
            return own.container() != null ? own.container() : isApp() || isCommand() ? null : name;
        }

        boolean isApp() {
            return all.app() != null;
        }

        boolean isCommand() {
            return !all.command().isEmpty();
        }

        private ServerCommand command() {
            return all.serverCommand().orElseThrow();
        }

        /** Returns a key that an arm with a command cannot have as well. */
        private Optional<String> besideCommand() {
            return Keys.texts(own, " ").keySet().stream()
                    .filter(List.of("app", "container", "version", "boot", "with")::contains)
                    .findFirst();
        }

        /** Returns a key, of the arm or of all arms, that would have no effect on what its command starts. */
        private Optional<String> ofNoCommand() {
            return !isCommand()
                    ? Optional.empty()
                    : Stream.concat(
                                    Keys.texts(all, " ").keySet().stream(),
                                    Stream.ofNullable(all.settings()).map(any -> "settings"))
                            .filter(key ->
                                    NOT_OF_COMMAND.contains(key) || !command().isJava() && OF_JAVA.contains(key))
                            .findFirst();
        }

        private String noEffect() {
            String key = ofNoCommand().orElseThrow();
            return ": '" + key + "' has no effect on an arm with a command"
                    + (OF_JAVA.contains(key)
                            ? " that does not begin with the word java"
                            : key.equals("boot") ? "" : ", whose options are in its words and its 'env'")
                    + ": leave it out, or give it to the other arms";
        }

        private boolean takesNoPort() {
            return Stream.concat(all.command().stream(), all.env().values().stream())
                    .noneMatch(text -> text.contains(ServerCommand.PORT));
        }

        boolean isReference() {
            return REFERENCE.equals(container());
        }

        private String noContainer() {
            return (own.container() == null ? " has no container: there is no" : ": unknown") + " container '"
                    + container() + "'" + Keys.nearest(container(), containers);
        }

        /** Returns a key that the user's own application determines itself. */
        private Optional<String> notOfApp() {
            return !isApp()
                    ? Optional.empty()
                    : Keys.texts(all, " ").keySet().stream()
                            .filter(key -> List.of("boot", "threads", "with").contains(key)
                                    || key.equals("version") && own.container() == null)
                            .findFirst();
        }

        private boolean isNoVersion(String text) {
            return !isReference() && text != null && !Version.isOne(text);
        }
    }

    /** Version of Spring Boot with which additions to our own application are built. */
    private static final String WITH_ADDITIONS = "boot3";

    /** Keys that affect Spring Boot jars only. */
    private static final List<String> NOT_OF_COMMAND =
            List.of("boot", "with", "threads", "protocol", "properties", "settings", "archive");

    /** Keys that affect a JVM through its options. */
    private static final List<String> OF_JAVA = List.of("jdk", "heap", "jvm", "agent");

    private static final List<Rule<Asked>> OF_COMMAND = List.of(
            Rule.of(
                    "",
                    arm -> arm.besideCommand().isPresent(),
                    arm -> ": give 'command' or '" + arm.besideCommand().orElseThrow() + "', not both"),
            Rule.of("", arm -> arm.ofNoCommand().isPresent(), Asked::noEffect),
            Rule.of(
                    "jvm",
                    arm -> ServerCommand.placeholder(arm.all.jvm()).isPresent(),
                    arm -> " has " + ServerCommand.placeholder(arm.all.jvm()).orElseThrow()
                            + ", which is filled in below 'command' and 'env' only: give the option as a word of the"
                            + " command"),
            Rule.of(
                    "command",
                    Asked::takesNoPort,
                    " has no ${port}, and neither has 'env': the server must listen on the port that it is given, as in"
                            + " [java, -jar, app.jar, '${port}']"),
            Rule.of(
                    "command",
                    arm -> arm.command().ownJvmOption().isPresent(),
                    arm -> ": " + arm.command().ownJvmOption().orElseThrow()
                            + " is an option of the JVM: give it below 'jvm', so that it is compared and recorded"));

    private static final List<Rule<Asked>> RULES = List.of(
            Rule.of(
                    "ready",
                    arm -> arm.all.ready() != null && !arm.isCommand(),
                    " is for an arm with a 'command' only"),
            Rule.of("", arm -> arm.isApp() && arm.noApp.isPresent(), arm -> ": " + arm.noApp.orElseThrow()),
            Rule.of(
                    "",
                    arm -> !arm.name.matches("[A-Za-z0-9][A-Za-z0-9._+@-]*") || arm.name.endsWith("-control"),
                    ": a name has letters, digits and . _ + @ - only, and does not end in -control"),
            Rule.of(
                    "container",
                    arm -> arm.own.container() != null && !arm.containers.contains(arm.container()),
                    Asked::noContainer),
            Rule.of(
                    "",
                    arm -> arm.container() != null && !arm.containers.contains(arm.container()),
                    Asked::noContainer),
            Rule.of(
                    "container",
                    arm -> arm.isApp()
                            && arm.own.container() != null
                            && !arm.named.isEmpty()
                            && !arm.named.equals(arm.own.container()),
                    arm -> " is " + arm.own.container() + ", and its name says " + arm.named
                            + ": give it another name"),
            Rule.of("boot", arm -> arm.isNoVersion(arm.all.boot()), " is not a version"),
            Rule.of("version", arm -> arm.isNoVersion(arm.all.version()), " is not a version"),
            Rule.of(
                    "exports",
                    arm -> arm.all.exports() != null && !arm.all.namesCollector(),
                    " has no effect: give the server the address ${collector}, below 'jvm', 'properties' or 'env'"),
            Rule.of(
                    "",
                    arm -> arm.all.exports() == null && arm.all.namesCollector(),
                    " names ${collector}: say whether spans arrive there, with exports: true or exports: false"),
            Rule.of(
                    "exports",
                    arm -> arm.all.exports() != null && arm.all.archive() != null,
                    " and 'archive' exclude each other: while the archive is trained there is no collector"),
            Rule.of(
                    "",
                    arm -> arm.notOfApp().isPresent(),
                    arm -> ": '" + arm.notOfApp().orElseThrow() + "' is not for your own app"
                            + (arm.notOfApp().orElseThrow().equals("version")
                                    ? " without a 'container'"
                                    : ", which has its own"
                                            + (arm.notOfApp().orElseThrow().equals("threads")
                                                    ? ": give properties: {spring.threads.virtual.enabled: \"true\"}"
                                                    : ""))));

    /** Variables that change a JVM from outside its command line, or the address of a Spring Boot server. */
    private static final List<String> NOT_OF_ENV = Stream.concat(
                    JvmOptions.ENVIRONMENT.stream(),
                    Stream.of("SERVER_PORT", "SERVER_ADDRESS", "SPRING_APPLICATION_JSON"))
            .toList();

    private static final List<Rule<ArmSpec>> OF_JVM = List.of(Rule.of(
            "jvm",
            arm -> JvmOptions.wrong(arm.jvm()).isPresent(),
            arm -> ": " + JvmOptions.wrong(arm.jvm()).orElseThrow()));

    private static final List<Rule<ArmSpec>> OF_ENV = List.of(
            Rule.of(
                    "env",
                    arm -> arm.env().keySet().stream().anyMatch(name -> !name.matches("[A-Za-z_][A-Za-z0-9_]*")),
                    ": a name has letters, digits and _ only"),
            Rule.of(
                    "env",
                    arm -> wrongVariable(arm).isPresent(),
                    arm -> ": " + wrongVariable(arm).orElseThrow()));

    /** Returns an error for a variable that an arm cannot have; empty if there is none. */
    private static Optional<String> wrongVariable(ArmSpec arm) {
        return arm.env().entrySet().stream()
                .flatMap(one -> wrongVariable(arm, one.getKey(), one.getValue()).stream())
                .findFirst();
    }

    private static Optional<String> wrongVariable(ArmSpec arm, String name, String value) {
        Optional<ServerCommand> command = arm.serverCommand();
        if (JvmOptions.ENVIRONMENT.contains(name)) {
            return command.isEmpty()
                    ? JvmOptions.wrong(List.of(value)).map(why -> name + ": " + why)
                    : Optional.of(name + " would set JVM options that no record shows: give them "
                            + (command.get().isJava()
                                    ? "below 'jvm'"
                                    : "as words of the command, or in the file that it starts"));
        }
        return Optional.of(name)
                .filter(any ->
                        (command.isEmpty() ? NOT_OF_ENV : JvmOptions.ENVIRONMENT).contains(JvmOptions.strict(name)))
                .map(any -> "the rig sets what " + name + " would: leave it out");
    }

    private static final List<Rule<ArmSpec>> OF_REFERENCE = Rule.<ArmSpec>ofEach(
                    Keys.of(ArmSpec.class).stream()
                            .map(Keys.Entry::name)
                            .filter(key ->
                                    !List.of("container", "against", "label").contains(key))
                            .toList(),
                    arm -> true,
                    " is not applicable: nginx is not a JVM")
            .toList();

    List<NamedArm> arms() {
        Rule.check(OF_JVM, file.server(), tree, "server");
        Map<ArmSpec, String> seen = new LinkedHashMap<>();
        List<NamedArm> all = new ArrayList<>();
        String first = file.arms().keySet().iterator().next();
        file.arms().forEach((name, own) -> {
            NamedArm arm = arm(name, own, first);
            String same = seen.put(arm.spec().server(), name);
            if (same != null) {
                throw tree.wrong("arms." + name, "'arms." + name + "' does not differ from '" + same + "'");
            }
            all.add(arm);
        });
        return withBaselines(all);
    }

    private NamedArm arm(String name, ArmSpec given, String first) {
        String path = "arms." + name;
        boolean isCommand = !given.command().isEmpty();
        String app = given.app() != null ? given.app() : isCommand ? null : file.app();
        String wanted = given.container() == null ? name : given.container();
        // A service has containers, but no choice of connectors.
        ArmSpec own = app == null || given.container() == null
                ? given
                : given.as(container(given.container()), given.boot(), given.app());
        ArmSpec said = versioned(path, own.over(file.server()));
        ArmSpec all = said.withOptionsOfEnv();
        Asked asked = new Asked(
                name,
                own,
                all.as(own.container(), all.boot(), app),
                app == null
                        ? Stream.concat(profiles.containers().stream(), Stream.of(REFERENCE))
                                .toList()
                        : profiles.containers().stream()
                                .map(profile -> profiles.container(profile).container())
                                .distinct()
                                .toList(),
                profiles.ofService(name, null).container(),
                profiles.withoutApp(wanted).or(() -> profiles.withoutApp(name)));
        Rule.check(OF_ENV, said, tree, path);
        if (isCommand) {
            Rule.check(OF_COMMAND, asked, tree, path);
        }
        Rule.check(RULES, asked, tree, path);
        Rule.check(OF_JVM, own, tree, path);
        if (asked.isReference()) {
            Rule.check(OF_REFERENCE, own, tree, path);
        }
        Optional.ofNullable(all.settings()).ifPresent(profiles::settings);
        String container = asked.container();
        ArmSpec spec = asked.isReference()
                ? ArmSpec.of(container)
                : all.as(container, all.boot(), app == null ? null : place.file(path + ".app", app));
        String line = "";
        if (isCommand) {
            spec = spec.startedBy(found(path, all.serverCommand().orElseThrow()));
        } else if (app == null && !asked.isReference()) {
            ContainerProfile profile = profiles.container(container);
            line = line(path, profile, all.boot());
            if (all.with() != null && !line.equals(WITH_ADDITIONS)) {
                throw tree.wrong(
                        path + ".with",
                        "'" + path + ".with': " + all.with() + " is built on " + WITH_ADDITIONS + " only, and not on "
                                + line);
            }
            boolean usual = profile.usualLine().equals(all.boot());
            spec = spec.as(container, usual ? null : all.boot(), null);
        }
        if (all.workdir() != null && !asked.isReference()) {
            spec = spec.in(place.folder(path + ".workdir", all.workdir()));
        }
        boolean titled = app == null && !isCommand && name.equals(container) && !asked.isReference();
        String label = own.label() != null
                ? own.label()
                : titled ? profiles.container(name).label() : name;
        return new NamedArm(name, spec.called(label, own.against() == null ? first : own.against()), line);
    }

    /** Returns the arm with the version of its agent filled in. */
    private ArmSpec versioned(String path, ArmSpec arm) {
        return arm.agent() == null
                ? arm
                : arm.withAgent(LocalJar.versioned(arm.agent(), place.root().resolve("pom.xml"))
                        .orElseThrow(() -> tree.wrong(
                                path + ".agent",
                                "'" + path + ".agent': pom.xml has no version of " + arm.agent()
                                        + ": give group:artifact:version")));
    }

    /** Returns the words of a command, with the absolute path of its jar or program. */
    private List<String> found(String path, ServerCommand command) {
        List<String> words = new ArrayList<>(command.words());
        command.file().ifPresent(at -> words.set(at, place.file(path + ".command", words.get(at))));
        return words;
    }

    /** Returns the container of a connector; returns any other text unchanged. */
    private String container(String text) {
        String known = profiles.ofService(text, null).container();
        return known.isEmpty() ? text : known;
    }

    private String line(String path, ContainerProfile profile, String given) {
        String boot = given == null ? profile.usualLine() : given;
        String line = boot.matches("\\d+\\..*") ? "boot" + boot.replaceFirst("\\..*", "") : boot;
        if (!ContainerProfile.LINES.contains(line)) {
            throw tree.wrong(
                    path + ".boot",
                    "'" + path + ".boot': there is no line '" + boot + "': choose from "
                            + String.join(", ", ContainerProfile.LINES) + ", or give a version such as 4.0.1");
        }
        profile.missingOn(line).ifPresent(why -> {
            throw tree.wrong(path, "'" + path + "': " + why);
        });
        return line;
    }

    /**
     * An arm together with all others.
     *
     * @param baselines names of arms that others name as their baseline
     */
    private record Beside(NamedArm arm, boolean said, Set<String> names, Set<String> baselines) {

        boolean isBaseline() {
            return baselines.contains(arm.name());
        }
    }

    private static final List<Rule<Beside>> BESIDE_OTHERS = List.of(
            Rule.of(
                    "against",
                    one -> !one.names.contains(one.arm.against()),
                    one -> ": there is no arm '" + one.arm.against() + "'"
                            + Keys.nearest(one.arm.against(), List.copyOf(one.names))),
            Rule.of(
                    "against",
                    one -> one.isBaseline() && one.said && !one.arm.against().equals(one.arm.name()),
                    ": the arm is the baseline of others itself"),
            Rule.of("", one -> one.isBaseline() && one.arm.isReference(), ": nginx is a reference, and no baseline"));

    /** Marks each arm that another one names as its baseline as a baseline. */
    private List<NamedArm> withBaselines(List<NamedArm> all) {
        Set<String> baselines =
                all.stream().map(NamedArm::against).collect(Collectors.toCollection(LinkedHashSet::new));
        for (NamedArm arm : all) {
            boolean said = file.arms().get(arm.name()).against() != null;
            Rule.check(
                    BESIDE_OTHERS, new Beside(arm, said, file.arms().keySet(), baselines), tree, "arms." + arm.name());
        }
        return all.stream()
                .map(arm -> baselines.contains(arm.name())
                        ? new NamedArm(arm.name(), arm.spec().called(arm.spec().label(), arm.name()), arm.line())
                        : arm)
                .toList();
    }
}
