package org.servletbench.bench.article;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;

/**
 * Reads {@code published/}: one YAML file per article. Whatever is not as it should be is refused in one line that names
 * the file, the key and what is expected.
 */
public final class ArticleReader {

    private static final String YAML = ".yaml";
    private static final long LONGEST = 1 << 20;
    private static final int MOST_USERS = 100_000;

    private static final URI ANYWHERE = URI.create("http://127.0.0.1/");

    private static final ObjectReader READER = YAMLMapper.builder(YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();

    private final ProfilesFolder profiles;
    private final List<String> arms;
    private final List<String> workloads;

    /** @param profiles says which arms and workloads there are; nginx is one more arm */
    public ArticleReader(ProfilesFolder profiles) {
        this.profiles = profiles;
        this.arms = Stream.concat(profiles.containers().stream(), Stream.of("nginx"))
                .toList();
        this.workloads = profiles.workloads().stream().map(Workload::name).toList();
    }

    /**
     * All articles of a folder, in the order of their names.
     *
     * @throws UsageException if one is not as it should be, or the folder holds none
     */
    public List<Article> readAll(Path folder) {
        List<Path> files;
        try (Stream<Path> found = Files.list(folder)) {
            files = found.filter(file -> file.getFileName().toString().endsWith(YAML))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UsageException("cannot list " + folder + " (" + e.getMessage() + ")");
        }
        if (files.isEmpty()) {
            throw new UsageException("no article in " + folder + ": one is a file whose name ends in " + YAML);
        }
        return files.stream().map(this::read).toList();
    }

    /**
     * One article by its id.
     *
     * @throws UsageException if there is none of this id, or it is not as it should be
     */
    public Article read(Path folder, String id) {
        List<Article> all = readAll(folder);
        return all.stream()
                .filter(article -> article.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new UsageException("no article '" + id + "' in " + folder + ": choose one of "
                        + all.stream().map(Article::id).collect(Collectors.joining(", "))));
    }

    /**
     * One article.
     *
     * @throws UsageException if it is not as it should be
     */
    public Article read(Path file) {
        Node root = new Node(file, "", tree(file));
        String id = root.text("id");
        if (!file.getFileName().toString().equals(id + YAML)) {
            throw root.wrong("id", "is '" + id + "', and must be the file's name without " + YAML);
        }
        Map<String, PublishedWorkload> requested = workloads(root.node("workloads"));
        boolean percent = root.has("errors-column")
                && root.oneOf("errors-column", List.of("percent", "fraction")).equals("percent");
        Figures figures = figures(root, "figures", requested);
        Figures inText =
                root.has("figures-in-text") ? figures(root, "figures-in-text", requested) : new Figures(Map.of());
        List<Claim> claims = claims(root, requested);
        Node reproduce = root.node("reproduce");
        Article article = new Article(
                id,
                root.text("title"),
                root.text("published"),
                root.text("language"),
                root.node("stack").textsByKey(),
                root.has("machine") ? machine(root.node("machine")) : Machine.UNKNOWN,
                root.has("server-settings") ? settings(root.node("server-settings")) : Map.of(),
                root.optionalText("server-command"),
                root.optionalText("command"),
                root.has("method") ? method(root.node("method")) : Method.UNKNOWN,
                requested,
                percent,
                figures,
                inText,
                claims,
                root.has("disclaimers") ? root.texts("disclaimers") : List.of(),
                audit(root, claims),
                plan(reproduce.node("as-published"), requested, claims),
                plan(reproduce.node("as-it-should-be"), requested, claims),
                reproduce.has("differs") ? reproduce.texts("differs") : List.of());
        reproduce.end();
        root.end();
        if (!article.asItShouldBe().measuresLatency()) {
            requireNoLatency(root, claims);
        }
        return article;
    }

    private static void requireNoLatency(Node root, List<Claim> claims) {
        for (int i = 0; i < claims.size(); i++) {
            if (claims.get(i).statement().metric().filter(Quantity::isLatency).isPresent()) {
                throw root.wrong(
                        "claims[" + i + "].statement",
                        "is about response times, which wrk cannot decide: it adds samples that were not measured;"
                                + " choose another generator in reproduce.as-it-should-be");
            }
        }
    }

    private static JsonNode tree(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new UsageException(file + ": too long for an article");
            }
            return READER.readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            String line =
                    e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            String reason = Optional.ofNullable(e.getOriginalMessage())
                    .orElse("no YAML")
                    .replaceFirst("^java[.\\w]+: ", "");
            throw new UsageException(file + ": " + line + "no YAML ("
                    + reason.lines().findFirst().orElse("") + ")");
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + e.getMessage() + ")");
        } catch (RuntimeException e) {
            if (e instanceof UsageException) {
                throw e;
            }
            // The YAML library has some of its own.
            throw new UsageException(file + ": no YAML ("
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")");
        }
    }

    private Map<String, PublishedWorkload> workloads(Node node) {
        Map<String, PublishedWorkload> read = new LinkedHashMap<>();
        node.nodesByKey().forEach((name, one) -> {
            if (!workloads.contains(name)) {
                throw node.wrong(name, "is none of our workloads: " + String.join(", ", workloads));
            }
            String path = one.text("path");
            if (!path.startsWith("/")) {
                throw one.wrong("path", "must start with /");
            }
            read.put(name, new PublishedWorkload(path, one.text("response")));
            one.end();
        });
        return read;
    }

    private static Machine machine(Node node) {
        Machine machine = new Machine(
                node.optionalInteger("cores", 1, 10_000),
                node.optionalInteger("memory-gb", 1, 1_000_000),
                node.optionalText("os"),
                node.optionalFlag("generator-on-same-host"),
                node.optionalText("network"));
        node.end();
        return machine;
    }

    private Map<String, Map<String, String>> settings(Node node) {
        Map<String, Map<String, String>> read = new LinkedHashMap<>();
        node.nodesByKey().forEach((arm, one) -> {
            if (!arms.contains(arm)) {
                throw node.wrong(arm, "is no arm: choose from " + String.join(", ", arms));
            }
            read.put(arm, one.textsByKey());
        });
        return read;
    }

    private static Method method(Node node) {
        Method method = new Method(
                node.optionalNumber("ramp-up-s", 0, 86_400),
                node.optionalNumber("duration-s", 0, 86_400),
                node.optionalNumber("max-pause-s", 0, 3600),
                node.optionalInteger("runs-per-arm", 1, 1_000_000),
                node.optionalFlag("warm-up"));
        node.end();
        return method;
    }

    private Figures figures(Node root, String key, Map<String, PublishedWorkload> requested) {
        Map<Point, Map<Quantity, Double>> read = new LinkedHashMap<>();
        for (Node row : root.nodes(key)) {
            String arm = row.oneOf("arm", arms);
            boolean startUp = !row.has("workload") && !row.has("users");
            Point cell = startUp
                    ? Point.atStartUp(arm)
                    : new Point(
                            arm,
                            row.oneOf("workload", List.copyOf(requested.keySet())),
                            row.integer("users", 1, MOST_USERS));
            Map<Quantity, Double> values = new LinkedHashMap<>();
            for (String name : row.rest()) {
                Quantity metric = Quantity.of(name)
                        .filter(one -> one.isStartUp() == startUp)
                        .orElseThrow(() -> row.wrong(name, "is no figure here: choose from " + metrics(startUp)));
                values.put(metric, row.number(name, 0, metric.most()));
            }
            if (values.isEmpty()) {
                throw row.wrong("arm", "is in a row without a figure");
            }
            if (read.put(cell, values) != null) {
                throw row.wrong("arm", "comes twice: " + cell.text());
            }
        }
        return new Figures(read);
    }

    private static String metrics(boolean startUp) {
        return Arrays.stream(Quantity.values())
                .filter(metric -> metric.isStartUp() == startUp)
                .map(Quantity::key)
                .collect(Collectors.joining(", "));
    }

    private List<Claim> claims(Node root, Map<String, PublishedWorkload> requested) {
        List<Claim> claims = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Node node : root.nodes("claims")) {
            String id = node.text("id");
            if (!ids.add(id)) {
                throw node.wrong("id", "comes twice: " + id);
            }
            claims.add(new Claim(
                    id,
                    node.text("says"),
                    node.text("original"),
                    node.text("reading"),
                    new StatementReader(arms, List.copyOf(requested.keySet())).read(node.node("statement"))));
            node.end();
        }
        if (claims.isEmpty()) {
            throw root.wrong("claims", "must be a list of one claim or more");
        }
        return claims;
    }

    private static List<AuditNote> audit(Node root, List<Claim> claims) {
        List<AuditNote> notes = new ArrayList<>();
        List<String> kinds =
                Arrays.stream(FindingKind.values()).map(FindingKind::key).toList();
        for (Node node : root.nodes("audit")) {
            FindingKind kind = FindingKind.of(node.oneOf("finding", kinds)).orElseThrow();
            String claim = node.has("claim")
                    ? node.oneOf("claim", claims.stream().map(Claim::id).toList())
                    : "";
            notes.add(new AuditNote(kind, claim, node.text("says")));
            node.end();
        }
        return notes;
    }

    private Plan plan(Node node, Map<String, PublishedWorkload> requested, List<Claim> claims) {
        List<Plan.Stage> loads = new ArrayList<>();
        String generator = node.oneOf("generator", Plan.GENERATORS);
        for (Node load : node.nodes("loads")) {
            loads.add(load(load, requested));
        }
        if (loads.isEmpty()) {
            throw node.wrong("loads", "must be a list of one load or more");
        }
        String settings = node.text("settings");
        try {
            profiles.settings(settings);
        } catch (UsageException e) {
            throw node.wrong("settings", "names " + e.getMessage());
        }
        Plan plan = new Plan(
                generator,
                node.oneOf("line", ContainerProfile.LINES),
                settings,
                node.has("server-properties") ? node.node("server-properties").textsByKey() : Map.of(),
                node.has("jvm-options") ? Optional.of(node.texts("jvm-options")) : Optional.empty(),
                node.flag("warm-up"),
                node.integer("blocks", 1, 1000),
                List.copyOf(loads));
        node.end();
        requirePossible(node, plan);
        for (Claim claim : claims) {
            for (Point cell : claim.statement().cells()) {
                if (!plan.measures(cell)) {
                    throw node.wrong(
                            "loads", "must measure " + cell.text() + ", which decides the claim '" + claim.id() + "'");
                }
            }
        }
        return plan;
    }

    /** Each load is one that its generator can apply. */
    private static void requirePossible(Node node, Plan plan) {
        for (int i = 0; i < plan.loads().size(); i++) {
            Plan.Stage load = plan.loads().get(i);
            String key = "loads[" + i + "]";
            try {
                for (int users : load.users()) {
                    plan.tool().ifPresent(tool -> tool.command(load.toolLoad(ANYWHERE, users), Path.of("")));
                }
            } catch (UsageException e) {
                throw node.wrong(key, "cannot be: " + e.getMessage());
            }
            if (plan.tool().isEmpty()) {
                boolean foreign = load.requests().isPresent()
                        || load.maxPauseSeconds() > 0
                        || load.threads().isPresent()
                        || !load.options().isEmpty()
                        || !load.keepAlive();
                if (foreign) {
                    throw node.wrong(
                            key,
                            "cannot be: " + plan.generator()
                                    + " here takes users, ramp-up-s, and loops or duration-s, and"
                                    + " keeps connections");
                }
            } else if (load.rampUpSeconds() > 0) {
                throw node.wrong(key, "cannot be: " + plan.generator() + " has no ramp-up");
            }
        }
    }

    private Plan.Stage load(Node node, Map<String, PublishedWorkload> requested) {
        List<Integer> users = node.integers("users", 1, MOST_USERS, true);
        List<Integer> loops = node.has("loops") ? node.integers("loops", 1, 1_000_000_000, false) : List.of();
        if (!loops.isEmpty() && loops.size() != users.size()) {
            throw node.wrong("loops", "must have one number for each of 'users'");
        }
        Plan.Stage load = new Plan.Stage(
                node.optionalText("variant").orElse(""),
                node.oneOf("workload", List.copyOf(requested.keySet())),
                node.someOf("arms", arms),
                users,
                loops,
                node.optionalLong("requests", 1, Integer.MAX_VALUE),
                node.optionalInteger("duration-s", 1, 86_400),
                node.has("ramp-up-s") ? node.integer("ramp-up-s", 0, 86_400) : 0,
                node.optionalNumber("max-pause-s", 0, 60).orElse(0),
                node.optionalInteger("threads", 1, 10_000),
                node.flag("keep-alive"),
                node.has("options") ? node.texts("options") : List.of());
        if (loops.isEmpty()
                && load.requests().isEmpty()
                && load.durationSeconds().isEmpty()) {
            throw node.wrong("duration-s", "is missing: say when the load ends, by duration-s, requests or loops");
        }
        node.end();
        return load;
    }
}
