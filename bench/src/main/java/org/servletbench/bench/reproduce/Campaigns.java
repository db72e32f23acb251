package org.servletbench.bench.reproduce;

import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.Prepared;

/** How campaigns are prepared and run by whoever reproduces an article: with its console and its pages. */
public interface Campaigns {

    /** Prepares campaigns of this repository. */
    Preparation preparation();

    /** The commit of the sources; empty where it is not known. */
    String commit();

    /**
     * Runs a campaign, shows how far it is, and writes its page.
     *
     * @param goOn the command that goes on with it after a failure
     */
    void run(Prepared ready, String goOn);
}
