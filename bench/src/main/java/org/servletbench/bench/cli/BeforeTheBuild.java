package org.servletbench.bench.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds errors before Maven builds anything: misspelt options, and machines on which no server can be started.
 * The root's pom.xml runs this file as source, so it uses no other class of servlet-bench.
 */
final class BeforeTheBuild {

    /** Options of single runs and campaigns that are neither keys in {@code profiles/} nor properties in a pom.xml. */
    private static final String OURS = """
            app arms comparison dry-run generators ids jdk limit load.hosts out rates resume root scale set url workload.file
            loops model rate slo threads workloads delay db.url
            target.url target.port target.host target.address target.allow-remote host.jdk ssh.config jvm.options
            jmeter.hosts jmeter.plan jmeter.plan.hosts jmeter.server.host jmeter.server.port jmeter.keystore jmeter.keystore.password
            junit summary bmf github-benchmark fail-on
            gatling.simulationClass
            """;

    /** Former names of options. */
    private static final Map<String, String> FORMER = Map.of("tiers", "users", "explain", "cpu-profile");

    /** Properties of Maven and of plug-ins we use that look like typos of ours. */
    private static final String OF_OTHERS = "name once port rules scope sort";

    /** Files with defaults of options; each key is an option. */
    private static final List<String> DEFAULTS = List.of("profiles/load.properties", "profiles/campaign.properties");

    private static final List<String> POMS =
            List.of("pom.xml", "bench/pom.xml", "proofs/pom.xml", "simulations/pom.xml", "jmeter-plans/pom.xml");

    private static final Pattern KEY = Pattern.compile("(?m)^([a-z][A-Za-z.-]*)=");
    private static final Pattern PROPERTIES = Pattern.compile("(?s)<properties>(.*?)</properties>");
    private static final Pattern PROPERTY = Pattern.compile("(?m)^ *<([A-Za-z0-9.-]+)/?>");

    private static final String OWN_PLAN = "-Djmeter.plan=";
    private static final Pattern PLAN_PROPERTY = Pattern.compile("\\$\\{__(?:P|property)\\(\\s*([^,)\\s]+)\\s*[,)]");

    /** Folders of administrators' programs, often missing from a user's path. */
    private static final List<String> ADMIN_FOLDERS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

    private static final Pattern PROFILE = Pattern.compile("(?m)^ {6}<id>([^<]+)</id>");

    /**
     * Maximum number of edits that count as a typo in a name of more than three letters. Shorter names may have one.
     */
    private static final int MOST_EDITS = 2;

    private static final int SHORT_NAME = 3;

    private BeforeTheBuild() {}

    /**
     * Prints the first error in one line; prints nothing if there is none.
     *
     * @param args the root of the clone, the name of the system, and the purpose of the active Maven profiles, such as
     *     {@code compare}
     */
    public static void main(String[] args) throws IOException {
        List<String> words = List.of(Optional.ofNullable(System.getenv("MAVEN_CMD_LINE_ARGS"))
                .orElse("")
                .strip()
                .split("\\s+"));
        Path root = Path.of(args[0]);
        Set<String> names = names(root);
        words.stream()
                .filter(word -> word.startsWith(OWN_PLAN))
                .forEach(word -> names.addAll(ofPlan(Path.of(word.substring(OWN_PLAN.length())))));
        Set<String> profiles = profiles(root);
        splitPath(args[0])
                .or(() -> noProfile(words, profiles))
                .or(() -> misspelt(options(words), names))
                .or(() -> startsServers(words, args[2]) ? unfit(args[1], System.getenv("PATH")) : Optional.empty())
                .ifPresent(System.out::print);
    }

    /**
     * Returns an error if the path of the clone contains a semicolon, at which Ant, in the builds of plug-ins, would
     * split it.
     */
    static Optional<String> splitPath(String root) {
        return Optional.of("the path of this clone contains ';', where builds would split it: move " + root)
                .filter(any -> root.contains(";"));
    }

    /** Returns the Maven profiles of the root's pom. */
    static Set<String> profiles(Path root) throws IOException {
        String pom = Files.readString(root.resolve("pom.xml"));
        return PROFILE.matcher(pom.substring(pom.indexOf("<profiles>")))
                .results()
                .map(profile -> profile.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns the message for an unknown profile that is a prefix or a typo of one of ours. Any other may be defined in
     * the user's settings.
     */
    static Optional<String> noProfile(List<String> words, Set<String> profiles) {
        return words.stream()
                .filter(word -> word.length() > 2 && word.startsWith("-P"))
                .flatMap(word -> Stream.of(word.substring(2).split(",")))
                .map(name -> name.replaceFirst("^[!?+-]+", ""))
                .filter(name -> !name.isEmpty() && !profiles.contains(name))
                .flatMap(name -> {
                    String near = profiles.stream()
                            .filter(one -> one.startsWith(name + "-") || edits(one, name) <= MOST_EDITS)
                            .collect(Collectors.joining(", "));
                    return near.isEmpty()
                            ? Stream.empty()
                            : Stream.of("there is no profile " + name + "; did you mean " + near
                                    + "? (docs/single-runs.md lists all)");
                })
                .findFirst();
    }

    /** Returns the names of the properties set with {@code -D}. */
    static List<String> options(List<String> words) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean apart = (word.equals("-D") || word.equals("--define")) && i + 1 < words.size();
            if (apart || word.length() > 2 && word.startsWith("-D")) {
                names.add((apart ? words.get(++i) : word.substring(2)).replaceFirst("=.*", ""));
            }
        }
        return names;
    }

