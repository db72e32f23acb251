package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.statistics.distribution.TDistribution;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.server.http.LoadClient;
import org.servletbench.bench.server.http.RowCounters;

/**
 * Pairs of servers of one jar, in time slices side by side. One has just met the criterion for a warm server when its
 * load starts; the other, the veteran, has already served requests for three minutes. If the criterion suffices, they
 * do not differ.
 */
final class WarmPairsExperiment {

    static final String NAME = "warm-pairs";

    private static final List<String> PROFILES = List.of("tomcat-nio", "jetty", "undertow");
    /**
     * Duration of the load on each veteran before any other server gets a request. All veterans share the processors.
     */
    private static final Duration LONG = Duration.ofMinutes(3);
    /** Number of users of each veteran. */
    private static final int USERS = 8;

    private static final List<Metric> METRICS = List.of(Metric.THROUGHPUT, Metric.CPU);

    private final ProofLab lab;
    private final Map<String, String> given;

    WarmPairsExperiment(ProofLab lab, Map<String, String> given) {
        this.lab = lab;
        this.given = new HashMap<>(given);
        this.given.putIfAbsent("hold", "10s");
    }

    private static String veteran(String profile) {
        return profile + "-veteran";
    }

    List<Finding> run() {
        List<Arm> arms = new ArrayList<>();
        for (String profile : PROFILES) {
            boolean first = arms.isEmpty();
            arms.add(lab.arm(profile, profile, first ? Arm.Role.BASELINE : Arm.Role.ARM));
            arms.add(lab.arm(profile, veteran(profile), first ? Arm.Role.CONTROL : Arm.Role.ARM));
        }
        try {
            return findings(lab.quick(NAME, arms, Map.of(), given, new Ageing(lab)));
        } catch (TargetException | LoadException e) {
            return List.of(Experiments.failed(NAME, "", e));
        }
    }

    private static List<Finding> findings(CampaignFolder read) {
        List<Finding> findings = new ArrayList<>();
        for (Metric metric : METRICS) {
            List<Double> all = new ArrayList<>();
            for (String profile : PROFILES) {
                List<Double> own = logs(read, profile, metric);
                all.addAll(own);
                findings.add(finding(profile, metric, own));
            }
            findings.add(finding("all pairs", metric, all));
        }
        return findings;
    }

    /** Returns ln(just warm / veteran) of each block. */
    private static List<Double> logs(CampaignFolder read, String profile, Metric metric) {
        List<Double> logs = new ArrayList<>();
        for (int block = 1; block <= read.completeBlocks(); block++) {
            Map<String, Double> figures = new HashMap<>();
            for (ServerRun one : read.serverRuns()) {
                if (one.block() == block && one.measured() && one.warmUp().settled()) {
                    figures.put(one.arm(), one.loads().get(0).figure(metric).orElse(Double.NaN));
                }
            }
            double log = Math.log(
                    figures.getOrDefault(profile, Double.NaN) / figures.getOrDefault(veteran(profile), Double.NaN));
            if (Double.isFinite(log)) {
                logs.add(log);
            }
        }
        return logs;
    }

    private static Finding finding(String subject, Metric metric, List<Double> logs) {
        String which = subject + ", " + metric.key();
        String wanted = "no interval that excludes 0 with an estimate above 1 %";
        return logs.size() < 2
                ? Finding.shown(NAME, which, wanted, logs.size() + " pairs", "nothing to test")
                : PairedMean.of(logs).finding(which, wanted);
    }

    /**
     * Mean of log ratios.
     *
     * @param half half width of the mean's 95 % interval by Student's t
     */
    record PairedMean(int n, double value, double half) {

        /** Maximum difference if the criterion suffices, as a share. */
        private static final double TOLERATED = 0.01;

        static PairedMean of(List<Double> logs) {
            int n = logs.size();
            double mean = logs.stream().mapToDouble(Double::doubleValue).sum() / n;
            double squares =
                    logs.stream().mapToDouble(log -> Math.pow(log - mean, 2)).sum();
            double t = TDistribution.of(n - 1.0).inverseSurvivalProbability(0.025);
            return new PairedMean(n, mean, t * Math.sqrt(squares / (n - 1) / n));
        }

        boolean passes() {
            return Math.abs(value) <= half || Math.abs(Math.expm1(value)) <= TOLERATED;
        }

        private Finding finding(String subject, String wanted) {
            return Finding.of(
                    NAME,
                    subject,
                    wanted,
                    text("%+.1f %% in %d pairs", 100 * Math.expm1(value), n),
                    text(
                            "95 %% interval %+.1f to %+.1f %%",
                            100 * Math.expm1(value - half), 100 * Math.expm1(value + half)),
                    passes());
        }
    }

    /** Loads the veterans as soon as all servers of a block are up. */
    private static final class Ageing extends ProofLab.Quiet {
        private final ProofLab lab;

        Ageing(ProofLab lab) {
            lab.super();
            this.lab = lab;
        }

        @Override
        public void serversAreUp(int block) {
            Path folder = lab.folder().resolve(NAME).resolve("blocks").resolve(Integer.toString(block));
            CompletableFuture.allOf(PROFILES.stream()
                            .map(profile -> url(folder, veteran(profile)))
                            .map(url -> CompletableFuture.runAsync(() -> age(url)))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }

        private void age(URI url) {
            try {
                LoadClient.Sent sent = new LoadClient(url, lab.hello(), USERS, new RowCounters()).burst(LONG);
                say(text("%s: %d requests", url, sent.answers()));
            } catch (IOException e) {
                throw new LoadException(url + " stopped answering: " + e.getMessage());
            }
        }

        private static URI url(Path folder, String arm) {
            try {
                return ProofLab.running(folder, arm)
                        .map(json -> URI.create(json.get("url").asText()))
                        .orElseThrow(() -> new LoadException("the server of " + arm + " was not found in " + folder));
            } catch (IOException e) {
                throw new LoadException("the server of " + arm + " was not found: " + e.getMessage());
            }
        }
    }
}
