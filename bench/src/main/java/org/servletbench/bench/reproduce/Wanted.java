package org.servletbench.bench.reproduce;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.ServerMachine;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.Jdk;

/**
 * How much of an article's experiment is asked for, and with what.
 *
 * @param scale factor of counts, times and blocks
 * @param blocks of each campaign; null for those of the article's file
 * @param only one treatment; null for all
 * @param limit time limit as it was given; null for the article's default
 * @param jdk home of the servers' JDK; null for the rig's own
 * @param hosts options of the machine on which servers run; empty: this one
 */
public record Wanted(Scale scale, Integer blocks, Treatment only, String limit, String jdk, Map<String, String> hosts) {

    /**
     * From the options {@code scale}, {@code blocks}, {@code settings}, {@code limit}, {@code jdk}, and those of another machine.
     *
     * @param given only those that were given
     * @throws UsageException if a value is invalid
     */
    public static Wanted of(Map<String, String> given) {
        Options own = new Options("--", given, Map.of());
        Wanted wanted = new Wanted(
                own.isGiven("scale") ? new Scale(own.decimal("scale", 0, 1)) : Scale.FULL,
                own.isGiven("blocks") ? own.integer("blocks", 2, 10_000) : null,
                own.text("settings").map(Wanted::treatment).orElse(null),
                given.get("limit"),
                given.get("jdk"),
                Machines.OPTIONS.stream()
                        .filter(given::containsKey)
                        .collect(Collectors.toMap(name -> name, given::get)));
        if (own.isGiven("limit")) {
            Planner.limitSeconds(own);
        }
        return wanted;
    }

    /** What a reproduction began with. */
    static Wanted of(Reproduction.Header header) {
        return new Wanted(new Scale(header.scale()), header.blocks(), null, null, header.jdk(), header.hosts());
    }

    private static Treatment treatment(String option) {
        return Arrays.stream(Treatment.values())
                .filter(one -> one.option().equals(option))
                .findFirst()
                .orElseThrow(() -> new UsageException("--settings=" + option + ": choose from "
                        + Arrays.stream(Treatment.values())
                                .map(Treatment::option)
                                .collect(Collectors.joining(", "))));
    }

    /**
     * The JDK that servers run on.
     *
     * @throws UsageException if it cannot be used
     * @throws org.servletbench.bench.server.TargetException if their machine cannot be
     */
    public Jdk servers(Preparation preparation) {
        return hosts.isEmpty()
                ? Jdk.of(new Options("--", jdk == null ? Map.of() : Map.of("jdk", jdk), Map.of()))
                : machine(preparation).jdks().get(0);
    }

    /** The machine on which servers run. */
    ServerMachine machine(Preparation preparation) {
        return preparation.machine(new Options("--", hosts, Map.of()));
    }

    /** The time limit of an article, s, 0 for none: what was given, else the article's default, else that of all. */
    double limitSeconds(String article, ProfilesFolder profiles) {
        Options defaults = new Options("--", Map.of(), profiles.campaignDefaults());
        String usual =
                defaults.text("reproduce.limit." + article).orElseGet(() -> defaults.required("reproduce.limit"));
        return Planner.limitSeconds(
                new Options("--", limit == null ? Map.of() : Map.of("limit", limit), Map.of("limit", usual)));
    }

    /**
     * With which settings an article is run as it should be, the article's first; the newest versions with the article's
     * settings only where these are asked for.
     *
     * @throws UsageException if it is not run with those that were asked for
     */
    List<Treatment> treatments(Article article) {
        List<Treatment> all = Arrays.stream(Treatment.values())
                .filter(one -> one.isOf(article))
                .toList();
        if (only == null) {
            return all.stream().filter(one -> one != Treatment.NEWEST).toList();
        }
        if (!all.contains(only)) {
            throw new UsageException("--settings " + only.option() + ": " + article.id() + " has "
                    + all.stream().map(Treatment::option).collect(Collectors.joining(" and ")));
        }
        return List.of(only);
    }
}
