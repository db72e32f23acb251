package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.ClassArchive;
import org.servletbench.bench.server.Jdk;

/** What the servers of a campaign know when they start. All of them start alike. */
public enum WarmStart {
    /** Nothing but the JDK's own archive of classes: the JIT compiler begins anew in each JVM. */
    NONE(null),
    /** Method profiles and linked classes. */
    AOT(ClassArchive.Kind.AOT),
    /** Parsed classes. */
    CDS(ClassArchive.Kind.CDS);

    private static final String OPTION = "warm-start";
    private static final String CACHES = "aot-caches";
    private static final String TRAINING = "aot-training";
    private static final List<String> RESERVED =
            List.of("-XX:AOT", "-Xshare", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit");

    /** Of a CDS archive: long enough that each class of a request is loaded. There are no profiles, which would need more. */
    private static final Duration EVERY_CLASS = Duration.ofSeconds(5);

    private final ClassArchive.Kind archive;

    WarmStart(ClassArchive.Kind archive) {
        this.archive = archive;
    }

    /** What each server starts with; empty: nothing of its own. */
    public Optional<ClassArchive.Kind> archive() {
        return Optional.ofNullable(archive);
    }

    /** What was asked for; a UsageException if it is not understood. */
    public static WarmStart of(Options options) {
        String asked = options.text(OPTION).orElse(NONE.key());
        return named(asked)
                .orElseThrow(() ->
                        new UsageException("--warm-start " + asked + " is not understood: give none, cds or aot"));
    }

    /** What a campaign that has been recorded ran with. */
    public static WarmStart of(Campaign campaign) {
        return named(campaign.asked().getOrDefault(OPTION, NONE.key())).orElse(NONE);
    }

    /** Whether the servers of two campaigns knew the same when they started, trained as long. */
    public static boolean isSame(Campaign one, Campaign other) {
        boolean trained = of(one) == AOT;
        return of(one) == of(other)
                && (!trained
                        || Objects.equals(
                                one.asked().get(TRAINING), other.asked().get(TRAINING)));
    }

    private static Optional<WarmStart> named(String name) {
        return Arrays.stream(values()).filter(one -> one.key().equals(name)).findFirst();
    }

    private String key() {
        return archive().map(ClassArchive.Kind::key).orElse("none");
    }

    /** How many archives each arm of a campaign has; trainings for a CDS archive do not differ. */
    public static int archives(Campaign campaign) {
        return of(campaign) == AOT ? Integer.parseInt(campaign.asked().get(CACHES)) : 1;
    }

    public static int archives(Options options) {
        return of(options) == AOT ? options.integer(CACHES, 1, 100) : 1;
    }

    /** How long a server is loaded in a training. */
    public static Duration training(Options options) {
        return of(options) == AOT ? options.duration(TRAINING) : EVERY_CLASS;
    }

    /** Checks before anything is built that the arms can start as it was asked for; a UsageException if they cannot. */
    public static void check(Options options, Jdk jdk, JvmOptions jvm, List<Arm> arms) {
        WarmStart asked = of(options);
        if (asked != AOT) {
            Stream.of(CACHES, TRAINING).filter(options::isGiven).findFirst().ifPresent(name -> {
                throw new UsageException("--" + name + " needs --warm-start aot");
            });
        }
        if (asked == NONE) {
            return;
        }
        archives(options);
        training(options);
        ClassArchive.Kind kind = asked.archive;
        String option = "--warm-start " + kind.key();
        if (jdk.feature() < kind.oldestJdk()) {
            throw new UsageException(option + " needs JDK " + kind.oldestJdk()
                    + " or newer, and the servers would run on " + jdk.describe() + ": give --jdk HOME");
        }
        arms.stream().filter(arm -> arm.line().equals("boot2")).findFirst().ifPresent(arm -> {
            throw new UsageException(option + ": " + arm.id() + " cannot have its own " + kind.title()
                    + " (Spring Boot 2.7 has no jarmode 'tools', which extracts it)");
        });
        jvm.values().stream()
                .filter(value -> RESERVED.stream().anyMatch(value::startsWith))
                .findFirst()
                .ifPresent(value -> {
                    throw new UsageException(option + " sets the " + kind.title() + " of each server itself: remove "
                            + value + " from " + jvm.source());
                });
    }

    /** What the trainings cost, for people; empty where there are none. */
    public static List<String> costs(Options options, List<Arm> arms) {
        long servers =
                arms.stream().filter(arm -> arm.role() != Arm.Role.REFERENCE).count();
        return of(options)
                .archive()
                .map(kind -> text(
                        "before the first block: up to %d trainings, %d for the %s of each server, of %d s of load each and"
                                + " some 20 s besides; they are kept for the next campaign, and take no part in --limit",
                        servers * archives(options),
                        archives(options),
                        archives(options) == 1 ? kind.title() : kind.title() + "s",
                        training(options).toSeconds()))
                .stream()
                .toList();
    }
}
