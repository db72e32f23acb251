package org.servletbench.bench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Plan;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What {@code --help} adds to picocli's own text: groups of options, defaults as the profiles have them, and examples. */
final class HelpText {

    private static final String EXAMPLES = "examples";
    private static final int WIDTH = 110;

    /** Command, title of a group, and its options, after those of {@link Planned}; options of no group come last. */
    private static final String GROUPS = """
            compare   | Files and resuming | out resume dry-run root
            capacity  | Files and resuming | out resume dry-run root
            reproduce | Files and resuming | out resume dry-run root
            """;

    /** Examples by command; no name is the command without one. */
    static final Map<String, List<String>> EXAMPLE_LINES = """
                                | doctor
                                | compare --arms tomcat-nio,jetty --dry-run
                                | measure run/simulation.log
            compare             | compare --dry-run
            compare             | compare --arms tomcat-nio,jetty --tiers 100,500 --blocks 8
            compare             | compare --startup --arms tomcat-nio,jetty,undertow
            compare             | compare --migration --arms undertow+boot3,tomcat-nio+boot4,jetty+boot4
            compare             | compare --rates 500,2000
            compare             | compare --memory 512m,256m --rates 500
            compare             | compare --resume bench/target/campaigns/campaign-20261122-101500 --limit 30m
            capacity            | capacity --dry-run
            capacity            | capacity --slo 'p99<50ms,errors<0.1%' --arms tomcat-nio,jetty
            capacity            | capacity --slo 'p95<20ms,errors<1%' --hold 20s --blocks 8
            doctor              | doctor
            doctor              | doctor --root ../servlet-bench
            doctor              | doctor && mvn -Pcompare verify
            exchange            | exchange shop.jar --container jetty --out shop-jetty.jar
            exchange            | exchange shop.jar --container jetty --container-version 12.0.5 --out shop-jetty.jar
            exchange            | exchange shop.jar --container undertow --out shop-undertow.jar
            measure             | measure run/simulation.log
            measure             | measure run/results.csv --plot page.html
            measure             | measure before.log after.log --csv > figures.csv
            report              | report bench/target/campaigns/campaign-20261122-101500
            report              | report before after
            report              | report campaign --junit verdicts.xml --fail-if-slower
            reproduce           | reproduce --dry-run
            reproduce           | reproduce wrk-hello --blocks 5
            reproduce           | reproduce --scale 0.5
            jmeter              | mvn -Pjetty,jmeter verify
            jmeter              | mvn -Pjetty,serve verify -Dtarget.port=8081
            jmeter              | mvn -Pjmeter-gui verify -Dtiers=50,100
            generate-completion | generate-completion > bench-completion.sh
            generate-completion | alias bench='java -jar bench/target/bench.jar'
            generate-completion | source bench-completion.sh
            """.lines().map(line -> line.split(" *\\| ", 2)).collect(
            Collectors.groupingBy(
                    line -> line[0], Collectors.mapping(line -> line[1], Collectors.toUnmodifiableList())));

    private HelpText() {}

    /** Changes the help of a command line with all its commands. */
    static void install(CommandLine bench) {
        install("", bench);
        bench.getSubcommands().forEach(HelpText::install);
    }

