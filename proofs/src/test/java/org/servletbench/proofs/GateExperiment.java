package org.servletbench.proofs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.WarmUp.Burst;

/**
 * Fresh servers whose warm-up is stopped at a share of code below the JIT compiler's best, or when {@link WarmCode} calls them warm. That
 * share is compared with how much faster they are after a long load, in short bursts in random order relative to a warm reference server.
 */
final class GateExperiment {

    /** Shares at which a warm-up stops; 0: when the server is called warm. */
    private static final List<Double> STOPS = List.of(0.6, 0.3, 0.15, 0.06, 0.0);
    /** Least number of samples for a share. */
    private static final long FEW = 100;

    private static final List<String> PROFILES = List.of("tomcat-nio", "jetty", "undertow");
    private static final int REFERENCE_BURSTS = 30;
    /** Number of bursts after the stop, for each server. */
    private static final int PLATEAU_BURSTS = 14;

    /** Number of short bursts at the stop: more would warm up what they measure. */
    private static final int STOP_PROBES = 32;

    private static final int PLATEAU_PROBES = 64;
    private static final Duration PROBE = Duration.ofMillis(250);

    private final ProofLab lab;
    private final WarmUpPlan plan;
    private final List<Workload> hello;
    private final Random random = new Random(13);

    GateExperiment(ProofLab lab) {
        this.lab = lab;
        Options options = lab.quickOptions();
        this.plan = WarmUpPlan.of(options, options.duration("warmup"));
        this.hello = lab.hello();
    }

    private static final class Loaded {
        final Target target;
        final double stop;
        final WarmCode code;
        /** Samples since the share was last computed. */
        CodeTiers part = CodeTiers.NONE;

        boolean warm;

        Loaded(Target target, double stop) {
            this.target = target;
            this.stop = stop;
            this.code = new WarmCode(target.topTier());
        }

        /** True if its warm-up must end. */
        boolean isThere() throws IOException {
            CodeTiers more = target.code();
            warm = code.add(more);
            part = part.plus(more);
            if (part.samples() < FEW) {
                return false;
            }
            boolean there = stop > 0 && part.shareBelow(target.topTier()) <= stop;
            part = CodeTiers.NONE;
            return there || warm;
        }
    }

    /** Runs one batch after the other, each with a server for each number of bursts; those measured by an earlier run are read. */
    List<Finding> run(int servers) {
        List<GateTally.Server> all = new ArrayList<>();
        Target reference = null;
        try {
            Path folder = Files.createDirectories(lab.folder().resolve(GateTally.NAME));
            for (int batch = 1; batch <= servers; batch++) {
                Path file = folder.resolve("batch-" + batch + ".json");
                if (!Files.isRegularFile(file)) {
                    if (reference == null) {
                        reference = lab.preTouched(PROFILES.get(0), ProofLab.free(folder, "reference"));
                        warmLong(reference);
                    }
                    lab.say("gate: batch " + batch + " of " + servers);
                    Json.write(file, batch(batch, folder, reference));
                }
                all.addAll(List.of(Json.read(file, GateTally.Server[].class)));
            }
        } catch (IOException e) {
            throw new TargetException("gate: cannot read or write in " + lab.folder() + " (" + e.getMessage() + ")");
        } finally {
            if (reference != null) {
                reference.close();
            }
        }
        return GateTally.findings(all);
    }

    private Burst burst(Target target, Duration length) {
        return WarmUp.burst("a server", target, hello, plan.users(), length);
    }

    private void warmLong(Target target) {
        for (int i = 0; i < REFERENCE_BURSTS; i++) {
            burst(target, plan.burst());
            pause();
        }
    }

    private List<GateTally.Server> batch(int number, Path folder, Target reference) throws IOException {
        String profile = PROFILES.get((number - 1) % PROFILES.size());
        List<Loaded> guests = new ArrayList<>();
        try {
            for (double stop : STOPS) {
                guests.add(new Loaded(
                        lab.preTouched(profile, ProofLab.free(folder, profile + "-" + Math.round(100 * stop))), stop));
                // It samples the plateau as well, so that the cost of sampling is on both sides.
                guests.get(guests.size() - 1).target.startCode();
            }
            warmUp(guests);
            double[][] atStop = probe(guests, reference, STOP_PROBES);
            List<CodeTiers> code = new ArrayList<>();
            for (Loaded guest : guests) {
                code.add(guest.target.code());
            }
            for (int i = 0; i < PLATEAU_BURSTS; i++) {
                guests.forEach(guest -> burst(guest.target, plan.burst()));
            }
            double[][] atPlateau = probe(guests, reference, PLATEAU_PROBES);
            List<GateTally.Server> measured = new ArrayList<>();
            for (int i = 0; i < guests.size(); i++) {
                measured.add(
                        server(guests.get(i).stop, profile, guests.get(i).warm, code.get(i), atStop[i], atPlateau[i]));
            }
            return measured;
        } finally {
            guests.forEach(guest -> guest.target.close());
        }
    }

    /** Warms up in turn, as campaigns do; a server that has reached its share leaves the round, and the last one has pauses. */
    private void warmUp(List<Loaded> guests) throws IOException {
        List<Loaded> left = new ArrayList<>(guests);
        while (!left.isEmpty()) {
            List<Loaded> there = new ArrayList<>();
            for (Loaded guest : left) {
                burst(guest.target, plan.burst());
                if (guest.isThere()) {
                    there.add(guest);
                }
            }
            if (left.size() == 1) {
                WarmUp.awaitQuiet(left.get(0).target, plan.pause());
            }
            left.removeAll(there);
        }
    }

    /** Measures ln(throughput / the reference's) of each server in each round of short bursts. */
    private double[][] probe(List<Loaded> guests, Target reference, int rounds) {
        double[][] logs = new double[guests.size()][rounds];
        List<Integer> order =
                new ArrayList<>(IntStream.rangeClosed(0, guests.size()).boxed().toList());
        for (int round = 0; round < rounds; round++) {
            Collections.shuffle(order, random);
            double[] rates = new double[order.size()];
            for (int i : order) {
                Target target = i == guests.size() ? reference : guests.get(i).target;
                rates[i] = burst(target, PROBE).requestsPerSecond();
            }
            for (int i = 0; i < guests.size(); i++) {
                logs[i][round] = Math.log(rates[i] / rates[guests.size()]);
            }
        }
        return logs;
    }

    /** Combines both probes: the difference of their means, and its standard error from round to round. */
    static GateTally.Server server(
            double stop, String profile, boolean settled, CodeTiers code, double[] atStop, double[] atPlateau) {
        return new GateTally.Server(
                stop,
                profile,
                settled,
                code,
                Mean.of(atPlateau).getAsDouble() - Mean.of(atStop).getAsDouble(),
                Math.hypot(error(atStop), error(atPlateau)));
    }

    private static double error(double[] values) {
        return StandardDeviation.of(values).getAsDouble() / Math.sqrt(values.length);
    }

    private void pause() {
        try {
            Thread.sleep(plan.pause().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted while servers were warmed up");
        }
    }
}
