package org.servletbench.bench.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of compare over its comparison's file, each declared once; all other keys of a file are set with --set. */
final class CampaignOptions implements IModelTransformer {

    private static final String SET = "set";

    static final List<Planned> ALL = Planned.table("""
            Your own service, without a file
              app | JAR | an executable Spring Boot jar: the containers that it can run on are compared
              url | PATH | the request, such as /api/owners
            Over the file
              arms | LIST | arms of the file or containers, with what they have of their own: \
                  tomcat-nio,jetty:version=12.0.5,threads=virtual
              workloads | LIST | kinds of requests: hello, static, payload, metrics, delay, query, or the file's own
              tiers | LIST | numbers of concurrent users (closed model)
              rates | LIST | requests/s (open model)
              generators | LIST | gatling, jmeter, wrk, ab, siege
              hold | TIME | measured time of each server, for each load and round
              jdk | HOME | the JDK of all servers, 17 or newer. Default: the one that runs this command
              blocks | N | number of blocks; with stop.precision the maximum
              limit | TIME | no block begins that would end later, but two are always measured; 0s: no limit
              target.host | HOST | run the servers on this machine, such as me@app1
              load.hosts | LIST | run the load on these machines
              set | PATH=VALUE | any key of the file, such as arms.jetty.heap=256m; repeat it
            """);

    @Override
    public CommandSpec transform(CommandSpec command) {
        ALL.forEach(one -> {
            OptionSpec.Builder option = one.builder();
            if (one.key().equals(SET)) {
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
     * What was given, by name: {@link Planned#given}.
     *
     * @throws org.servletbench.bench.model.UsageException if a value is empty
     */
    static Map<String, String> given(CommandSpec command) {
        return Planned.given(command, ALL);
    }
}
