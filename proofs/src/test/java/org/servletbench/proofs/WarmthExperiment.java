package org.servletbench.proofs;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;

/**
 * Servers of one jar whose compilers are stopped at several stages of the warm-up, in time slices next to servers that
 * keep compiling. Their share of slower code and their loss of throughput calibrate the bound that pages show.
 *
 * <p>A stopped server also loses code: a compiled method whose assumption fails is interpreted for good. That is why
 * the share after the counted load is used, not the one when compilation stopped.
 */
final class WarmthExperiment {

    /**
     * CPU times of a server at which its compilers are stopped, ms. A server has used about 6 s when it is ready, and
     * 20 s when it is warm.
     */
    private static final List<Integer> STAGES = List.of(12_000, 17_000, 22_000, 27_000);

    private static final List<String> PROFILES = List.of("tomcat-nio", "jetty", "undertow");

    /** Servers that cannot be warm. */
    static final String FIRST = stage(STAGES.get(0));

    static final String WARM = "warm";
    static final String COPY = "warm-control";
    /** Servers that were reported warm, and whose compilers are stopped as the counted load starts. */
    static final List<String> AT_LOAD = List.of("stopped-at-load", "stopped-at-load-too");

    static final String C1 = "c1";

    private final ProofLab lab;
    private final Map<String, String> given;

    WarmthExperiment(ProofLab lab, Map<String, String> given) {
        this.lab = lab;
        this.given = new HashMap<>(given);
        // Servers that are stopped early never become warm, and would always use up the whole limit.
        this.given.putIfAbsent("warmup", "25s");
    }

    static String stage(int millis) {
        return "stopped-at-" + millis;
    }

    List<Finding> run() {
        List<WarmthTally.Server> all = new ArrayList<>();
        for (String profile : PROFILES) {
            lab.say(WarmthTally.NAME + ": " + profile);
            try {
                all.addAll(servers(profile, campaign(profile)));
            } catch (IOException e) {
                throw new TargetException("cannot write in " + lab.folder() + " (" + e.getMessage() + ")");
            } catch (TargetException | LoadException e) {
                return List.of(Experiments.failed(WarmthTally.NAME, profile, e));
            }
        }
        return WarmthTally.findings(all);
    }

    private CampaignFolder campaign(String profile) throws IOException {
        String name = WarmthTally.NAME + "-" + profile;
        Path agent = CompilerStop.jar(lab.folder());
        Map<String, String> options = new HashMap<>();
        List<Arm> arms = new ArrayList<>();
        arms.add(lab.arm(profile, WARM, Arm.Role.BASELINE));
        for (int millis : STAGES) {
            arms.add(lab.arm(profile, stage(millis), Arm.Role.ARM));
            options.put(stage(millis), CompilerStop.options(agent, Integer.toString(millis)));
        }
        AT_LOAD.forEach(id -> arms.add(lab.arm(profile, id, Arm.Role.ARM)));
        arms.add(lab.arm(profile, C1, Arm.Role.ARM));
        arms.add(lab.arm(profile, COPY, Arm.Role.CONTROL));
        String usual = CompilerStop.options(agent, CompilerStop.NEVER);
        List.of(WARM, COPY).forEach(id -> options.put(id, usual));
        AT_LOAD.forEach(id -> options.put(id, usual));
        options.put(C1, usual + " -XX:TieredStopAtLevel=1");
        return lab.quick(name, arms, options, given, new Stopper(lab, name, agent));
    }

    private static List<WarmthTally.Server> servers(String profile, CampaignFolder read) {
        List<WarmthTally.Server> servers = new ArrayList<>();
        for (int block = 1; block <= read.completeBlocks(); block++) {
            Map<String, ServerRun> own = new HashMap<>();
            for (ServerRun one : read.serverRuns()) {
                if (one.block() == block && one.measured()) {
                    own.put(one.arm(), one);
                }
            }
            if (!own.containsKey(WARM) || !own.containsKey(COPY)) {
                continue;
            }
            double base = (throughput(own.get(WARM)) + throughput(own.get(COPY))) / 2;
            own.forEach((arm, one) -> servers.add(new WarmthTally.Server(
                    profile,
                    arm,
                    throughput(one) - base,
                    one.warmUp().settled(),
                    one.warmUp().code().top(),
                    one.latestCode(one.loads().get(0).load()).orElseThrow())));
        }
        return servers;
    }

    /** Returns ln(throughput). */
    private static double throughput(ServerRun one) {
        return Math.log(one.loads().get(0).figure(Metric.THROUGHPUT).orElseThrow());
    }

    /** Stops the compilers of the last stage just before the first counted time slice. */
    private static final class Stopper extends ProofLab.Quiet {
        private final Path folder;
        private final Path agent;

        Stopper(ProofLab lab, String name, Path agent) {
            lab.super();
            this.folder = lab.folder().resolve(name);
            this.agent = agent;
        }

        @Override
        public void loadBegins(int block, String arm) {
            if (!AT_LOAD.contains(arm)) {
                return;
            }
            try {
                Optional<ProcessHandle> server =
                        ProofLab.server(folder.resolve("blocks").resolve(Integer.toString(block)), arm);
                VirtualMachine jvm =
                        VirtualMachine.attach(Long.toString(server.orElseThrow().pid()));
                jvm.loadAgent(agent.toString());
                jvm.detach();
            } catch (IOException | AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
                throw new LoadException("the compilers of " + arm + " could not be stopped: " + e.getMessage());
            }
        }
    }
}