    private static void install(String name, CommandLine command) {
        command.setUsageHelpWidth(WIDTH);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> groups(name, help));
        command.getHelpSectionMap().put(EXAMPLES, help -> examples(name));
        List<String> sections = new ArrayList<>(command.getHelpSectionKeys());
        // A command hands its sections down to its subcommands.
        if (!sections.contains(EXAMPLES)) {
            sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), EXAMPLES);
            command.setHelpSectionKeys(sections);
        }
    }

    private static String examples(String name) {
        StringBuilder text = new StringBuilder(String.format("%nExamples:%n"));
        EXAMPLE_LINES.getOrDefault(name, List.of()).forEach(line -> {
            boolean ours = Stream.of("alias", "source", "mvn").noneMatch(line::startsWith);
            text.append(String.format("  %s%s%n", ours ? "java -jar bench/target/bench.jar " : "", line));
        });
        return text.toString();
    }

    private static String groups(String name, Help help) {
        boolean compare = name.equals("compare") || name.equals(Plan.CAPACITY);
        Optional<ProfilesFolder> profiles =
                compare ? profiles(help.commandSpec().findOption("--root")) : Optional.empty();
        Map<String, String> titles = new LinkedHashMap<>();
        List<Planned> planned =
                compare ? CampaignOptions.ALL : name.equals("reproduce") ? ReproduceCommand.PLANNED : List.of();
        planned.forEach(one -> titles.put(one.name(), one.group()));
        GROUPS.lines()
                .map(line -> line.split(" *\\| *"))
                .filter(group -> group[0].equals(name))
                .forEach(group -> {
                    for (String option : group[2].split(" ")) {
                        titles.put("--" + option, group[1]);
                    }
                });
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        titles.values().forEach(title -> groups.put(title, new ArrayList<>()));
        for (OptionSpec option : help.commandSpec().options()) {
            String title = titles.getOrDefault(option.longestName(), titles.isEmpty() ? "Options" : "General");
            groups.computeIfAbsent(title, key -> new ArrayList<>())
                    .add(with(
                            option,
                            profiles.map(folder -> additions(name, option, folder))
                                    .orElse(List.of())));
        }
        StringBuilder text = new StringBuilder();
        groups.forEach((title, options) -> {
            Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
            layout.addOptions(options, help.createDefaultParamLabelRenderer());
            text.append(String.format("%n%s:%n", title)).append(layout);
        });
        return text.toString();
    }

    private static List<String> additions(String name, OptionSpec option, ProfilesFolder profiles) {
        Stream<String> choices =
                option.longestName().equals("--arms") ? Stream.of("Profiles: " + containers(profiles)) : Stream.empty();
        Optional<String> standard = CampaignOptions.key(option)
                .flatMap(key -> name.equals(Plan.CAPACITY) ? of(name, key, profiles) : defaultOf(key, profiles));
        return Stream.concat(choices, standard.map(value -> "Default: " + value).stream())
                .toList();
    }

    /** Each with its lines, where it is not on all. */
    private static String containers(ProfilesFolder folder) {
        return folder.containers().stream()
                .map(folder::container)
                .map(profile -> profile.name()
                        + (profile.without().isEmpty() ? "" : " (" + String.join(", ", profile.lines()) + ")"))
                .collect(Collectors.joining(", "));
    }

    private static OptionSpec with(OptionSpec option, List<String> additions) {
        if (additions.isEmpty()) {
            return option;
        }
        // Descriptions are given back formatted, and will be formatted again.
        String text = Stream.concat(Stream.of(String.join("%n", option.description())), additions.stream())
                .collect(Collectors.joining(". "))
                .replace("%", "%%");
        return OptionSpec.builder(option).description(text.replace("%%n", "%n")).build();
    }

    /** What holds when the option is not given: for each plan, where plans differ. */
    private static Optional<String> defaultOf(String key, ProfilesFolder profiles) {
        if (key.equals("plan")) {
            return Optional.of(profiles.campaignDefaults().get(key));
        }
        Map<String, String> ofPlans = new LinkedHashMap<>();
        for (String plan : List.of("quick", "auto", "full")) {
            of(plan, key, profiles)
                    .ifPresent(value -> ofPlans.merge(value, plan, (before, more) -> before + " and " + more));
        }
        return ofPlans.containsValue("quick and auto and full")
                ? ofPlans.keySet().stream().findFirst()
                : ofPlans.entrySet().stream()
                        .map(value -> value.getValue() + " " + value.getKey())
                        .reduce((before, more) -> before + "; " + more);
    }

    private static Optional<String> of(String plan, String key, ProfilesFolder profiles) {
        return Planner.options("--", Map.of("plan", plan), profiles).text(key);
    }

    /** Those of the clone that the command belongs to; none where there is no clone: help is given all the same. */
    private static Optional<ProfilesFolder> profiles(OptionSpec root) {
        try {
            Path given = root == null ? null : root.getValue();
            return Optional.of(new ProfilesFolder(Repository.root(given).resolve("profiles")));
        } catch (UsageException e) {
            return Optional.empty();
        }
    }
}
