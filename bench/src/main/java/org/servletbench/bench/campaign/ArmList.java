package org.servletbench.bench.campaign;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.servletbench.bench.model.ArmName;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Arm.Role;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.server.NginxSpec;

/** The arms of a campaign as they were asked for, each group with its baseline and a second copy of it. */
final class ArmList {

    private ArmList() {}

    /** Profiles on lines of Spring Boot, and nginx; what their machine cannot run is left out. */
    static List<Arm> of(Options options, ProfilesFolder folder, ServerMachine machine, Consumer<String> say) {
        List<Arm> arms = new ArrayList<>();
        boolean reference = false;
        Set<String> seen = new LinkedHashSet<>();
        List<Jdk> jdks = machine.jdks();
        for (String text : options.names("arms")) {
            if (text.equals(NginxSpec.ARM)) {
                reference = true;
                continue;
            }
            for (ArmName name : meant(ArmName.of(text, folder), options, jdks)) {
                Arm arm = Arm.planned(name);
                if (!seen.add(arm.id())) {
                    throw new UsageException("--arms: " + arm.id() + " is named twice");
                }
                Jdk jdk = jdk(arm, jdks);
                arm.threads().requirePossible("--arms: " + arm.id(), arm.line(), jdk.feature(), jdk.describe());
                name.profile()
                        .nativeLibrary()
                        .flatMap(machine::missing)
                        .ifPresentOrElse(
                                line -> say.accept("left out: " + arm.id() + ": " + line), () -> arms.add(arm));
            }
        }
        // An arm has one name; who names it may write the usual line, or leave it out.
        List<String> containers = folder.containers();
        Optional<String> baseline = options.text("baseline")
                .map(text -> containers.contains(text.split("[+@]")[0])
                        ? meant(ArmName.of(text, folder), options, jdks).get(0).id()
                        : text);
        List<Arm> complete = withControls(Questions.grouped(options, arms), baseline);
        if (reference) {
            NginxSpec.missing()
                    .ifPresentOrElse(
                            line -> say.accept("left out: " + line),
                            () -> complete.add(
                                    Arm.reference(NginxSpec.ARM, complete.get(0).group())));
        }
        return complete;
    }

    /** The arms that a name stands for: what it leaves open is each kind of threads and each JDK of the campaign. */
    private static List<ArmName> meant(ArmName name, Options options, List<Jdk> jdks) {
        List<Threads> kinds = options.isGiven(Threads.OPTION)
                ? options.requireDistinct(
                        Threads.OPTION,
                        options.names(Threads.OPTION).stream().map(Threads::of).toList())
                : List.of(Threads.PLATFORM);
        List<ArmName> all = new ArrayList<>();
        for (Threads kind : name.threads().map(List::of).orElse(kinds)) {
            ArmName one = name.orThreads(kind);
            if (jdks.size() == 1) {
                all.add(one);
            } else {
                name.jdk()
                        .map(List::of)
                        .orElse(jdks.stream().map(Jdk::feature).toList())
                        .forEach(feature -> all.add(one.orJdk(feature)));
            }
        }
        return all;
    }

    /** The JDK of an arm's servers. */
    static Jdk jdk(Arm arm, List<Jdk> jdks) {
        return arm.jdk() == 0
                ? jdks.get(0)
                : jdks.stream()
                        .filter(jdk -> jdk.feature() == arm.jdk())
                        .findFirst()
                        .orElseThrow(() -> new UsageException("--arms: " + arm.id() + " needs a JDK " + arm.jdk()
                                + ", and there is "
                                + jdks.stream().map(Jdk::describe).collect(Collectors.joining(", "))
                                + ": name its home with --jdk HOME,HOME"));
    }

    static List<Arm> own(Options options) {
        for (String option : List.of("threads", "db.url")) {
            if (options.isGiven(option)) {
                throw new UsageException("--" + option.replace('.', '-')
                        + " is of this project's application: set it in your own (--jar)");
            }
        }
        options.all().keySet().stream().filter(ArmBuilds::isVersion).findFirst().ifPresent(version -> {
            throw new UsageException("--build " + version + ": nothing is built of --jar");
        });
        if (options.text("jdk").filter(jdk -> jdk.contains(",")).isPresent()) {
            throw new UsageException("--jdk: servers of --jar run on one JDK: compare two campaigns to compare JDKs");
        }
        List<Arm> arms = new ArrayList<>();
        Set<String> ids = new LinkedHashSet<>();
        for (String text : options.required("jar").split("\n")) {
            Path jar = Path.of(text).toAbsolutePath().normalize();
            if (!Files.isRegularFile(jar)) {
                throw new UsageException("--jar " + text + ": there is no such file");
            }
            String file = jar.getFileName().toString().replaceFirst("\\.jar$", "");
            String id = file.replaceAll("[^A-Za-z0-9._-]", "_");
            for (int number = 2; !ids.add(id); number++) {
                id = file.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + number;
            }
            arms.add(new Arm(
                    id, id, "own", Role.ARM, id, "", "", "", "", "", jar.toString(), "", Threads.PLATFORM, 0, null));
        }
        return withControls(Questions.grouped(options, arms), options.text("baseline"));
    }

    /** Makes one arm of each group its baseline, and gives it a second copy. */
    private static List<Arm> withControls(List<Arm> arms, Optional<String> baseline) {
        baseline.filter(id -> arms.stream().noneMatch(arm -> arm.id().equals(id)))
                .ifPresent(id -> {
                    throw new UsageException("--baseline " + id + ": there is no such arm in this campaign");
                });
        List<Arm> complete = new ArrayList<>();
        for (String group : arms.stream().map(Arm::group).distinct().toList()) {
            List<Arm> own =
                    arms.stream().filter(arm -> arm.group().equals(group)).toList();
            Arm base = own.stream()
                    .filter(arm -> baseline.isPresent() && arm.id().equals(baseline.get()))
                    .findFirst()
                    .orElse(own.get(0));
            own.forEach(arm -> complete.add(arm == base ? arm.as(Role.BASELINE, arm.id()) : arm));
            complete.add(base.as(Role.CONTROL, base.id() + "-control"));
        }
        if (complete.isEmpty()) {
            throw new UsageException("--arms: nothing is left to compare");
        }
        return complete;
    }
}
