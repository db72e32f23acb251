package org.servletbench.bench.reproduce;

import java.util.List;
import java.util.Map;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.CampaignStore;
import org.servletbench.bench.campaign.Plan;
import org.servletbench.bench.campaign.Preparation;

/** How campaigns are made and run by whoever reproduces an article: with its console and its pages. */
public interface Campaigns {

    /** A line for people. */
    void say(String line);

    /** The commit of the sources; empty where it is not known. */
    String commit();

    /** How processors are divided, in words. */
    String pinning();

    /** Versions of JDK and of a plan's generators, by name. */
    Map<String, String> versions(Plan plan);

    /**
     * A campaign that nothing was measured of yet.
     *
     * @param complete its arms, with versions and checksums
     * @param limitSeconds time limit, s; 0 for none
     */
    Campaign begun(String id, CampaignDraft draft, List<Arm> complete, double limitSeconds);

    /**
     * Runs a campaign, shows how far it is, and writes its page.
     *
     * @param store its folder; {@code campaign.json} is there
     */
    void run(Preparation ready, CampaignStore store);
}
