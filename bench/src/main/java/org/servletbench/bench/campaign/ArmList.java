package org.servletbench.bench.campaign;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.NamedArm;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Arm.Role;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.proof.Parity;

/** The arms of a campaign as a comparison describes them, with an A/A copy of each baseline. */
final class ArmList {

    private ArmList() {}

    /** Returns the arms, except those that their machine cannot run. */
    static List<Arm> of(
            List<NamedArm> specs,
            Procedure procedure,
            ProfilesFolder folder,
            ServerMachine machine,
            Consumer<String> say) {
        List<NamedArm> possible = new ArrayList<>();
        for (NamedArm spec : specs) {
            missing(spec, folder, machine)
                    .ifPresentOrElse(
                            line -> say.accept("left out: " + spec.name() + ": " + line), () -> possible.add(spec));
        }
        List<Arm> complete = new ArrayList<>();
        // Arms with the same baseline form a group. They are up at once and compared with each other.
        Set<String> groups =
                possible.stream().map(NamedArm::against).collect(Collectors.toCollection(LinkedHashSet::new));
        for (String group : groups) {
            List<NamedArm> own = possible.stream()
                    .filter(spec -> spec.against().equals(group))
                    .toList();
            if (own.stream().noneMatch(spec -> spec.name().equals(group))) {
                throw new UsageException("arms: the baseline " + group + " cannot run here, and "
                        + own.get(0).name() + " is compared with it");
            }
            List<Arm> ranked = new ArrayList<>();
            own.stream().filter(spec -> !spec.isReference()).forEach(spec -> {
                Arm arm = planned(spec, folder, spec.name().equals(group) ? Role.BASELINE : Role.ARM);
                Jdk jdk = jdk(arm, procedure, machine.jdks());
                arm.threads().requirePossible("arms." + arm.id(), arm.line(), jdk.feature(), jdk.describe());
                ranked.add(arm);
            });
            complete.addAll(ranked);
            ranked.stream()
                    .filter(arm -> arm.role() == Role.BASELINE)
                    .forEach(base -> complete.add(base.as(Role.CONTROL, base.id() + "-control")));
            own.stream().filter(NamedArm::isReference).forEach(spec -> complete.add(Arm.reference(spec.name(), group)));
        }
        return complete;
    }

    private static Arm planned(NamedArm spec, ProfilesFolder folder, Role role) {
        return Arm.planned(spec, role, profile(folder, spec.name(), spec.line(), spec.spec()));
    }

    /**
     * Returns the profile with which a running server is compared.
     *
     * @param name name of the arm for a service or command; otherwise of its Maven profile
     * @param line version of Spring Boot; empty for a service or a command
     */
    static ContainerProfile profile(ProfilesFolder folder, String name, String line, ArmSpec spec) {
        return !line.isEmpty()
                ? folder.container(spec.container())
                : spec.command().isEmpty() ? folder.ofService(name, spec.container()) : ContainerProfile.unknown(name);
    }

    private static Optional<String> missing(NamedArm spec, ProfilesFolder folder, ServerMachine machine) {
        if (spec.isReference()) {
            return Target.missingReference();
        }
        return spec.line().isEmpty()
                ? Optional.empty()
                : folder.container(spec.spec().container()).nativeLibrary().flatMap(machine::missing);
    }

    /** Returns facts of {@link Parity} that an arm chose itself, and in which it may differ from others. */
    static List<String> differsBy(Arm arm) {
        return Stream.of(
                        arm.spec().jdk() != null ? Parity.JDK : null,
                        arm.role() == Role.REFERENCE ? null : Parity.WARM_START,
                        // How many requests a third-party server serves at once cannot be determined.
                        arm.spec().command().isEmpty() ? null : Parity.AT_ONCE)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the JDK of an arm's servers. */
    static Jdk jdk(Arm arm, Procedure procedure, List<Jdk> jdks) {
        if (jdks.size() == 1) {
            return jdks.get(0);
        }
        String home = arm.spec().jdk() == null
                ? System.getProperty("java.home")
                : arm.spec().jdk();
        int at = procedure.start().jdks().indexOf(home);
        if (at < 0) {
            throw new UsageException("the campaign's arm " + arm.id() + " ran on another JDK than this command's ("
                    + home + "): run the command on that one");
        }
        return jdks.get(at);
    }
}
