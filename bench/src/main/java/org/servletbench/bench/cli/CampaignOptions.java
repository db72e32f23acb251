package org.servletbench.bench.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Plan;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that make the plan of a campaign, each declared once; what is not given comes from the profiles. */
final class CampaignOptions implements IModelTransformer {

    private static final String JAR = "jar";
    /** Switches that choose a plan by its name. */
    private static final List<String> PLANS = List.of(Plan.STARTUP, Plan.MIGRATION);

    private static final String BUILD = "build";

    /** Options that only the command {@code capacity} has, and those that it has not. */
    private static final List<String> OF_CAPACITY = List.of("slo", "from", "resolution", "users");

    private static final List<String> NOT_OF_CAPACITY =
            List.of(("plan startup migration generators tiers rates rounds turn settle primary aot-caches aot-training"
                            + " warm-start")
                    .split(" "));

    static final List<Planned> ALL = Planned.table("""
            What is compared
              plan | NAME | quick: an answer in 20 minutes on two cores; full: all loads, for hours; auto: two \
                  pilot blocks, then as many blocks and as much load as --precision needs; startup; migration
              startup | - | start servers only, one at a time and without load: time to ready, CPU time, memory, \
                  classes, threads
              migration | - | compare arms of several Spring Boot lines with each other: a change of framework and \
                  container together
              arms | LIST | containers, as profile[+line][+threads][@JDK]: \
                  jetty,tomcat-nio+boot2,jetty+virtual@25. Arms of one Spring Boot line are ranked together; nginx \
                  is a reference that is not ranked
              baseline | ARM | the arm that others are compared with. Default: the first arm
              settings | NAME | settings of the servers: equalised, or defaults
              jvm.options | FILE | JVM options of every server
              memory | LIST | each arm with each of these heaps, such as 512m,256m: not touched beforehand and \
                  without -Xmn; arms are ranked within a heap
              jdk | HOME | the JDK that servers run on, 17 or newer. With HOME,HOME the arm jetty stands for \
                  jetty@17 and jetty@25. Default: the one that runs this command
              threads | LIST | platform, virtual (JDK 21 or newer, boot3 and boot4), or both: of arms whose names \
                  do not say it
              build | NAME=V | another version than pom.xml has: boot4.version=4.0.1; repeat it
              warm-start | LIST | none; cds: servers start with an archive of their classes; aot: with an AOT cache \
                  that was trained under load (JDK 25 or newer). With --startup several: each arm in each way
              jar | FILE | your own application in place of --arms; repeat it for each
              workload-file | FILE | your own paths and checks, in the form of profiles/workloads.properties
            The load
              generators | LIST | gatling, jmeter, wrk, ab, siege
              tiers | LIST | numbers of concurrent users (closed model)
              rates | LIST | requests/s (open model); alone, or in addition to --tiers; Gatling only
              workloads | LIST | kinds of requests: hello, static, payload, metrics, delay, query
              delay | TIME | how long a request of the workload delay waits
              db.url | URL | database of the workload query, such as jdbc:postgresql://127.0.0.1/bench?user=me. \
                  Default: H2 within each server
              slo | LIMITS | the objective: limits of percentiles (p50, p90, p95, p99, p99.9) and of errors, such \
                  as p99<50ms,errors<0.1%%
              from | RATE | lowest rate of a search, requests/s; each begins at once to twice this
              resolution | SHARE | a search ends when the lowest rate that missed is above the highest that met by \
                  no more
              users | N | of Gatling: at most so many requests are under way
              rounds | N | how often each load is measured in each JVM
              hold | TIME | measured time of each server, for each load and round
              turn | TIME | Gatling, JMeter: shortest turn of a server; 0s: one whole window after the other
              settle | TIME | load of each server in turns before anything is counted
            Other machines
              target.host | HOST | run the servers on this machine, such as me@app1; ssh must get there without a \
                  question
              target.address | ADDRESS | where servers listen there, as the load reaches it. Default: the host's \
                  in ssh's configuration
              load.hosts | LIST | run the load on these machines: Gatling and JMeter on all of them, wrk, ab and \
                  siege on the first; capacity takes one
              host.jdk | HOME | the JDK of other machines. Default: java on their paths
              ssh.config | FILE | configuration of ssh. Default: ~/.ssh/config
              target.allow-remote | true|false | servers and load on other machines are wanted, which are yours to \
                  load
            Blocks and warm-up
              blocks | N | number of blocks, with --precision the maximum; in each block every arm gets a fresh \
                  JVM
              limit | TIME | no block begins that would end later, but two are always measured; 0s: no limit
              pace | TIME | a block begins no earlier than this after the one before: spreads a campaign over hours
              seed | N | seed of the random order in each block. Default: a random one
              warmup | TIME | maximum warm-up per server
              generator.warmup | TIME | maximum warm-up of Gatling or JMeter itself
              together | BOOL | true: all servers of a group are up at the same time and take turns; false: one \
                  after the other
              aot-caches | N | with --warm-start aot: number of trained caches per arm; each block draws one of \
                  them
              aot-training | TIME | with --warm-start aot: length of each training
            Verdicts
              primary | LIST | metrics that get verdicts
              margin | SHARE | differences up to this count as equal; 0.03 is 3 %%
              alpha | P | probability of any false verdict in the campaign
              precision | SHARE | stop when every interval is this narrow on either side, such as 3%%. With \
                  --blocks or --looks it has no default
              looks | K | how often verdicts may be drawn, 1 to 5: at the planned end, and after each extension \
                  with --resume --blocks. With more than one, look k uses alpha / 2^k. Default: 1, no extension \
                  with verdicts
            Files and resuming
              keep-raw | BOOL | keep the raw logs of generators after they were measured
            """);

