package org.servletbench.bench.reproduce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.comparison.LoadSpec;
import org.servletbench.bench.comparison.LoadSpec.Kind;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.NginxSpec;
import org.servletbench.bench.server.TargetException;

/** An article's plan as a campaign's. */
final class CampaignDraft {

    /** Of a plan's options the one that is for its starts alone. */
    private static final String START_BLOCKS = "startup.blocks";

    private CampaignDraft() {}

    /**
     * @param wanted how much of it
     * @param profiles the profiles folder
     * @param files where the files with the plan's settings and JVM options are written, up to the end of their names; null for
     *     a plan that is only told, or whose servers are not a campaign's
     * @param say gets a line for what is left out, and why
     */
    static Planner.Draft of(RerunPlan plan, Wanted wanted, ProfilesFolder profiles, Files files, Consumer<String> say) {
        Scale scale = wanted.scale();
        Options defaults = new Options("--", Map.of(), profiles.campaignDefaults());
        Set<Integer> users = new LinkedHashSet<>();
        List<Cell> cells = new ArrayList<>();
        int seconds = 0;
        int rampUp = 1;
        // These are the same for all loads of a plan: where they differ, the last one counts.
        long requests = 0;
        int threads = 0;
        boolean keepAlive = true;
        List<String> options = List.of();
        for (RerunPlan.Stage whole : plan.loads()) {
            RerunPlan.Stage load = scale.apply(whole);
            requests = load.requests() == null ? requests : load.requests();
            threads = load.threads() == null ? threads : load.threads();
            keepAlive = load.keepAlive();
            options = load.options().isEmpty() ? options : load.options();
        }
        for (RerunPlan.Stage whole : plan.loads()) {
            RerunPlan.Stage load = scale.apply(whole);
            seconds = Math.max(seconds, load.seconds());
            rampUp = Math.max(rampUp, load.rampUpSeconds());
            for (int number : scale.users(load)) {
                users.add(number);
                cells.add(new Cell(
                        load.workload(),
                        number,
                        0,
                        plan.generator(),
                        new ToolSettings(load.maxPauseSeconds(), requests, threads, keepAlive, options)));
            }
        }
        Map<String, String> given = given(plan, wanted, plan.blocks());
        given.put("generators", plan.generator());
        boolean counted = requests > 0;
        given.put("rounds", counted ? defaults.required("reproduce.counted.rounds") : "1");
        given.put("hold", Math.max(2, seconds) + "s");
        given.put("rampup", rampUp + "s");
        given.put("warmup", warmUp(scale, defaults, "reproduce.warmup"));
        given.put("warmup.flat.bursts", defaults.required("reproduce.warmup.flat.bursts"));
        given.put("generator.warmup", warmUp(scale, defaults, "reproduce.generator.warmup"));
        given.put("primary", "throughput");
        // As published the JVM has the article's options and no others.
        given.put("pre-touch", Boolean.toString(plan.warmUp()));
        given.putAll(plan.options());
        given.remove(START_BLOCKS);
        if (scale.isTrial()) {
            given.put("warmup.burst", "1s");
            given.put("generator.warmup.burst", "1s");
            given.put("warmup.pause", "200ms");
            given.put("settle", "1s");
        }
        LoadSpec load = new LoadSpec(
                Kind.FIXED, workloads(plan), users.stream().map(String::valueOf).toList(), List.of());
        Planner.Draft draft = draft(load, plan.arms(), given, plan, wanted, profiles, files, say);
        return draft.with(draft.plan().with(org.servletbench.bench.record.Plan.REPRODUCE, cells));
    }

    /**
     * The starts of the same servers, without nginx, which is no JVM: otherwise as {@code compare startup} has them.
     *
     * @param claimed what is judged: figures of a start
     */
    static Planner.Draft starts(
            RerunPlan plan,
            List<Quantity> claimed,
            Wanted wanted,
            ProfilesFolder profiles,
            Files files,
            Consumer<String> say) {
        int blocks = new Options("--", plan.options(), profiles.campaignDefaults()).integer(START_BLOCKS, 2, 10_000);
        Map<String, String> given = given(plan, wanted, blocks);
        given.put(
                "primary",
                claimed.stream()
                        .flatMap(one -> one.ofStart().stream())
                        .map(Metric::key)
                        .collect(Collectors.joining(",")));
        given.putAll(plan.options());
        given.keySet().removeAll(Set.of("turn", "settle", "warmup", "delay", START_BLOCKS));
        List<String> arms =
                plan.arms().stream().filter(name -> !name.equals(NginxSpec.ARM)).toList();
        LoadSpec load = new LoadSpec(Kind.STARTS, workloads(plan), List.of(), List.of());
        return draft(load, arms, given, plan, wanted, profiles, files, say);
    }

