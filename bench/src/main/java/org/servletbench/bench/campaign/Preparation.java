package org.servletbench.bench.campaign;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.UsageException;
import org.servletbench.bench.profile.Workload;
import org.servletbench.bench.target.TargetException;

/**
 * A campaign that is ready to run.
 *
 * @param campaign what to run
 * @param options in force
 * @param workloads of the plan
 */
public record Preparation(Campaign campaign, Options options, List<Workload> workloads) {

    private static final String OPTION = "option ";

    /**
     * Goes on with a campaign, with the options that it began with; its applications must be the same.
     *
     * @param before as it is on disk
     * @param blocks that it shall have in the end; empty for those it aims at
     * @param limitSeconds time limit from now on, s, 0 for none; empty for the plan's
     * @param builds gives the applications
     * @throws UsageException if fewer blocks are wanted than it aims at
     * @throws TargetException if an application is not the one that was measured before
     */
    public static Preparation goOn(
            CampaignFolder before,
            Optional<Integer> blocks,
            Optional<Double> limitSeconds,
            ProfilesFolder profiles,
            ArmBuilds builds) {
        Campaign campaign = before.campaign();
        Map<String, String> values = new TreeMap<>();
        campaign.options().forEach((name, value) -> {
            if (name.startsWith(OPTION)) {
                values.put(name.substring(OPTION.length()), value);
            }
        });
        // Options that did not exist yet when it began have their defaults.
        Options options = new Options("--", values, profiles.campaignDefaults());
        List<Workload> known = values.containsKey("workload-file")
                ? ProfilesFolder.workloads(Path.of(values.get("workload-file")))
                : profiles.workloads();
        List<Workload> used = known.stream()
                .filter(workload -> campaign.plan().cells().stream()
                        .anyMatch(cell -> cell.workload().equals(workload.name())))
                .toList();
        int aim = blocks.orElse(campaign.order().size());
        Campaign longer;
        try {
            longer = campaign.goingOn(
                    aim,
                    before.completeBlocks(),
                    limitSeconds.orElse(campaign.plan().limitSeconds()),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--blocks " + aim + ": " + e.getMessage());
        }
        requireSame(campaign.arms(), builds.complete(campaign.arms()));
        builds.generators(campaign.plan());
        return new Preparation(longer, options, used);
    }

    private static void requireSame(List<Arm> before, List<Arm> now) {
        for (int i = 0; i < before.size(); i++) {
            if (!before.get(i).sha256().equals(now.get(i).sha256())) {
                throw new TargetException("the application of " + before.get(i).id()
                        + " is not the one that was measured before (its SHA-256 differs): start a new campaign, and"
                        + " compare the two with report");
            }
        }
    }
}
