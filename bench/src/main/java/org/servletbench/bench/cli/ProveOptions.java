package org.servletbench.bench.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.proof.Experiments;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How large the experiments of {@code prove} are. */
final class ProveOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "null, blind, controls: blocks of each campaign. Default: " + Experiments.NULL_BLOCKS + ", "
                    + Experiments.BLIND_BLOCKS + ", " + Experiments.CONTROLS_BLOCKS)
    private Integer blocks;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description =
                    "null: no block begins that would end later; 0s: no limit. Default: " + Experiments.NULL_LIMIT)
    private String limit;

    @Option(
            names = "--arms",
            paramLabel = "N",
            defaultValue = "8",
            description =
                    "null: identical servers that are up at the same time, 2 to 16. spike needs at least one more than"
                            + " the quick plan has arms. Default: ${DEFAULT-VALUE}, which takes 21 GiB of memory")
    private int arms;

    @Option(
            names = "--chunk",
            paramLabel = "N",
            defaultValue = "5",
            description = "null, spike: blocks of a quick campaign, 2 or more. Default: ${DEFAULT-VALUE}")
    private int chunk;

    @Option(
            names = "--campaigns",
            paramLabel = "N",
            description = "blind, controls: campaigns. Default: " + Experiments.BLIND_CAMPAIGNS + ", "
                    + Experiments.CONTROLS_CAMPAIGNS)
    private Integer campaigns;

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "3",
            description = "gate: servers for each number of bursts; 3 take about 24 minutes. Default: ${DEFAULT-VALUE}")
    private int servers;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description =
                    "null, blind, controls: measured time of each server in a block. Default: that of the quick plan,"
                            + " of controls 40s, in short turns and again in long ones")
    private String hold;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "null, blind, controls: maximum warm-up per server. Default: that of the quick plan")
    private String warmup;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "20",
            description = "faults: kills of each kind of process. Default: ${DEFAULT-VALUE}")
    private int kills;

    /** @throws UsageException if one of them is out of its range */
    Experiments.Sizes sizes() {
        if (blocks != null && (blocks < 2 || blocks > 1000)
                || campaigns != null && (campaigns < 1 || campaigns > 1000)) {
            throw new UsageException("--campaigns is from 1 to 1000 and --blocks from 2 to 1000");
        }
        if (arms < 2 || arms > 16 || chunk < 2 || kills < 1 || servers < 1) {
            throw new UsageException(
                    "--arms is from 2 to 16, --chunk is 2 or more, --kills and --servers are 1 or more");
        }
        Options times = new Options("--", given(), Map.of());
        Stream.of("limit", "hold", "warmup").filter(times::isGiven).forEach(times::duration);
        return new Experiments.Sizes(given(), Optional.ofNullable(campaigns), arms, chunk, servers, kills);
    }

    /** What was asked for in place of the quick plan's values and the experiments' own. */
    private Map<String, String> given() {
        Map<String, String> given = new HashMap<>();
        for (String name : List.of("blocks", "limit", "hold", "warmup")) {
            Optional.ofNullable(command.findOption("--" + name).getValue())
                    .ifPresent(value -> given.put(name, value.toString()));
        }
        return given;
    }
}