    private static List<String> workloads(RerunPlan plan) {
        return plan.loads().stream().map(RerunPlan.Stage::workload).distinct().toList();
    }

    /** What loads and starts of the same servers have in common. */
    private static Map<String, String> given(RerunPlan plan, Wanted wanted, int plannedBlocks) {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("settings", plan.settings());
        if (wanted.jdk() != null) {
            given.put("jdk", wanted.jdk());
        }
        given.putAll(wanted.hosts());
        int blocks = wanted.blocks() != null ? wanted.blocks() : wanted.scale().blocks(Math.max(2, plannedBlocks));
        given.put("blocks", Integer.toString(blocks));
        given.put("limit", "0s");
        return given;
    }

    private static Planner.Draft draft(
            LoadSpec load,
            List<String> names,
            Map<String, String> given,
            RerunPlan plan,
            Wanted wanted,
            ProfilesFolder profiles,
            Files files,
            Consumer<String> say) {
        if (files != null) {
            files.write(plan, profiles, given);
        }
        List<ArmSpec> specs = arms(names, plan.line(), wanted.jdk(), profiles);
        Comparison comparison = new Comparison(
                load.kind() == Kind.STARTS ? "startup" : "reproduce", "", given, specs, List.of(load), List.of());
        Planner.Draft draft = Planner.draft(comparison, profiles, say);
        List<Arm> arms = draft.arms().stream()
                .filter(arm -> !wanted.scale().isTrial() || arm.role() != Arm.Role.CONTROL)
                .toList();
        return draft.with(arms, Map.of());
    }

    /** As articles name them: {@code jetty}, {@code jetty+virtual}; on the record with their line where that is not the usual one. */
    private static List<ArmSpec> arms(List<String> names, String line, String jdk, ProfilesFolder profiles) {
        List<ArmSpec> arms = new ArrayList<>();
        String base = "";
        for (String name : names.stream()
                .sorted(Comparator.comparing(NginxSpec.ARM::equals))
                .toList()) {
            if (name.equals(NginxSpec.ARM)) {
                arms.add(new ArmSpec(name, name, base, Map.of("container", name), ""));
                continue;
            }
            boolean virtual = name.endsWith("+" + Threads.VIRTUAL.key());
            ContainerProfile profile = profiles.container(name.replaceFirst("[+].*", ""));
            profile.missingOn(line).ifPresent(why -> {
                throw new UsageException("arms: " + why);
            });
            String id = profile.arm(line) + (virtual ? "+" + Threads.VIRTUAL.key() : "");
            Map<String, String> traits = new LinkedHashMap<>(Map.of("container", profile.name()));
            if (!line.equals(profile.usualLine())) {
                traits.put("boot", line);
            }
            if (virtual) {
                traits.put("threads", Threads.VIRTUAL.key());
            }
            if (jdk != null) {
                traits.put("jdk", jdk);
            }
            String label = profile.label() + (virtual ? ", virtual threads" : "");
            base = base.isEmpty() ? id : base;
            arms.add(new ArmSpec(id, label, base, traits, line));
        }
        return arms;
    }

    private static String warmUp(Scale scale, Options defaults, String option) {
        return scale.warmUpSeconds((int) defaults.duration(option).toSeconds()) + "s";
    }

    /**
     * Where a plan's settings and JVM options are written, where they are not those of the profiles.
     *
     * @param folder the reproduction's
     * @param name of the campaign, which tells its files apart
     */
    record Files(Path folder, String name) {

        private void write(RerunPlan plan, ProfilesFolder profiles, Map<String, String> given) {
            try {
                if (!plan.serverProperties().isEmpty()) {
                    Path file = folder.resolve("settings-" + name + ".properties");
                    given.put(
                            "settings.file",
                            ServerFiles.settings(profiles, plan, file).toString());
                }
                if (plan.jvmOptions() != null) {
                    Path file = folder.resolve("jvm-" + name + ".options");
                    ServerFiles.jvmOptions(profiles, plan, file);
                    given.put("jvm.options", file.toString());
                }
            } catch (IOException e) {
                throw new TargetException("cannot write to " + folder + " (" + e.getMessage() + ")");
            }
        }
    }
}
