package org.servletbench.bench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of compare, each declared once; report has those of results, too. All other keys of a comparison file are
 * set with {@code --set}.
 */
final class CampaignOptions implements IModelTransformer {

    /**
     * An option, from a line of the table.
     *
     * @param group title of its group in the help
     * @param key its name in the profiles; on the command line, dots become dashes
     * @param label label of its value, {@value #FOLDER} for a path; empty for a switch
     * @param description in picocli's format: {@code %%} for a percent sign
     */
    record Planned(String group, String key, String label, String description) {
        private static final String FOLDER = "DIR";
        /** Options that may be given several times. */
        private static final List<String> MANY = List.of("set", "app");

        String name() {
            return "--" + key.replace('.', '-');
        }

        private OptionSpec spec() {
            OptionSpec.Builder option = OptionSpec.builder(name())
                    .type(label.isEmpty() ? Boolean.class : label.equals(FOLDER) ? Path.class : String.class)
                    .paramLabel(label)
                    .description(description);
            return (MANY.contains(key) ? option.type(List.class).auxiliaryTypes(String.class) : option).build();
        }
    }

    /** Option that determines which findings make a command fail. */
    static final String FAIL_ON = "fail-on";

    private static final String RESULTS = "Results for programs";

    static final List<Planned> ALL = table("""
            Your own service, without a file
              app | JAR | an executable Spring Boot jar: compares the containers that it can run on. Given twice: is the second \
                  jar slower than the first?
              url | PATH | the request, such as /api/owners
            Changes to the file
              arms | LIST | arms of the file, or containers, each with its own keys: \
                  tomcat-nio,jetty:version=12.0.5,threads=virtual
              workloads | LIST | kinds of requests: hello, static, payload, metrics, delay, query, or the file's own
              users | LIST | numbers of concurrent users (closed model)
              rates | LIST | requests/s (open model)
              generators | LIST | gatling, jmeter, wrk, ab, siege
              hold | TIME | measured time of each server, for each load and round
              jdk | HOME | the JDK of all servers, 17 or newer. Default: the one that runs this command
              cpu-profile |  | also profile each server (uncounted), to show in which layers a request spends its CPU time
              blocks | N | number of blocks; with stop.precision the maximum
              limit | TIME | time limit: no block begins that would end later, but two are always measured; 0s: none
              target.host | HOST | run the servers on this machine, such as me@app1
              load.hosts | LIST | run the load on these machines
              set | PATH=VALUE | any key of the file, such as arms.jetty.heap=256m; repeat it
            %s
            %s
              fail-on | WHAT | what ends with exit code 3: slower (a claim fails; default), undecided (also if a claim stays open), never
            Files and resuming
              out | DIR | folder of the campaign; must not exist. Default: a new one in bench/target/campaigns
              resume | DIR | continue a campaign up to its planned blocks; --limit sets another limit, --blocks N adds blocks
              show.values |  | show the values of headers, bodies, data, properties and environment, which are otherwise hidden
              dry-run |  | print the plan and stop: order, time, the smallest difference it can find
              root | DIR | a clone of servlet-bench. Default: the one that this command belongs to
            """.formatted(
                    RESULTS,
                    Stream.of(ResultFile.values())
                            .map(one -> "  " + one.key() + " | FILE | " + one.description())
                            .collect(Collectors.joining("\n"))));

    /** The options that report has, too. */
    static final class OfResults implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec command) {
            ALL.stream().filter(one -> one.group().equals(RESULTS)).forEach(one -> command.addOption(one.spec()));
            return command;
        }
    }

    private static List<Planned> table(String lines) {
        List<Planned> all = new ArrayList<>();
        String group = "";
        for (String line : lines.split("\n")) {
            String[] parts = line.strip().split(" *\\| ", 3);
            if (parts.length == 1) {
                group = line;
            } else {
                all.add(new Planned(group, parts[0], parts[1].strip(), parts[2].replaceAll(" +", " ")));
            }
        }
        return List.copyOf(all);
    }

    @Override
    public CommandSpec transform(CommandSpec command) {
        ALL.forEach(one -> command.addOption(one.spec()));
        return command;
    }

    /** Returns the given values, by {@link Planned#key}; several values of one option are separated by line breaks. */
    static Map<String, String> given(CommandSpec command) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Planned one : ALL) {
            OptionSpec option = command.findOption(one.name());
            Object value = option == null ? null : option.getValue();
            if (value != null && !value.equals(false)) {
                given.put(
                        one.key(),
                        value instanceof List<?> many
                                ? many.stream().map(Object::toString).collect(Collectors.joining("\n"))
                                : value.toString());
            }
        }
        return given;
    }
}
