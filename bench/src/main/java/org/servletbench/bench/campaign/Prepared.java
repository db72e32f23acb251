package org.servletbench.bench.campaign;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.Forecast;

/**
 * A campaign that is ready to run; see {@link Preparation}.
 *
 * @param named options that only a command line can give, as this one gave them: other machines
 */
public record Prepared(
        Campaign campaign,
        Procedure procedure,
        Map<String, String> named,
        List<Workload> workloads,
        ProfilesFolder profiles,
        Path repository,
        CampaignStore store,
        ServerMachine machine) {

    /** Returns its approximate duration from the first block to the last, s. */
    public double seconds() {
        return Forecast.of(campaign.plan().withBlocks(campaign.order().size()), campaign.arms(), procedure)
                .seconds();
    }

    /**
     * Starts the server of one arm, and stops it.
     *
     * @param folder folder of the server's records; created here
     * @return why it did not start; empty if it did
     */
    public Optional<String> trial(String arm, Path folder) {
        try (Hosting hosting =
                Hosting.connect(machine.machines(), List.of(campaign.arm(arm)), Optional.empty(), line -> {})) {
            new ServerLauncher(this)
                    .start(hosting, campaign.arm(arm), 1, folder)
                    .close("it was only to start");
            return Optional.empty();
        } catch (TargetException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Writes {@code campaign.json} once all checks have passed, and runs all missing blocks.
     *
     * @param goOn command that resumes it after a failure, for the message; empty if there is none
     * @throws org.servletbench.bench.model.TargetException if it had to stop; everything measured so far is kept
     */
    public CampaignFolder run(CampaignWatch watch, String goOn) {
        CampaignRunner runner = new CampaignRunner(this, watch, goOn);
        store.write(campaign);
        return runner.run();
    }
}
