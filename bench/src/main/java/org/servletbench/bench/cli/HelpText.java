package org.servletbench.bench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What {@code --help} adds to picocli's own text: groups of options, defaults as the profiles have them, and examples. */
final class HelpText {

    private static final String EXAMPLES = "examples";
    private static final int WIDTH = 110;

    /** Groups of {@code compare}'s options, by their names; those that stand in none come last. */
    private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put(
                "What is compared",
                List.of(
                        "--plan",
                        "--startup",
                        "--arms",
                        "--baseline",
                        "--jar",
                        "--workload-file",
                        "--settings",
                        "--jvm-options",
                        "--jdk",
                        "--warm-start"));
        GROUPS.put(
                "The load",
                List.of("--generators", "--tiers", "--rates", "--workloads", "--hold", "--turn", "--rounds"));
        GROUPS.put(
                "Blocks and warm-up",
                List.of("--blocks", "--seed", "--limit", "--warmup", "--generator-warmup", "--together"));
        GROUPS.put("Verdicts", List.of("--primary", "--margin", "--alpha", "--precision", "--looks"));
        GROUPS.put("Files, and going on", List.of("--out", "--resume", "--keep-raw", "--dry-run", "--root"));
    }

    /** Examples by command; the empty name is the command without one. */
    static final Map<String, List<String>> EXAMPLE_LINES = Map.of(
            "",
            List.of("doctor", "compare --arms tomcat-nio,jetty --dry-run", "measure run/simulation.log"),
            "compare",
            List.of(
                    "compare --dry-run",
                    "compare --arms tomcat-nio,jetty --tiers 100,500 --blocks 8",
                    "compare --startup --arms tomcat-nio,jetty,undertow",
                    "compare --resume bench/target/campaigns/campaign-20261122-101500 --limit 30m"),
            "prove",
            List.of("prove", "prove delay errors", "prove blind --campaigns 10"),
            "doctor",
            List.of("doctor", "doctor --root ../servlet-bench", "doctor && mvn -Pcompare verify"),
            "measure",
            List.of(
                    "measure run/simulation.log",
                    "measure run/results.csv --plot page.html",
                    "measure before.log after.log --csv > figures.csv"),
            "report",
            List.of(
                    "report bench/target/campaigns/campaign-20261122-101500",
                    "report before after",
                    "report campaign --junit verdicts.xml --fail-if-slower"),
            "reproduce",
            List.of("reproduce --dry-run", "reproduce wrk-hello --blocks 5", "reproduce --scale 0.5"),
            "jmeter",
            List.of(
                    "mvn -Pjetty,jmeter verify",
                    "mvn -Pjetty,serve verify -Dtarget.port=8081",
                    "mvn -Pjmeter-gui verify -Dtiers=50,100"),
            "generate-completion",
            List.of(
                    "generate-completion > bench-completion.sh",
                    "alias bench='java -jar bench/target/bench.jar'",
                    "source bench-completion.sh"));

    private HelpText() {}

    /** Changes the help of a command line with all its commands. */
    static void install(CommandLine bench) {
        install("", bench);
        bench.getSubcommands().forEach(HelpText::install);
    }

    private static void install(String name, CommandLine command) {
        command.setUsageHelpWidth(WIDTH);
        if (name.equals("compare")) {
            command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpText::groups);
        }
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

    private static String groups(Help help) {
        Optional<ProfilesFolder> profiles = profiles(help.commandSpec().findOption("--root"));
        Map<String, String> defaults =
                profiles.map(ProfilesFolder::campaignDefaults).orElse(Map.of());
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        GROUPS.keySet().forEach(title -> groups.put(title, new ArrayList<>()));
        for (OptionSpec option : help.commandSpec().options()) {
            if (!option.hidden()) {
                groups.computeIfAbsent(group(option.longestName()), title -> new ArrayList<>())
                        .add(with(option, additions(option.longestName(), profiles, defaults)));
            }
        }
        StringBuilder text = new StringBuilder();
        groups.forEach((title, options) -> {
            if (!options.isEmpty()) {
                Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
                layout.addOptions(options, help.createDefaultParamLabelRenderer());
                text.append(String.format("%n%s:%n", title)).append(layout);
            }
        });
        return text.toString();
    }

    private static String group(String option) {
        return GROUPS.entrySet().stream()
                .filter(group -> group.getValue().contains(option))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("General");
    }

    private static List<String> additions(
            String option, Optional<ProfilesFolder> profiles, Map<String, String> defaults) {
        Stream<String> choices = option.equals("--arms")
                ? profiles.stream().map(folder -> "Profiles: " + containers(folder))
                : Stream.empty();
        return Stream.concat(
                        choices, defaultOf(option.substring(2), defaults).map(value -> "Default: " + value).stream())
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
        // Descriptions are given back formatted, and will be formatted again.
        String text = Stream.concat(Stream.of(String.join("%n", option.description())), additions.stream())
                .collect(Collectors.joining(". "))
                .replace("%", "%%");
        return OptionSpec.builder(option).description(text.replace("%%n", "%n")).build();
    }

    /** What holds when the option is not given: for each plan, where plans differ. */
    private static Optional<String> defaultOf(String option, Map<String, String> defaults) {
        String key = defaults.containsKey(option) ? option : option.replace('-', '.');
        String general = defaults.get(key);
        String quick = defaults.getOrDefault("quick." + key, general);
        String full = defaults.getOrDefault("full." + key, general);
        if (quick == null && full == null) {
            return Optional.empty();
        }
        if (quick != null && quick.equals(full)) {
            return Optional.of(quick);
        }
        return Optional.of(Stream.of("quick " + quick, "full " + full)
                .filter(text -> !text.endsWith(" null"))
                .reduce((a, b) -> a + "; " + b)
                .orElseThrow());
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
