package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.LoadSpec.Kind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;

/**
 * The content of a comparison file: a question, with its arms, loads, tested metrics, and the end of its campaign.
 *
 * @param name name of the file, without folder and extension
 * @param question the question in words; empty if the file has none
 * @param note when the answer applies; empty if the file does not say it
 * @param spec how its campaign is evaluated, ended and measured
 * @param arms its arms, without the copies of baselines
 * @param workloads workloads that the file defines
 * @param claims claims about its arms
 * @param factorial the design whose effects get verdicts instead of arms; empty without factors
 */
public record Comparison(
        String name,
        String question,
        String note,
        CampaignSpec spec,
        List<NamedArm> arms,
        List<LoadSpec> loads,
        List<Workload> workloads,
        ClaimList claims,
        Optional<Factorial> factorial) {

    /** Default comparison of two jars. */
    public static final String TWO_BUILDS = "pull-request";

    /** Arms of {@link #TWO_BUILDS}. */
    private static final List<String> BUILDS = List.of("before", "after");

    /** Default comparison. */
    public static final String USUAL = "quick";

    /**
     * Default precision for loads that are known beforehand. Of the campaigns that reach it, 8 in 10 find a difference
     * of 5 %.
     */
    public static final String PRECISION = "3.9%";

    /** Prefix of a service's request names. No name in the profiles begins like this. */
    private static final String OF_SERVICE = "GET-";

    /** Maximum number of arms; a block starts all of them. */
    static final int MOST_ARMS = 100;

    private static final String YAML = ".yaml";
    private static final String VARIANTS = "variants";
    /**
     * Options that name machines to load and ssh's settings to reach them. The user consents to each on the command
     * line.
     */
    private static final List<String> OF_COMMAND_LINE =
            List.of("target-host", "target-address", "load-hosts", "host-jdk", "ssh-config", "target-allow-remote");

    /**
     * Key of the database. In a file, it must be in memory or on this machine, and its further settings must not name
     * another place.
     */
    private static final String DATABASE = "db.url";

    private static final Pattern DATABASE_HERE = Pattern.compile(
            "jdbc:[a-z0-9]+:(mem:[\\w-]*|//(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?/[\\w-]*)([?;][\\w=&;%+$~.{}:-]*)?");

    /** At least two letters come before the colon, because C: is a drive. */
    private static final Pattern VARIANT = Pattern.compile("(.{2,}):([A-Za-z0-9-]+)");

    /** Returns this comparison, whose record will show the values of headers, bodies and the like. */
    public Comparison showingValues() {
        return new Comparison(name, question, note, spec.showingValues(), arms, loads, workloads, claims, factorial);
    }

    /** Returns this comparison with changed arms. */
    public Comparison withArms(UnaryOperator<ArmSpec> change) {
        List<NamedArm> others = arms.stream()
                .map(arm -> new NamedArm(arm.name(), change.apply(arm.spec()), arm.line()))
                .toList();
        return new Comparison(name, question, note, spec, others, loads, workloads, claims, factorial);
    }

    /** Returns the kind of load. */
    public Kind kind() {
        return loads.get(0).kind();
    }

    /**
     * Reads a comparison that ships with servlet-bench, or the user's own file.
     *
     * @param root root of the repository
     * @param named a file, or the name of one in {@code comparisons/}
     * @param options options that override the file's values: see {@link Overrides}
     * @throws UsageException in one line if the file does not exist, or is wrong
     */
    public static Comparison read(Path root, String named, Map<String, String> options, ProfilesFolder profiles) {
        Matcher variant = VARIANT.matcher(named);
        String base = variant.matches() ? variant.group(1) : named;
        Path file = file(root, base);
        Tree tree = Tree.read(file);
        String name = file.getFileName().toString().replaceFirst("[.]ya?ml$", "");
        if (variant.matches()) {
            String key = variant.group(2);
            if (!(tree.root().path(VARIANTS).get(key) instanceof ObjectNode over)) {
                List<String> all = variants(tree);
                throw new UsageException(
                        base + " has no variant '" + key + "'" + (all.isEmpty() ? "" : Keys.nearest(key, all)));
            }
            tree.over(over, VARIANTS + "." + key);
            name += "-" + key;
        }
        Overrides.apply(tree, options);
        return bound(name, tree, file, root, profiles);
    }

    /**
     * Returns the default comparison for the user's service instead of our application: its containers under one
     * request.
     *
     * @param app an executable jar
     * @param url path of the request
     * @param containers containers that can run it. The first is its own; that arm runs the jar unchanged
     * @param options options that override its values: see {@link Overrides}
     * @throws UsageException in one line if something is wrong
     */
    public static Comparison ofService(
            Path root,
            Path app,
            String url,
            List<String> containers,
            Map<String, String> options,
            ProfilesFolder profiles) {
        String path =
                url.replaceFirst("[?].*", "").replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-|-$", "");
        String request = OF_SERVICE + (path.isEmpty() ? "root" : path);
        Tree tree = Tree.read(file(root, USUAL));
        ObjectNode file = tree.root();
        file.put("question", "Which container is fastest for " + url + " of " + app.getFileName() + "?");
        file.put("app", app.toString());
        ObjectNode arms = file.putObject("arms");
        containers.forEach(container -> {
            ObjectNode arm = arms.putObject(container);
            if (!container.equals(containers.get(0))) {
                arm.put("container", container);
            }
        });
        file.putObject("workloads").putObject(request).put("url", url);
        file.withArray("load").forEach(load -> ((ObjectNode) load).put("workloads", request));
        List.of("app", "arms").forEach(key -> tree.placed(key, "--app"));
        List.of("workloads", "load").forEach(key -> tree.placed(key, "--url"));
        Overrides.apply(tree, options);
        Map<String, JsonNode> asked = new LinkedHashMap<>();
        tree.root().path("arms").properties().forEach(arm -> asked.put(arm.getKey(), arm.getValue()));
        String own = containers.get(0);
        boolean servlets = isContainer(own, profiles);
        if (asked.size() == 1 || !servlets && asked.keySet().stream().anyMatch(arm -> isContainer(arm, profiles))) {
            throw new UsageException(app.getFileName()
                    + (servlets
                            ? " has one arm, and nothing to compare it with"
                            : " has no servlet container to exchange")
                    + ": compare JDKs, heaps or two builds, such as --app " + app.getFileName() + " --url " + url
                    + " --arms " + own + ":heap=256m," + own + ":heap=512m");
        }
        asked.keySet().forEach(arm -> exchanged(tree, arm, containers, profiles));
        boolean containersAlone =
                asked.values().stream().allMatch(arm -> arm.isEmpty() || arm.size() == 1 && arm.has("container"));
        if (!containersAlone) {
            file.remove("question");
            file.remove("note");
        }
        return bound("service", tree, Path.of("--url"), root, profiles);
    }

    /**
     * Returns a comparison that asks whether the second of two builds is slower than the first.
     *
     * @param named a comparison that ships, or a file, with the arms {@code before} and {@code after}
     * @param jars two executable jars
     * @param url path of its request; empty to keep its workloads
     * @param options options that override its values: see {@link Overrides}
     * @throws UsageException in one line if something is wrong
     */
    public static Comparison ofTwo(
            Path root,
            String named,
            List<Path> jars,
            Optional<String> url,
            Map<String, String> options,
            ProfilesFolder profiles) {
        Path path = file(root, named);
        Tree tree = Tree.read(path);
        ObjectNode file = tree.root();
        JsonNode arms = file.path("arms");
        if (arms.size() != BUILDS.size() || !BUILDS.stream().allMatch(arms::has)) {
            throw new UsageException("two --app are the arms " + String.join(" and ", BUILDS) + ", and " + named
                    + " has others: leave it out, or write 'app' in its arms");
        }
        for (int i = 0; i < BUILDS.size(); i++) {
            ((ObjectNode) arms)
                    .withObjectProperty(BUILDS.get(i))
                    .put("app", jars.get(i).toString());
            tree.placed("arms." + BUILDS.get(i) + ".app", "--app");
        }
        url.ifPresent(asked -> request(tree, named, asked));
        List<String> reported = names(jars.get(0), jars.get(1));
        file.put(
                "question",
                "Is " + reported.get(1) + " slower than "
                        + reported.get(0)
                        + url.map(asked -> " for " + asked).orElse("") + "?");
        Overrides.apply(tree, options);
        return bound(path.getFileName().toString().replaceFirst("[.]ya?ml$", ""), tree, path, root, profiles);
    }

    /** Replaces the request of a comparison with one workload of its own. */
    private static void request(Tree tree, String named, String url) {
        JsonNode workloads = tree.root().path("workloads");
        if (workloads.size() != 1) {
            throw new UsageException("--url is for a comparison with one workload of its own, and " + named + " has "
                    + workloads.size() + ": leave it out");
        }
        workloads.properties().forEach(one -> {
            ((ObjectNode) one.getValue()).put("url", url);
            tree.placed("workloads." + one.getKey() + ".url", "--url");
        });
    }

    /**
     * Returns a comparison of one service, such as {@code upgrade}, with this jar and request.
     *
     * @param named a comparison that ships, or a file, with the key {@code app}, whose value the jar replaces
     * @param jar finds the jar, once it is clear that the comparison takes one
     * @param options options that override its values: see {@link Overrides}
     * @throws UsageException in one line if something is wrong
     */
    public static Comparison ofOne(
            Path root,
            String named,
            Supplier<Path> jar,
            String url,
            Map<String, String> options,
            ProfilesFolder profiles) {
        Path path = file(root, named);
        Tree tree = Tree.read(path);
        if (!tree.root().has("app")) {
            throw new UsageException("--app and --url are a comparison of their own: leave out " + named
                    + ", or write 'app' in the file");
        }
        tree.root().put("app", jar.get().toString());
        tree.placed("app", "--app");
        request(tree, named, url);
        Overrides.apply(tree, options);
        return bound(path.getFileName().toString().replaceFirst("[.]ya?ml$", ""), tree, path, root, profiles);
    }

    /** Returns the names of two files, preceded by as many folders as it takes to distinguish them. */
    public static List<String> names(Path one, Path other) {
        int most = Math.min(one.getNameCount(), other.getNameCount());
        return IntStream.rangeClosed(1, most)
                .mapToObj(parts -> List.of(last(one, parts), last(other, parts)))
                .filter(both -> !both.get(0).equals(both.get(1)))
                .findFirst()
                .orElse(List.of(last(one, 1), last(other, 1)));
    }

    private static String last(Path file, int parts) {
        return file.subpath(file.getNameCount() - parts, file.getNameCount()).toString();
    }

    private static boolean isContainer(String arm, ProfilesFolder profiles) {
        return !profiles.ofService(arm, null).container().isEmpty();
    }

    /** Swaps the container of an arm that has the name of another container than the service's own. */
    private static void exchanged(Tree tree, String name, List<String> containers, ProfilesFolder profiles) {
        if (!(tree.root().path("arms").get(name) instanceof ObjectNode arm) || arm.has("app") || arm.has("container")) {
            return;
        }
        String named = profiles.ofService(name, null).container();
        if (named.isEmpty() && arm.isEmpty() && !name.equals(containers.get(0))) {
            throw tree.wrong(
                    "arms." + name,
                    "'arms." + name + "': there is no container '" + name + "'" + Keys.nearest(name, containers));
        }
        if (!named.isEmpty() && !named.equals(containers.get(0))) {
            arm.put("container", named);
        }
    }

    private static Path file(Path root, String named) {
        Path ships = root.resolve("comparisons").resolve(named + YAML);
        if (Files.isRegularFile(ships)) {
            return ships;
        }
        boolean path = named.contains("/") || named.endsWith(YAML) || named.endsWith(".yml");
        Path here = Path.of(named);
        Path file = Files.isRegularFile(here) ? here : root.resolve(named);
        if (!path || !Files.isRegularFile(file)) {
            throw new UsageException(
                    path
                            ? "there is no file " + named
                            : "there is no comparison '" + named + "'" + Keys.nearest(named, names(root)));
        }
        return file;
    }

    /** Returns the names of the keys for stopping and measuring, as they are in the profiles and in single runs. */
    public static List<String> options() {
        return Stream.of(StopSpec.class, MeasureSpec.class)
                .flatMap(section -> Keys.names(section).stream())
                .map(Keys::option)
                .toList();
    }

    /** Returns the names of the comparisons that ship, in alphabetical order, without their variants. */
    public static List<String> names(Path root) {
        Path folder = root.resolve("comparisons");
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.endsWith(YAML))
                    .map(file -> file.substring(0, file.length() - YAML.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UsageException("cannot list " + folder + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Returns the variants of a comparison that ships, by their names on the command line:
     * {@code published/wrk-hello:equalised}.
     */
    public static List<String> variants(Path root, String name) {
        return variants(Tree.read(file(root, name))).stream()
                .map(variant -> name + ":" + variant)
                .toList();
    }

    private static List<String> variants(Tree tree) {
        List<String> names = new ArrayList<>();
        tree.root().path(VARIANTS).fieldNames().forEachRemaining(names::add);
        return names;
    }

    /**
     * Returns the options that are taken only from the command line, never from a file or a record: other machines, the
     * consent to load them, a database elsewhere.
     *
     * @param options all options by name, with dots
     */
    public static SortedMap<String, String> ofCommandLine(Map<String, String> options) {
        SortedMap<String, String> given = new TreeMap<>(options);
        given.keySet()
                .removeIf(name -> !OF_COMMAND_LINE.contains(name.replace('.', '-'))
                        && !(name.equals(DATABASE)
                                && !DATABASE_HERE.matcher(options.get(name)).matches()));
        return given;
    }

    // ---- from the tree of a file to its records ----

    /** Returns the words that may occur on a page: they are not secret. */
    private static List<String> names(JsonNode root, ProfilesFolder profiles) {
        List<String> names = new ArrayList<>(profiles.containers());
        Stream.of(Metric.values()).forEach(metric -> names.add(metric.key() + " " + metric.title()));
        List.of("arms", "workloads", "variants")
                .forEach(key -> root.path(key).fieldNames().forEachRemaining(names::add));
        return names;
    }

    private static Comparison bound(String name, Tree tree, Path path, Path root, ProfilesFolder profiles) {
        // From here on, no message can show a value.
        Secrets.learn(tree.root());
        Secrets.show(names(tree.root(), profiles));
        Optional<Factorial> factorial = Factors.expand(tree, profiles);
        Keys.check(tree);
        OF_COMMAND_LINE.forEach(key -> {
            if (tree.isOfFile("measure." + key)) {
                throw tree.wrong(
                        "measure." + key,
                        "'measure." + key + "' is not taken from a file, which may be a stranger's: give --set measure."
                                + key + "=… on the command line, if you want it");
            }
        });
        String database = tree.root().path("measure").path("db-url").asText();
        if (tree.isOfFile("measure.db-url") && !DATABASE_HERE.matcher(database).matches()) {
            throw tree.wrong(
                    "measure.db-url",
                    "'measure.db-url' of a file, which may be a stranger's, is one on this machine, such as"
                            + " jdbc:postgresql://127.0.0.1/bench: give another one by --set measure.db-url=… on the command line");
        }
        ComparisonFile file = tree.bind(ComparisonFile.class);
        Rule.check(OF_FILE, file, tree);
        for (int i = 0; i < file.load().size(); i++) {
            Rule.check(OF_LOAD, file.load().get(i), tree, "load." + i);
        }
        ArmBinding.Origin place = new ArmBinding.Origin(tree, path, root);
        List<Workload> workloads = new WorkloadBinding(tree, file.workloads(), path, place).workloads();
        List<NamedArm> arms = new ArmBinding(tree, file, place, profiles).arms();
        requireWorkloads(tree, file.load(), workloads, profiles);
        Rule.check(OF_WHOLE, new Whole(file, arms), tree);
        CampaignSpec spec = CampaignSpec.of(tree, file, arms, profiles);
        ClaimBinding claims =
                new ClaimBinding(tree, arms, file.judging(), spec.judged().metrics());
        claims.checkFigures(file.published());
        ClaimList claimed = new ClaimList(claims.claims(file.claims()), file.published());
        if (!claimed.layers().isEmpty() && !Boolean.TRUE.equals(spec.measure().cpuProfile())) {
            throw tree.wrong(
                    "claims",
                    "'claims': CPU time of " + claimed.layers().get(0)
                            + " comes from profiles: add measure: {cpu-profile: true}");
        }
        // These include bodies and rows from other files.
        Secrets.learn(Map.of("arms", arms, "workloads", workloads, "options", spec.asked()));
        return new Comparison(
                name, file.question(), file.note(), spec, arms, file.judging(), workloads, claimed, factorial);
    }

    private static final List<Rule<ComparisonFile>> OF_FILE = List.of(
            Rule.of("arms", file -> file.arms() == null, " is missing"),
            Rule.of("load", file -> file.load() == null, " is missing"),
            Rule.of("arms", file -> file.arms().isEmpty(), " is empty"),
            Rule.of(
                    "arms",
                    file -> file.arms().size() > MOST_ARMS,
                    file -> " are " + file.arms().size() + ": a comparison has " + MOST_ARMS + " at most"),
            Rule.of("load", file -> file.load().isEmpty(), " is empty"),
            Rule.of(
                    "claims",
                    file -> file.factors() != null && !file.claims().isEmpty(),
                    ": the effects of 'factors' get verdicts, and arms have none to claim: leave it out"),
            Rule.of(
                    "load",
                    file -> file.load().size() > 1 && file.load().stream().anyMatch(load -> load.kind() != Kind.FIXED),
                    ": no other load may stand beside one with 'search-rate-under' or 'starts'"));

    private static final List<Rule<LoadSpec>> OF_LOAD = Stream.of(
                    Stream.of(
                            Rule.<LoadSpec>of(
                                    "",
                                    load -> load.ways() > 1,
                                    ": give users and rates, or search-rate-under, or starts alone"),
                            Rule.<LoadSpec>of(
                                    "pause",
                                    load -> load.pause() != null
                                            && (load.users().isEmpty()
                                                    || !load.rates().isEmpty()),
                                    " is only allowed with 'users' alone: at a rate ('rates', 'search-rate-under') requests do not wait"
                                            + " for users"),
                            Rule.<LoadSpec>of(
                                    "tool-options",
                                    LoadSpec::hasHiddenHeader,
                                    ": a header whose value may be secret is not taken here, where everybody sees it: give it in"
                                            + " 'headers' of the workload, with Gatling or JMeter")),
                    Rule.<LoadSpec>ofEach(
                            List.of("from", "resolution", "in-flight"),
                            load -> load.searchRateUnder() == null,
                            " is only allowed with 'search-rate-under'"),
                    // wrk, ab and siege use the closed model only.
                    Rule.<LoadSpec>ofEach(
                            List.of("requests", "keep-alive", "tool-threads", "tool-options"),
                            load -> load.users().isEmpty() || !load.rates().isEmpty(),
                            " is only allowed with 'users' alone"))
            .flatMap(rules -> rules)
            .toList();

    /** A file and its arms. */
    private record Whole(ComparisonFile file, List<NamedArm> arms) {

        boolean hasReference() {
            return arms.stream().anyMatch(NamedArm::isReference);
        }

        boolean accepts() {
            return file.measure().acceptEncoding() != null;
        }

        List<String> compressing() {
            return arms.stream()
                    .flatMap(arm -> arm.spec().properties().entrySet().stream())
                    .filter(one -> one.getKey().startsWith("server.compression."))
                    .map(one -> one.getKey() + "=" + one.getValue())
                    .distinct()
                    .toList();
        }
    }

    private static final List<Rule<Whole>> OF_WHOLE = List.of(
            Rule.of(
                    "arms",
                    all -> all.hasReference() && all.file.load().get(0).kind() == Kind.STARTS,
                    ": not applicable: nginx is not a JVM: leave it out of starts"),
            // With another protocol, nginx would not be an upper limit.
            Rule.of(
                    "arms",
                    all -> all.hasReference()
                            && all.arms.stream()
                                    .anyMatch(arm -> arm.spec().server().protocol() != null),
                    ": nginx speaks http here: leave it out of a comparison with a 'protocol'"),
            // Accepting gzip has no effect without compression, nor compression without it. A service may compress its
            // answers itself, though.
            Rule.of(
                    "arms",
                    all -> !all.accepts() && !all.compressing().isEmpty(),
                    all -> ": '" + all.compressing().get(0)
                            + "' would change nothing: no request accepts gzip: add measure: {accept-encoding: gzip}"),
            Rule.of(
                    "measure.accept-encoding",
                    all -> all.accepts()
                            && all.arms.stream()
                                    .allMatch(arm -> arm.spec().app() == null
                                            && arm.spec().command().isEmpty())
                            && !all.compressing().contains("server.compression.enabled=true"),
                    " would change nothing: no arm compresses: add properties: {server.compression.enabled: true}"));

    private static void requireWorkloads(Tree tree, List<LoadSpec> loads, List<Workload> own, ProfilesFolder profiles) {
        List<String> ours = profiles.allWorkloads().stream().map(Workload::name).toList();
        List<String> theirs = own.stream().map(Workload::name).toList();
        theirs.stream().filter(ours::contains).findFirst().ifPresent(name -> {
            throw tree.wrong(
                    "workloads." + name,
                    "'workloads." + name
                            + "' is the name of a workload of profiles/workloads.properties: choose another");
        });
        List<String> known = Stream.concat(theirs.stream(), ours.stream()).toList();
        for (int i = 0; i < loads.size(); i++) {
            String path = "load." + i + ".workloads";
            loads.get(i).workloads().stream()
                    .filter(name -> !known.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw tree.wrong(
                                path,
                                "'" + path + "': there is no workload '" + name + "'" + Keys.nearest(name, known));
                    });
        }
    }
}
