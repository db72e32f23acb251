package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.stream.Stream;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.AotCache;
import org.servletbench.bench.server.Jdk;

/** What the servers of a campaign know when they start. All of them start alike. */
public enum WarmStart {
    /** Nothing: the JIT compiler begins anew in each JVM. */
    NONE,
    /** Method profiles and linked classes from an AOT cache. */
    AOT;

    private static final String OPTION = "warm-start";
    private static final String CACHES = "aot-caches";
    private static final String TRAINING = "aot-training";
    private static final List<String> RESERVED = List.of("-XX:AOT", "-Xshare", "-XX:SharedArchiveFile");

    /** What was asked for; a UsageException if it is not understood. */
    public static WarmStart of(Options options) {
        return switch (options.text(OPTION).orElse("none")) {
            case "none" -> NONE;
            case "aot" -> AOT;
            default ->
                throw new UsageException(
                        "--warm-start " + options.required(OPTION) + " is not understood: give none or aot");
        };
    }

    /** What a campaign that has been recorded ran with. */
    public static WarmStart of(Campaign campaign) {
        return "aot".equals(campaign.asked().get(OPTION)) ? AOT : NONE;
    }

    /** How many caches each arm of a campaign with {@link #AOT} has. */
    public static int caches(Campaign campaign) {
        return Integer.parseInt(campaign.asked().get(CACHES));
    }

    public static int caches(Options options) {
        return options.integer(CACHES, 1, 100);
    }

    /** Checks before anything is built that the arms can start as it was asked for; a UsageException if they cannot. */
    public static void check(Options options, Jdk jdk, JvmOptions jvm, List<Arm> arms) {
        if (of(options) == NONE) {
            Stream.of(CACHES, TRAINING).filter(options::isGiven).findFirst().ifPresent(name -> {
                throw new UsageException("--" + name + " needs --warm-start aot");
            });
            return;
        }
        caches(options);
        options.duration(TRAINING);
        if (jdk.feature() < AotCache.OLDEST_JDK) {
            throw new UsageException("--warm-start aot needs JDK " + AotCache.OLDEST_JDK
                    + " or newer, and the servers would run on " + jdk.describe() + ": give --jdk HOME");
        }
        arms.stream().filter(arm -> arm.line().equals("boot2")).findFirst().ifPresent(arm -> {
            throw new UsageException("--warm-start aot: " + arm.id()
                    + " cannot have an AOT cache (Spring Boot 2.7 has no jarmode 'tools', which extracts it)");
        });
        jvm.values().stream()
                .filter(value -> RESERVED.stream().anyMatch(value::startsWith))
                .findFirst()
                .ifPresent(value -> {
                    throw new UsageException("--warm-start aot sets the cache of each server itself: remove " + value
                            + " from " + jvm.source());
                });
    }

    /** What the trainings cost, for people; empty where there are none. */
    public static List<String> costs(Options options, List<Arm> arms) {
        if (of(options) == NONE) {
            return List.of();
        }
        long servers =
                arms.stream().filter(arm -> arm.role() != Arm.Role.REFERENCE).count();
        return List.of(text(
                "before the first block: up to %d trainings for AOT caches, %d for each server, of %d s of load each and"
                        + " some 20 s besides; they are kept for the next campaign, and take no part in --limit",
                servers * caches(options),
                caches(options),
                options.duration("aot-training").toSeconds()));
    }
}