    @Override
    public CommandSpec transform(CommandSpec command) {
        List<String> others = command.name().equals(Plan.CAPACITY) ? NOT_OF_CAPACITY : OF_CAPACITY;
        ALL.stream().filter(one -> !others.contains(one.key())).forEach(one -> {
            OptionSpec.Builder option = one.builder();
            if (PLANS.contains(one.key())) {
                option.type(Boolean.class).arity("0").paramLabel("");
            } else if (List.of(JAR, BUILD).contains(one.key())) {
                option.type(List.class).auxiliaryTypes(String.class);
            }
            command.addOption(option.build());
        });
        return command;
    }

    /** The option's name in the profiles; empty for one that is no part of the plan. */
    static Optional<String> key(OptionSpec option) {
        return ALL.stream()
                .filter(one -> one.name().equals(option.longestName()))
                .map(Planned::key)
                .findFirst();
    }

    /**
     * What was given of the plan, by the names of the profiles: {@link Planned#given}.
     *
     * @throws UsageException if a value is empty, or options exclude each other
     */
    static Map<String, String> given(CommandSpec command) {
        Map<String, String> given = Planned.given(command, ALL);
        Optional.ofNullable(given.remove(BUILD)).ifPresent(lines -> given.putAll(builds(lines)));
        for (String plan : PLANS) {
            if (given.remove(plan) != null) {
                String other = given.put("plan", plan);
                if (other != null && !other.equals(plan)) {
                    throw new UsageException("--" + plan + " and the plan " + other + " exclude each other");
                }
            }
        }
        if (given.containsKey(JAR) && given.containsKey("arms")) {
            throw new UsageException("--jar and --arms exclude each other: your own applications, or the containers");
        }
        return given;
    }

    private static Map<String, String> builds(String lines) {
        Map<String, String> builds = new LinkedHashMap<>();
        for (String line : lines.split("\n")) {
            String[] parts = line.split("=", 2);
            if (parts.length < 2 || parts[1].isBlank() || !ArmBuilds.isVersion(parts[0])) {
                throw new UsageException("--build " + line + " is not understood: give a version that pom.xml has, such"
                        + " as boot4.version=4.0.1");
            }
            if (builds.put(parts[0], parts[1]) != null) {
                throw new UsageException("--build gives " + parts[0] + " twice: give it once");
            }
        }
        return builds;
    }
}
