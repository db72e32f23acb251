package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.ArchiveKind;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Procedure.Archives;
import org.servletbench.bench.model.UsageException;

/**
 * Files with prepared code with which servers start. All servers of a campaign start in the same way, unless ways to
 * start are compared.
 */
public enum WarmStart {
    /** Only the JDK's own class archive. The JIT compiler starts from scratch in each JVM. */
    NONE(null),
    /** Method profiles and linked classes. */
    AOT(ArchiveKind.AOT),
    /** Parsed classes. */
    CDS(ArchiveKind.CDS);

    private static final List<String> RESERVED =
            List.of("-XX:AOT", "-Xshare", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit");

    /**
     * Duration of the load for a CDS archive. It is long enough to load each class of a request; CDS has no profiles,
     * which would need more.
     */
    private static final Duration EVERY_CLASS = Duration.ofSeconds(5);

    private final ArchiveKind archive;

    WarmStart(ArchiveKind archive) {
        this.archive = archive;
    }

    /** Returns the archive with which each server starts; empty if there is none. */
    public Optional<ArchiveKind> archive() {
        return Optional.ofNullable(archive);
    }

    /** Returns how the servers of a recorded campaign started. */
    public static Set<WarmStart> of(Campaign campaign) {
        return campaign.arms().stream()
                .filter(arm -> arm.role() != Arm.Role.REFERENCE)
                .map(Arm::warmStart)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(WarmStart.class)));
    }

    /**
     * Returns the number of AOT caches of each arm, if blocks share them, so that intervals hold only for these caches;
     * otherwise 0.
     */
    public static int sharedCaches(Campaign campaign, int blocks) {
        int caches = of(campaign).contains(AOT) ? caches(campaign) : 0;
        return caches < blocks ? caches : 0;
    }

    /**
     * Returns the text that a page adds to the JDK if all servers start with an archive in the same way; otherwise
     * empty.
     */
    public static String words(Campaign campaign) {
        Set<WarmStart> ways = of(campaign);
        return ways.size() != 1
                ? ""
                : ways.iterator()
                        .next()
                        .archive()
                        .map(kind -> " with " + kind.title() + "s")
                        .orElse("");
    }

    /** True if the servers of an arm started in the same way in both campaigns, after training of the same duration. */
    public static boolean isSame(Campaign before, Arm was, Campaign after, Arm is) {
        return was.warmStart() == is.warmStart()
                && (is.warmStart() != AOT
                        || Objects.equals(
                                before.asked().get(Archives.TRAINING),
                                after.asked().get(Archives.TRAINING)));
    }

    /** Returns the way to start with this name. */
    public static Optional<WarmStart> named(String name) {
        return Arrays.stream(values()).filter(one -> one.key().equals(name)).findFirst();
    }

    private String key() {
        return archive().map(ArchiveKind::key).orElse("none");
    }

    /** Returns the number of archives of each arm, for a campaign that starts with AOT caches. */
    public static int caches(Campaign campaign) {
        return Integer.parseInt(campaign.asked().get(Archives.CACHES));
    }

    /**
     * Returns the number of archives of each arm that starts in this way. It is one for CDS, whose trainings do not
     * differ.
     */
    public int archives(Archives asked) {
        return this == AOT ? asked.caches() : 1;
    }

    /** Returns the duration of a training's load. */
    public Duration training(Archives asked) {
        return this == AOT ? asked.training() : EVERY_CLASS;
    }

    /** Rejects options of archives if no arm has an archive, because they would have no effect. */
    public static void requireUsed(Archives asked, List<Arm> arms) {
        asked.given().stream()
                .filter(name -> arms.stream().noneMatch(arm -> arm.warmStart() == AOT))
                .findFirst()
                .map(name -> "'" + name + "' needs an arm with archive: aot")
                .ifPresent(UsageException::raise);
    }

    /**
     * Checks that an arm can start as requested, before anything is built.
     *
     * @param jdk feature release of its servers' JDK, such as 25
     * @param jdkName that JDK, for people
     * @throws UsageException if it cannot
     */
    public static void check(int jdk, String jdkName, JvmOptions jvm, Arm arm) {
        if (arm.warmStart() != NONE) {
            arm.warmStart().check(jdk, jdkName, jvm, arm, arm.warmStart().archive);
        }
    }

    private void check(int jdk, String jdkName, JvmOptions jvm, Arm arm, ArchiveKind kind) {
        String option = "arms." + arm.id() + ": archive " + kind.key();
        if (jdk < kind.oldestJdk()) {
            throw new UsageException(option + " needs JDK " + kind.oldestJdk()
                    + " or newer, and the server would run on " + jdkName + ": give --jdk HOME");
        }
        if (arm.line().equals("boot2")) {
            throw new UsageException(
                    option + ": Spring Boot 2.7 has no jarmode 'tools', which extracts the " + kind.title());
        }
        jvm.values().stream()
                .filter(value -> RESERVED.stream().anyMatch(value::startsWith))
                .findFirst()
                .map(value -> option + " sets the " + kind.title() + " of the server itself: remove " + value
                        + " from its JVM options")
                .ifPresent(UsageException::raise);
    }

    /** Returns lines for people about the cost of the trainings; empty if there are none. */
    public static List<String> costs(Archives asked, List<Arm> arms) {
        return Stream.of(values())
                .filter(way -> arms.stream().anyMatch(arm -> arm.warmStart() == way))
                .flatMap(way -> way.archive().map(kind -> way.costs(asked, arms, kind)).stream())
                .toList();
    }

    private String costs(Archives asked, List<Arm> arms, ArchiveKind kind) {
        long servers = arms.stream()
                .filter(arm -> arm.role() != Arm.Role.REFERENCE && arm.warmStart() == this)
                .count();
        return text(
                "before the first block: up to %d trainings, %d for the %s of each server, of %d s of load each and"
                        + " about 20 s more; they are kept for the next campaign, and do not count towards the time limit",
                servers * archives(asked),
                archives(asked),
                archives(asked) == 1 ? kind.title() : kind.title() + "s",
                training(asked).toSeconds());
    }
}
