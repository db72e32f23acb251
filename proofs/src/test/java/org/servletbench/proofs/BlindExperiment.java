package org.servletbench.proofs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.verdict.BlockData;

/**
 * Small campaigns in which one arm burns 0 or 5 % more CPU time per request, with the default heap and both JIT
 * compilers. The choice for each campaign is drawn and sealed before the first, and revealed only after the last.
 *
 * @param given options that override the quick preset, such as the {@code blocks} of each campaign
 */
record BlindExperiment(ProofLab lab, Map<String, String> given) {

    private static final double EFFECT = 0.05;
    /**
     * CPU time that every arm burns. The switch costs 2 to 3 µs on top of the time it burns, so the baseline has to pay
     * for it as well.
     */
    private static final long BURNT_BY_ALL_NANOS = 10_000;

    private static final String PLAIN = "plain";
    private static final String BLIND = "blind";
    private static final String SEALED = "sealed.json";

    List<Finding> run(int campaigns) {
        Seal seal = seal(campaigns);
        lab.say("blind: sealed, SHA-256 " + seal.hash());
        List<CampaignFolder> read = new ArrayList<>();
        for (int number = 1; number <= seal.effects().size(); number++) {
            lab.say("blind: campaign " + number + " of " + seal.effects().size());
            read.add(campaign("blind-" + number, seal.effects().get(number - 1) ? seal.burnNanos() : 0));
        }
        // The seal is broken here.
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.of(
                BlindTally.NAME,
                "seal",
                "SHA-256 " + seal.hash() + ", written before the first campaign",
                seal.text(),
                "",
                seal.isWhole()));
        List<BlindTally.Result> results = new ArrayList<>();
        double missing = 0.05;
        for (int i = 0; i < read.size(); i++) {
            Analysis judged = Analysis.of(read.get(i).campaign(), read.get(i).serverRuns());
            missing = judged.settings().alpha() / judged.family().comparisons().size();
            results.add(result(i + 1, seal, judged));
        }
        findings.addAll(BlindTally.findings(results, missing));
        return findings;
    }

    private static BlockData cpu(Analysis judged) {
        return judged.comparison(judged.groups().get(0).name(), judged.loads().get(0), Metric.CPU);
    }

    private static BlindTally.Result result(int number, Seal seal, Analysis judged) {
        boolean effect = seal.effects().get(number - 1);
        double own = 1000 * cpu(judged).typical(PLAIN);
        Analysis.Against against = judged.against(
                        judged.groups().get(0),
                        judged.campaign().arm(BLIND),
                        judged.loads().get(0),
                        Metric.CPU)
                .orElseThrow();
        return new BlindTally.Result(
                number,
                effect,
                effect ? (own + seal.burnNanos()) / own : 1,
                against.ratio(),
                against.low(),
                against.high());
    }

    /** Returns the seal from an earlier run in this folder, or calibrates and draws a new one. */
    private Seal seal(int campaigns) {
        Path file = lab.folder().resolve(BlindTally.NAME).resolve(SEALED);
        try {
            if (Files.isRegularFile(file)) {
                return Json.read(file, Seal.class);
            }
            long own = calibrated();
            Seal seal = Seal.draw(campaigns, own, Math.round(EFFECT * own), new SecureRandom());
            Json.write(file, seal);
            Files.writeString(file.resolveSibling("hash.txt"), seal.hash() + "\n");
            return seal;
        } catch (IOException e) {
            throw new TargetException("cannot read or write " + file + " (" + e.getMessage() + ")");
        }
    }

    /** Returns the CPU time of a request without the effect, ns: the geometric mean of two copies over two blocks. */
    private long calibrated() {
        lab.say("blind: calibration");
        Map<String, String> two = new HashMap<>(given);
        two.put("blocks", "2");
        List<Arm> arms =
                List.of(lab.arm("tomcat-nio", PLAIN, Arm.Role.BASELINE), lab.arm("tomcat-nio", "plain2", Arm.Role.ARM));
        CampaignFolder read =
                lab.quick("blind-calibration", arms, Map.of(PLAIN, burning(0), "plain2", burning(0)), two);
        BlockData cpu = cpu(Analysis.of(read.campaign(), read.serverRuns()));
        double own = 1000 * Math.sqrt(cpu.typical(PLAIN) * cpu.typical("plain2"));
        if (!(own > 0)) {
            throw new TargetException("blind: the calibration gave no CPU time per request");
        }
        return Math.round(own);
    }

    private CampaignFolder campaign(String name, long nanos) {
        List<Arm> arms = List.of(
                lab.arm("tomcat-nio", PLAIN, Arm.Role.BASELINE),
                lab.arm("tomcat-nio", BLIND, Arm.Role.ARM),
                lab.arm("tomcat-nio", "plain-control", Arm.Role.CONTROL));
        return lab.quick(
                name, arms, Map.of(PLAIN, burning(0), "plain-control", burning(0), BLIND, burning(nanos)), given);
    }

    private static String burning(long nanos) {
        return "-Dproof.burn=" + (BURNT_BY_ALL_NANOS + nanos) + "ns";
    }
}
