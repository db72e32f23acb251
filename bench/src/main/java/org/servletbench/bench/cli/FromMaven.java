package org.servletbench.bench.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.model.ProfilesFolder;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Entry point of {@code mvn -Pcompare verify} and similar builds, inside Maven's JVM. Maven's properties are the
 * defaults of options.
 */
public final class FromMaven {

    /**
     * Options of {@code gatling:test} and {@code -Pjmeter} that campaigns do not have. They are rejected, because users
     * would expect an effect.
     */
    static final List<String> OF_ONE_RUN = List.of("model", "rate", "loops", "target.url");

    /**
     * Former options of compare that are now keys of a comparison file. They are rejected, because users would expect
     * an effect.
     */
    static final List<String> REPLACED = List.of(
            ("plan startup migration memory baseline warm-start build jar workload-file threads slo primary seed delay db.url jvm.options"
                            + " target.address host.jdk ssh.config target.allow-remote pre-touch")
                    .split(" "));

    /** Options from Maven's properties. */
    static final IDefaultValueProvider OPTIONS = FromMaven::value;

    /** A value of an option in a message: a placeholder, a number, a path, or a key with its value. */
    private static final String VALUE = "(?:[ =]([A-Z0-9/][^ ,;)]*|[a-z][a-z0-9-]*[=.][^ ,;)]*))?";

    private FromMaven() {}

    /** Returns a writer that prints options as they are typed after {@code mvn}. */
    private static PrintWriter printer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                super.println(asTyped(line));
            }
        };
    }

    /**
     * Returns a line with options as they are typed after {@code mvn}: {@code -Dset=server.heap=512m} for
     * {@code --set server.heap=512m}.
     */
    static String asTyped(String line) {
        String typed = line;
        for (CampaignOptions.Planned option : CampaignOptions.ALL) {
            typed = Pattern.compile("(?<![\\w-])" + option.name() + "(?![\\w-])"
                            + (option.label().isEmpty() ? "()" : VALUE))
                    .matcher(typed)
                    .replaceAll(found -> Matcher.quoteReplacement("-D"
                            + option.name().substring(2)
                            + (found.group(1) == null || found.group(1).isEmpty() ? "" : "=" + found.group(1))));
        }
        return typed;
    }

    /** Ends Maven as well if the command fails. An exception would make Maven print ten lines about itself. */
    public static void main(String[] args) {
        int code = run(args);
        if (code != 0) {
            System.exit(code);
        }
    }

    /** @return the exit code; failures have been reported in one line */
    static int run(String... args) {
        PrintWriter out = printer(System.out);
        PrintWriter err = printer(System.err);
        Optional<String> ignored = args[0].equals("jmeter") ? Optional.empty() : ofOneRun();
        if (args[0].equals("compare")) {
            ignored = ignored.or(FromMaven::ignored);
        }
        if (ignored.isPresent()) {
            err.println(String.join(" ", args) + ": " + ignored.get());
            return Exit.USAGE.code();
        }
        List<String> words = new ArrayList<>(List.of(args));
        property("comparison").filter(any -> args[0].equals("compare")).ifPresent(words::add);
        int code = Main.run(out, err, OPTIONS, words.toArray(String[]::new));
        // A build only passes or fails. The other outcomes of a campaign have been printed.
        return code > Exit.USAGE.code() ? Exit.FAILED.code() : code;
    }

    private static Optional<String> ofOneRun() {
        return OF_ONE_RUN.stream()
                .filter(name -> property(name).isPresent())
                .findFirst()
                .map(name -> "-D" + name + " is an option of single runs: a campaign takes -Dusers=… (users),"
                        + " -Drates=… (requests/s) and -Dtarget-host=…");
    }

    /**
     * Returns an error for an option, or a key of the profiles, that this command does not have. Users would expect an
     * effect.
     */
    private static Optional<String> ignored() {
        Path root = Repository.root(property("root").map(Path::of).orElse(null));
        ProfilesFolder folder = new ProfilesFolder(root.resolve("profiles"));
        Set<String> keys = new TreeSet<>(folder.campaignDefaults().keySet());
        keys.addAll(REPLACED);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.matches("boot[234][.]([a-z]+[.])?version"))
                .forEach(keys::add);
        keys.addAll(folder.loadDefaults().keySet());
        CampaignOptions.ALL.forEach(option -> keys.remove(option.key()));
        return keys.stream()
                .flatMap(key -> Stream.of(key, key.replace('.', '-')))
                .filter(name -> property(name).isPresent())
                .findFirst()
                .map(name -> "-D" + name
                        + " is not an option of compare: give it as a key of the file, such as -Dset=measure.slice=0s");
    }

    private static Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name));
    }

    /**
     * Returns the property with the option's name, with dots or with dashes. Maven has its own switches for version and
     * help.
     */
    static String value(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
            return null;
        }
        String name = option.longestName().substring(2);
        boolean flag = option.arity().max() == 0;
        return property(name)
                .or(() -> property(name.replace('-', '.')))
                .filter(value -> !flag || !value.equals("false"))
                .map(value -> flag ? "true" : value)
                .orElse(null);
    }
}
