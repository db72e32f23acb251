package org.servletbench.bench.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an arm as people write it: {@code profile[+line][+threads][@JDK]}, for example {@code jetty},
 * {@code tomcat-nio+boot2}, {@code jetty+boot4+virtual@25}.
 *
 * @param line of Spring Boot; empty: the profile's usual one
 * @param threads that serve requests; empty: as the campaign says
 * @param jdk feature release of the server's JDK; empty: as the campaign says
 */
public record ArmName(
        ContainerProfile profile, Optional<String> line, Optional<Threads> threads, Optional<Integer> jdk) {

    private static final Pattern FORM =
            Pattern.compile("([^+@]+)(?:\\+(boot\\d))?(?:\\+(platform|virtual))?(?:@(\\d{1,3}))?");

    /** @throws UsageException if it has another form, or there is no such profile, or the line lacks it */
    public static ArmName of(String text, ProfilesFolder folder) {
        Matcher matcher = FORM.matcher(text);
        Optional<String> line = matcher.matches() ? Optional.ofNullable(matcher.group(2)) : Optional.empty();
        if (!matcher.matches()
                || line.filter(name -> !ContainerProfile.LINES.contains(name)).isPresent()) {
            throw new UsageException("--arms: '" + text + "' is not understood: give profile[+line][+threads][@JDK],"
                    + " such as jetty+boot4 or jetty+virtual@25; lines are "
                    + String.join(", ", ContainerProfile.LINES) + ", threads are platform and virtual");
        }
        ContainerProfile profile = folder.container(matcher.group(1));
        profile.missingOn(line.orElse(profile.usualLine())).ifPresent(why -> {
            throw new UsageException("--arms: " + why);
        });
        return new ArmName(
                profile,
                line,
                Optional.ofNullable(matcher.group(3)).map(Threads::of),
                Optional.ofNullable(matcher.group(4)).map(Integer::valueOf));
    }

    /** The line that it names, else the profile's usual one. */
    public String usedLine() {
        return line.orElse(profile.usualLine());
    }

    /** With these threads, unless it names its own. */
    public ArmName orThreads(Threads usual) {
        return threads.isPresent() ? this : new ArmName(profile, line, Optional.of(usual), jdk);
    }

    /** On this JDK, unless it names its own. */
    public ArmName orJdk(int usual) {
        return jdk.isPresent() ? this : new ArmName(profile, line, threads, Optional.of(usual));
    }

    /** The one name of the arm: what is usual (boot3, platform threads, the campaign's one JDK) is left out. */
    public String id() {
        return profile.arm(usedLine())
                + threads.filter(kind -> kind == Threads.VIRTUAL)
                        .map(kind -> "+" + kind.key())
                        .orElse("")
                + jdk.map(feature -> "@" + feature).orElse("");
    }

    /** The same for people: {@code Jetty, virtual threads, JDK 25}. */
    public String label() {
        return profile.label()
                + threads.filter(kind -> kind == Threads.VIRTUAL)
                        .map(kind -> ", virtual threads")
                        .orElse("")
                + jdk.map(feature -> ", JDK " + feature).orElse("");
    }
}
