package org.servletbench.bench.record;

import org.servletbench.bench.model.ContainerProfile;

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
        String sha256) {

    /** One of a Maven profile on a line, of which nothing is built yet; lines are ranked apart. */
    public static Arm planned(String id, String label, Role role, ContainerProfile profile, String line) {
        return new Arm(
                id, label, line, role, profile.name(), line, profile.container(), profile.connector(), "", "", "", "");
    }

    /** nginx, which needs no build. */
    public static Arm reference(String name, String group) {
        return new Arm(name, name, group, Role.REFERENCE, name, "", name, "", "", "", "", "");
    }

    /** The same, built. */
    public Arm built(String containersVersion, String bootsVersion, String file, String filesSha256) {
        return new Arm(
                id,
                label,
                group,
                role,
                profile,
                line,
                container,
                connector,
                containersVersion,
                bootsVersion,
                file,
                filesSha256);
    }

    /** The same application in another role. */
    public Arm as(Role other, String newId) {
        return new Arm(
                newId,
                label,
                group,
                other,
                profile,
                line,
                container,
                connector,
                containerVersion,
                bootVersion,
                jar,
                sha256);
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
