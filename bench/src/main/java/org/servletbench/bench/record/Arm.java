package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.NamedArm;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Threads;

/**
 * One of the things being compared. In files, the components of all parts are on one level.
 *
 * @param threads threads that serve requests
 * @param warmStart files with which the server starts
 * @param spec its settings, by the keys of its comparison
 */
public record Arm(
        @JsonUnwrapped Identity identity,
        @JsonUnwrapped Stack stack,
        @JsonUnwrapped Build build,
        Threads threads,
        WarmStart warmStart,
        ArmSpec spec) {

    /**
     * The arm's names, and its role in the comparison.
     *
     * @param id name in files and options: {@code jetty}, {@code tomcat-apr+boot2}; that of an A/A copy ends with
     *     {@code -control}
     * @param label name for people: {@code Tomcat NIO}
     * @param group group within which arms are ranked: {@code boot3}
     */
    public record Identity(String id, String label, String group, Role role) {}

    /**
     * The kind of server.
     *
     * @param profile the Maven profile; the jar's file name for a user's own application; {@code nginx}
     * @param line version of Spring Boot; empty if there is none
     * @param container {@code tomcat}, {@code jetty}, {@code undertow} or {@code nginx}; empty until it is known
     * @param connector how the container does I/O; empty until it is known
     */
    public record Stack(String profile, String line, String container, String connector) {}

    /**
     * The application as it was built.
     *
     * @param containerVersion the container's own version; empty until it is known
     * @param bootVersion the version of Spring Boot; empty until it is known
     * @param jar path of the application; empty for nginx
     * @param sha256 SHA-256 of the jar, in hexadecimal; empty for nginx
     */
    public record Build(String containerVersion, String bootVersion, String jar, String sha256) {}

    /** Returns an arm that has not been built yet. */
    public static Arm planned(NamedArm named, Role role, ContainerProfile profile) {
        ArmSpec spec = named.spec();
        return new Arm(
                new Identity(named.name(), spec.label(), spec.against(), role),
                new Stack(profile.name(), named.line(), profile.container(), profile.connector()),
                new Build("", "", spec.app() == null ? "" : spec.app(), ""),
                spec.serves(),
                WarmStart.named(spec.archive() == null ? "none" : spec.archive())
                        .orElseThrow(),
                spec);
    }

    /**
     * Returns the arm of a Maven profile with a version of Spring Boot and otherwise defaults. Versions are ranked
     * separately.
     */
    public static Arm planned(String id, String label, Role role, ContainerProfile profile, String line) {
        return planned(new NamedArm(id, ArmSpec.of(profile.name()).called(label, line), line), role, profile);
    }

    public static Arm reference(String name, String group) {
        return new Arm(
                new Identity(name, name, group, Role.REFERENCE),
                new Stack(name, "", name, ""),
                new Build("", "", "", ""),
                Threads.PLATFORM,
                WarmStart.NONE,
                ArmSpec.USUAL);
    }

    public String id() {
        return identity.id;
    }

    public String label() {
        return identity.label;
    }

    public String group() {
        return identity.group;
    }

    public Role role() {
        return identity.role;
    }

    public String profile() {
        return stack.profile;
    }

    public String line() {
        return stack.line;
    }

    public String container() {
        return stack.container;
    }

    public String connector() {
        return stack.connector;
    }

    public String containerVersion() {
        return build.containerVersion;
    }

    public String bootVersion() {
        return build.bootVersion;
    }

    public String jar() {
        return build.jar;
    }

    public String sha256() {
        return build.sha256;
    }

    /** True if the arm is ranked, which means that it is neither a copy nor a reference. */
    @JsonIgnore
    public boolean isRanked() {
        return role() == Role.BASELINE || role() == Role.ARM;
    }

    /** Returns the warning for comparisons of arms with several versions of Spring Boot; empty if they have one. */
    public static Optional<String> acrossLines(List<Arm> arms) {
        return arms.stream()
                .filter(arm -> !arm.line().isEmpty())
                .collect(Collectors.groupingBy(
                        Arm::group, Collectors.mapping(Arm::line, Collectors.toCollection(TreeSet::new))))
                .values()
                .stream()
                .filter(lines -> lines.size() > 1)
                .findFirst()
                .map(lines -> "Arms of " + String.join(" and ", lines)
                        + " are compared: each difference is that of a change of"
                        + " framework and container together, and says nothing of the containers alone");
    }

    public Arm as(Role other, String newId) {
        return new Arm(new Identity(newId, label(), group(), other), stack, build, threads, warmStart, spec);
    }

    /** Returns this arm with another specification. */
    public Arm with(ArmSpec other) {
        return new Arm(identity, stack, build, threads, warmStart, other);
    }

    /** True if arms other than references differ in this. */
    public static boolean differ(List<Arm> arms, Function<ArmSpec, ?> in) {
        return arms.stream()
                        .filter(arm -> arm.role() != Role.REFERENCE)
                        .map(arm -> in.apply(arm.spec()))
                        .distinct()
                        .count()
                > 1;
    }

    /** Returns this arm with its application built. */
    public Arm with(Build other) {
        return new Arm(identity, stack, other, threads, warmStart, spec);
    }

    /** Returns its settings that differ from the default, for people, as text by key. */
    @JsonIgnore
    public SortedMap<String, String> traits() {
        return spec.texts();
    }

    /** Returns the keys in which two arms differ, in alphabetical order; empty if nothing is known about them. */
    public List<String> differences(Arm other) {
        SortedMap<String, String> own = traits();
        SortedMap<String, String> others = other.traits();
        return Stream.concat(own.keySet().stream(), others.keySet().stream())
                .filter(key -> !Objects.equals(own.get(key), others.get(key)))
                .distinct()
                .sorted()
                .toList();
    }

    public enum Role {
        /** The arm with which the others of its group are compared. */
        BASELINE,
        ARM,
        /** A second copy of the baseline, which must not come out as different. */
        CONTROL,
        /** An upper limit for comparison that cannot be chosen, so it is not ranked. */
        REFERENCE
    }
}
