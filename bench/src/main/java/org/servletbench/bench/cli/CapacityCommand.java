package org.servletbench.bench.cli;

import picocli.CommandLine.Command;

/** A campaign that looks for the highest rate at which each arm meets an objective. */
@Command(
        name = "capacity",
        description =
                "Finds the highest rate (requests/s) at which each arm meets an objective, and says which differences"
                        + " are real: randomised blocks of fresh JVMs, as compare.",
        sortOptions = false,
        modelTransformer = CampaignOptions.class)
final class CapacityCommand extends CompareCommand {}