    /** Returns the names of all options and properties. */
    static Set<String> names(Path root) throws IOException {
        Set<String> names = new TreeSet<>(Arrays.asList(OURS.strip().split("\\s+")));
        for (String file : DEFAULTS) {
            KEY.matcher(Files.readString(root.resolve(file))).results().forEach(key -> names.add(key.group(1)));
        }
        for (String file : POMS) {
            PROPERTIES
                    .matcher(Files.readString(root.resolve(file)))
                    .results()
                    .flatMap(block -> PROPERTY.matcher(block.group(1)).results())
                    .forEach(property -> names.add(property.group(1)));
        }
        return names;
    }

    /**
     * Returns the properties that a JMeter plan reads. None if the plan cannot be read, which is reported elsewhere.
     */
    static Set<String> ofPlan(Path plan) {
        try {
            return PLAN_PROPERTY
                    .matcher(Files.readString(plan))
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            return Set.of();
        }
    }

    /**
     * Returns the message for the first unknown option that looks like one of ours; empty if there is none.
     *
     * @param ours result of {@link #names}
     */
    static Optional<String> misspelt(List<String> given, Set<String> ours) {
        Set<String> known = new TreeSet<>(Arrays.asList(OF_OTHERS.split(" ")));
        ours.forEach(name -> known.add(plain(name)));
        return given.stream()
                .filter(name -> !known.contains(name) && !known.contains(plain(name)))
                // Maven or the JVM itself set it.
                .filter(name -> System.getProperty(name) == null)
                .flatMap(name -> FORMER.containsKey(name)
                        ? Stream.of("-D" + name + " is called -D" + FORMER.get(name) + " now")
                        : nearest(name, ours)
                                .map(near -> "-D" + name + " is not an option; did you mean -D" + near + "?")
                                .stream())
                .findFirst();
    }

    /** Returns the name with the fewest edits, if they are few enough for a typo. */
    private static Optional<String> nearest(String given, Set<String> ours) {
        return ours.stream()
                .filter(name -> edits(plain(given), plain(name))
                        <= (Math.min(given.length(), name.length()) <= SHORT_NAME ? 1 : MOST_EDITS))
                .min(Comparator.comparingInt(name -> edits(plain(given), plain(name))));
    }

    /** Replaces dashes by dots. Whether a name has the right ones is checked elsewhere. */
    private static String plain(String name) {
        return name.replace('-', '.');
    }

    /** Counts insertions, deletions, replacements and swaps of neighbours. */
    static int edits(String one, String other) {
        int[][] edits = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int k = 0; k <= other.length(); k++) {
                if (i == 0 || k == 0) {
                    edits[i][k] = i + k;
                    continue;
                }
                int replaced = one.charAt(i - 1) == other.charAt(k - 1) ? 0 : 1;
                edits[i][k] = Math.min(Math.min(edits[i - 1][k], edits[i][k - 1]) + 1, edits[i - 1][k - 1] + replaced);
                if (i > 1
                        && k > 1
                        && one.charAt(i - 1) == other.charAt(k - 2)
                        && one.charAt(i - 2) == other.charAt(k - 1)) {
                    edits[i][k] = Math.min(edits[i][k], edits[i - 2][k - 2] + 1);
                }
            }
        }
        return edits[one.length()][other.length()];
    }

    /** @param work purpose of the active Maven profiles; empty if there is none */
    static boolean startsServers(List<String> words, String work) {
        boolean dry = words.stream().anyMatch(word -> word.matches("-Ddry[.-]run(=true|=)?"));
        boolean gatling = words.stream().anyMatch(word -> word.matches("gatling:(test|verify)"));
        boolean foreign = words.stream().anyMatch(word -> word.startsWith("-Dtarget.url="));
        return gatling && !foreign || !work.isEmpty() && !dry;
    }

    /** Returns why no server can be started on this machine; empty if one can. */
    static Optional<String> unfit() {
        return unfit(System.getProperty("os.name"), System.getenv("PATH"));
    }

    /**
     * Returns why no server can be started on a machine.
     *
     * @param system value of {@code os.name}
     * @param path folders with programs
     */
    static Optional<String> unfit(String system, String path) {
        return unfit(system, path, ADMIN_FOLDERS);
    }

    static Optional<String> unfit(String system, String path, List<String> furtherFolders) {
        if (!system.equals("Linux")) {
            return Optional.of("servers are started on Linux only, and this is " + system
                    + ": use Linux, WSL 2 or a Linux container (README has what it needs)");
        }
        List<String> folders = new ArrayList<>(List.of(path.split(File.pathSeparator)));
        folders.addAll(furtherFolders);
        return Stream.of("setpriv", "setsid")
                .filter(program -> folders.stream().noneMatch(folder -> Files.isExecutable(Path.of(folder, program))))
                .findFirst()
                .map(program -> program + " is not on this machine: install util-linux");
    }
}
