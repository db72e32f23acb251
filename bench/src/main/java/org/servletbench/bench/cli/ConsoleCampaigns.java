package org.servletbench.bench.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.CampaignRunner;
import org.servletbench.bench.campaign.CampaignStore;
import org.servletbench.bench.campaign.Forecast;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Plan;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.reproduce.CampaignDraft;
import org.servletbench.bench.reproduce.Campaigns;
import org.servletbench.bench.target.Jdk;

/** The campaigns of a reproduction, with progress on the console. */
record ConsoleCampaigns(Path root, ProfilesFolder profiles, Jdk jdk, ConsoleProgress progress) implements Campaigns {

    @Override
    public void say(String line) {
        progress.say(line);
    }

    @Override
    public String commit() {
        return Repository.commit(root);
    }

    @Override
    public String pinning() {
        return CompareCommand.pinning();
    }

    @Override
    public Map<String, String> versions(Plan plan) {
        return CompareCommand.versions(root, plan, jdk);
    }

    @Override
    public Campaign begun(String id, CampaignDraft draft, List<Arm> complete, double limitSeconds) {
        Plan plan = CompareCommand.fitting(draft.draft(), draft.options(), profiles, progress)
                .withLimit(limitSeconds);
        return new Campaign(
                Campaign.FORMAT,
                id,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                commit(),
                plan,
                complete,
                CompareCommand.order(complete, plan),
                Machine.facts(),
                versions(plan),
                CompareCommand.recorded(draft.options(), profiles, plan),
                pinning(),
                List.of());
    }

    @Override
    public void run(Preparation ready, CampaignStore store) {
        Campaign campaign = ready.campaign();
        try (ConsoleProgress shown = progress) {
            shown.begin(
                    campaign,
                    Forecast.of(campaign.plan(), campaign.arms(), ready.options())
                            .seconds());
            new CampaignRunner(campaign, ready.options(), profiles, ready.workloads(), root, store, shown).run();
        } finally {
            CompareCommand.render(store.folder(), progress);
        }
    }
}
