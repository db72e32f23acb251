package org.servletbench.bench.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.OwnCommand;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Additions to picocli's {@code --help}: groups of options, and examples. */
final class HelpText {

    private static final String EXAMPLES = "examples";
    private static final int WIDTH = 110;

    /** Examples by command; an empty name is the main command. */
    static final Map<String, List<String>> EXAMPLE_LINES = """
                                | doctor
                                | compare --arms tomcat-nio,jetty --dry-run
                                | measure run/simulation.log
            compare             | compare --dry-run
            compare             | compare --arms tomcat-nio,jetty --users 100,500 --blocks 8
            compare             | compare --app shop.jar --url /api/owners
            compare             | compare --app before.jar --app after.jar --url /api/owners --junit verdicts.xml
            compare             | compare startup --dry-run
            compare             | compare published/wrk-hello:equalised --dry-run
            compare             | compare comparisons/fixed-rates.yaml --limit 30m
            compare             | compare --arms jetty,jetty:heap=256m --set stop.seed=42
            compare             | compare --resume bench/target/campaigns/campaign-20261122-101500 --limit 30m
            doctor              | doctor
            doctor              | doctor --root ../servlet-bench
            doctor              | doctor && mvn -Pcompare verify
            exchange            | exchange shop.jar --container jetty --out shop-jetty.jar
            exchange            | exchange shop.jar --container jetty --container-version 12.0.5 --out shop-jetty.jar
            exchange            | exchange shop.jar --container undertow --out shop-undertow.jar
            diff                | diff before.jar after.jar
            diff                | diff before.jar after.jar --format markdown
            diff                | diff before.jar after.jar --format json
            bisect              | bisect before.jar after.jar --url /api/owners
            bisect              | bisect before.jar after.jar --url /api/owners --dry-run
            bisect              | bisect before.jar after.jar --url /api/owners --limit 60m --out bisect
            measure             | measure run/simulation.log
            measure             | measure run/results.csv --plot page.html
            measure             | measure before.log after.log
            measure             | measure run/results.csv --slo 'p95<200ms,errors<1%'
            report              | report bench/target/campaigns/campaign-20261122-101500
            report              | report before after
            report              | report campaign --junit verdicts.xml --fail-on slower
            publish             | publish campaign --out docs/results
            publish             | publish containers threads migration --out docs/results
            publish             | publish bench/target/campaigns/campaign-20261122-101500 --out pages
            jmeter              | mvn -Pjetty,jmeter verify
            jmeter              | mvn -Pjetty,serve verify -Dtarget.port=8081
            jmeter              | mvn -Pjmeter-gui verify -Dusers=50,100
            generate-completion | generate-completion > servlet-bench-completion.sh
            generate-completion | alias servlet-bench='java -jar bench/target/bench.jar'
            generate-completion | source servlet-bench-completion.sh
            """.lines().map(line -> line.split(" *\\| ", 2)).collect(
            Collectors.groupingBy(
                    line -> line[0], Collectors.mapping(line -> line[1], Collectors.toUnmodifiableList())));

    private HelpText() {}

    /** Adds them to the help of a command and of all its subcommands. */
    static void install(CommandLine bench) {
        install("", bench);
        bench.getSubcommands().forEach(HelpText::install);
    }

    private static void install(String name, CommandLine command) {
        command.setUsageHelpWidth(WIDTH);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> groups(name, help));
        command.getHelpSectionMap().put(EXAMPLES, help -> examples(name));
        List<String> sections = new ArrayList<>(command.getHelpSectionKeys());
        // Subcommands inherit a command's sections.
        if (!sections.contains(EXAMPLES)) {
            sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), EXAMPLES);
            command.setHelpSectionKeys(sections);
        }
    }

    private static String examples(String name) {
        StringBuilder text = new StringBuilder(String.format("%nExamples:%n"));
        EXAMPLE_LINES.getOrDefault(name, List.of()).forEach(line -> {
            boolean ours = Stream.of("alias", "source", "mvn").noneMatch(line::startsWith);
            text.append(String.format("  %s%s%n", ours ? OwnCommand.NAME + " " : "", line));
        });
        return text.toString();
    }

    private static String groups(String name, Help help) {
        Map<String, String> titles = new LinkedHashMap<>();
        if (name.equals("compare")) {
            CampaignOptions.ALL.forEach(one -> titles.put(one.name(), one.group()));
        }
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        titles.values().forEach(title -> groups.put(title, new ArrayList<>()));
        for (OptionSpec option : help.commandSpec().options()) {
            String title = titles.getOrDefault(option.longestName(), titles.isEmpty() ? "Options" : "General");
            groups.computeIfAbsent(title, key -> new ArrayList<>()).add(option);
        }
        StringBuilder text = new StringBuilder();
        groups.forEach((title, options) -> {
            Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
            layout.addOptions(options, help.createDefaultParamLabelRenderer());
            text.append(String.format("%n%s:%n", title)).append(layout);
        });
        return text.toString();
    }
}
