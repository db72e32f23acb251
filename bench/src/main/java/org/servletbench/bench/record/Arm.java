package org.servletbench.bench.record;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.servletbench.bench.model.ArmName;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Threads;

/**
 * One thing being compared.
 *
 * @param id the arm in file names and options: {@code jetty}, {@code tomcat-apr+boot2}; the A/A control has
 *     {@code -control} at its end
 * @param label the arm for people: {@code Tomcat NIO}
 * @param group arms are ranked within a group only: {@code boot3}
 * @param role what it is there for
 * @param profile the Maven profile; the jar's file name for an application of the user's own; {@code nginx}
 * @param line the Spring Boot line; empty where there is none
 * @param container {@code tomcat}, {@code jetty}, {@code undertow} or {@code nginx}; empty until it is known
 * @param connector how the container does I/O; empty until it is known
 * @param containerVersion the container's own version; empty until it is known
 * @param bootVersion the version of Spring Boot; empty until it is known
 * @param jar the application, as a path; empty for nginx
 * @param sha256 of the jar, in hexadecimal; empty for nginx
 * @param threads that serve requests
 * @param jdk feature release of the server's JDK; 0: that of the campaign
 */
public record Arm(
        String id,
        String label,
        String group,
        Role role,
        String profile,
        String line,
        String container,
        String connector,
        String containerVersion,
        String bootVersion,
        String jar,
        String sha256,
        Threads threads,
        int jdk) {

    /** On platform threads and the campaign's JDK. */
    public Arm(
            String id,
            String label,
            String group,
            Role role,
            String profile,
            String line,
            String container,
            String connector,
            String containerVersion,
            String bootVersion,
            String jar,
            String sha256) {
        this(
                id,
                label,
                group,
                role,
                profile,
                line,
                container,
                connector,
                containerVersion,
                bootVersion,
                jar,
                sha256,
                Threads.PLATFORM,
                0);
    }

    /** One of a Maven profile on a line, of which nothing is built yet; lines are ranked apart. */
    public static Arm planned(String id, String label, Role role, ContainerProfile profile, String line) {
        return new Arm(
                id, label, line, role, profile.name(), line, profile.container(), profile.connector(), "", "", "", "");
    }

    /** The same, for people by its name. */
    public static Arm planned(ArmName name) {
        Arm usual = planned(name.id(), name.label(), Role.ARM, name.profile(), name.usedLine());
        Threads threads = name.threads().orElse(Threads.PLATFORM);
        return usual.changed(
                usual.id,
                usual.label,
                usual.group,
                usual.role,
                threads,
                name.jdk().orElse(0));
    }

    /** nginx, which needs no build. */
    public static Arm reference(String name, String group) {
        return new Arm(name, name, group, Role.REFERENCE, name, "", name, "", "", "", "", "");
    }

    /** The same application under another name and in another group. */
    public Arm in(String newGroup, String newId, String newLabel) {
        return changed(newId, newLabel, newGroup, role, threads, jdk);
    }

    /** What must be said where arms of several lines are compared with each other; empty where they are not. */
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

    /** The same application in another role. */
    public Arm as(Role other, String newId) {
        return changed(newId, label, group, other, threads, jdk);
    }

    private Arm changed(String newId, String newLabel, String newGroup, Role newRole, Threads newThreads, int newJdk) {
        return new Arm(
                newId,
                newLabel,
                newGroup,
                newRole,
                profile,
                line,
                container,
                connector,
                containerVersion,
                bootVersion,
                jar,
                sha256,
                newThreads,
                newJdk);
    }

    /** The same, built. */
    public Arm built(String ofContainer, String boot, String file, String checksum) {
        return new Arm(
                id,
                label,
                group,
                role,
                profile,
                line,
                container,
                connector,
                ofContainer,
                boot,
                file,
                checksum,
                threads,
                jdk);
    }

    /** What an arm is there for. */
    public enum Role {
        /** What the others of its group are compared with. */
        BASELINE,
        /** One of those that are compared. */
        ARM,
        /** A second copy of the baseline: it must not come out as different. */
        CONTROL,
        /** A ceiling to look at, nothing that could be chosen: it is not ranked. */
        REFERENCE
    }
}
