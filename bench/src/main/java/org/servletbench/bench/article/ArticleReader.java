package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;

/**
 * Reads {@code published/}: one YAML file per article. Invalid files are rejected in one line that names the file, the key and
 * what is allowed.
 */
public final class ArticleReader {

    private static final String YAML = ".yaml";
    private static final long LONGEST = 1 << 20;
    private static final int LONGEST_TEXT = 2000;
    private static final URI ANYWHERE = URI.create("http://127.0.0.1/");
    private static final ObjectMapper MAPPER = mapper();

    private final ProfilesFolder profiles;
    private final List<String> arms;
    private final List<String> workloads;

    /** @param profiles says which arms and workloads there are; nginx is one more arm */
    public ArticleReader(ProfilesFolder profiles) {
        this.profiles = profiles;
        this.arms = Stream.concat(profiles.containers().stream(), Stream.of("nginx"))
                .toList();
        this.workloads = profiles.allWorkloads().stream().map(Workload::name).toList();
    }

    private static ObjectMapper mapper() {
        ObjectMapper mapper = YAMLMapper.builder(YAMLFactory.builder()
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .enable(
                        DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .annotationIntrospector(new JacksonAnnotationIntrospector() {
                    private static final long serialVersionUID = 1;

                    @Override
                    public Boolean hasRequiredMarker(AnnotatedMember member) {
                        return !member.hasAnnotation(Maybe.class);
                    }
                })
                .addModule(new SimpleModule()
                        .addDeserializer(String.class, new Text())
                        .addDeserializer(Statement.class, new Kind()))
                .build();
        for (Class<?> type : List.of(String.class, List.class, Map.class)) {
            mapper.configOverride(type).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
        }
        return mapper;
    }

    /** A text, and nothing that only looks like one: an unquoted 2.10 is the number 2.1. */
    private static final class Text extends StdDeserializer<String> {
        private static final long serialVersionUID = 1;

        Text() {
            super(String.class);
        }

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (!parser.hasToken(JsonToken.VALUE_STRING)
                    || parser.getText().isBlank()
                    || parser.getText().length() > LONGEST_TEXT) {
                return (String) context.handleUnexpectedToken(String.class, parser);
            }
            return parser.getText();
        }

        @Override
        public String getEmptyValue(DeserializationContext context) {
            return "";
        }
    }

    /** A statement by the key that only its kind has. */
    private static final class Kind extends StdDeserializer<Statement> {
        private static final long serialVersionUID = 1;

        Kind() {
            super(Statement.class);
        }

        @Override
        public Statement deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            JsonNode node = context.readTree(parser);
            List<String> kinds =
                    Statement.KINDS.keySet().stream().filter(node::has).toList();
            if (kinds.size() != 1) {
                throw context.instantiationException(
                        Statement.class,
                        new Invalid(
                                kinds.isEmpty() ? "order" : kinds.get(1),
                                (kinds.isEmpty() ? "is missing" : "stands beside '" + kinds.get(0) + "'")
                                        + ": a statement has exactly one of "
                                        + String.join(", ", Statement.KINDS.keySet())));
            }
            return context.readTreeAsValue(node, Statement.KINDS.get(kinds.get(0)));
        }
    }

    /**
     * All articles of a folder, in the order of their names.
     *
     * @throws UsageException if one is invalid, or the folder holds none
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
     * @throws UsageException if there is none of this id, or it is invalid
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
     * @throws UsageException if it is invalid
     */
    public Article read(Path file) {
        JsonNode tree = tree(file);
        try {
            Article article = MAPPER.treeToValue(tree, Article.class);
            check(article, file.getFileName().toString());
            return article;
        } catch (JsonMappingException e) {
            throw refused(file, tree, e);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        } catch (Invalid e) {
            throw new UsageException(file + ": " + e.getMessage());
        }
    }

    private static JsonNode tree(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new UsageException(file + ": too long for an article");
            }
            JsonNode tree = MAPPER.readTree(Files.readAllBytes(file));
            requireValues(file, "", tree);
            return tree;
        } catch (JsonProcessingException e) {
            throw new UsageException(file + ": "
                    + (e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ")
                    + noYaml(e.getOriginalMessage()));
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + e.getMessage() + ")");
        } catch (UsageException e) {
            throw e;
        } catch (RuntimeException e) {
            // The YAML library has some of its own.
            throw new UsageException(file + ": " + noYaml(e.getMessage()));
        }
    }

    private static String noYaml(String reason) {
        return "no YAML ("
                + String.valueOf(reason)
                        .replaceFirst("^java[.\\w]+: ", "")
                        .lines()
                        .findFirst()
                        .orElse("") + ")";
    }

    /** A key without a value is neither there nor missing. */
    private static void requireValues(Path file, String path, JsonNode node) {
        if (node.isNull() || path.isEmpty() && !node.isObject()) {
            throw new UsageException(file + ": "
                    + (path.isEmpty()
                            ? "the file must be a mapping of keys to values"
                            : "'" + path + "' has no value"));
        }
        node.properties().forEach(one -> requireValues(file, join(path, one.getKey()), one.getValue()));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            requireValues(file, path + "[" + i + "]", node.get(i));
        }
    }

    private static String join(String path, String key) {
        return path.isEmpty() || key.isEmpty() || key.startsWith("[") ? path + key : path + "." + key;
    }

    private static UsageException refused(Path file, JsonNode tree, JsonMappingException e) {
        String path = "";
        JsonNode at = tree;
        for (JsonMappingException.Reference step : e.getPath()) {
            path = join(path, step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName());
            at = step.getFieldName() == null ? at.path(step.getIndex()) : at.path(step.getFieldName());
        }
        String said;
        if (e.getCause() instanceof Invalid invalid) {
            path = join(path, invalid.key());
            said = invalid.expected();
        } else if (e instanceof UnrecognizedPropertyException unknown) {
            said = "is no key here: choose from "
                    + unknown.getKnownPropertyIds().stream()
                            .map(String::valueOf)
                            .sorted()
                            .collect(Collectors.joining(", "));
        } else {
            Class<?> type = e instanceof MismatchedInputException wrong ? wrong.getTargetType() : Object.class;
            said = (at.isMissingNode() ? "is missing: " : "is wrong: ") + expected(type) + " is expected"
                    + (type == String.class && at.isNumber() ? " (in quotes, if it looks like a number)" : "");
        }
        return new UsageException(file + ": '" + path + "' " + said);
    }

    private static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Stream.of(type.getEnumConstants())
                            .map(one -> MAPPER.convertValue(one, JsonNode.class).asText())
                            .collect(Collectors.joining(", "));
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        return type == String.class
                ? "a text"
                : type == int.class || type == Integer.class
                        ? "a whole number"
                        : type.isPrimitive() || type == Double.class ? "a number" : "a mapping of keys to values";
    }

    // ---- what only the folder of profiles and the rest of the file can tell ----

    private void check(Article article, String file) {
        Invalid.oneOf("id", article.id(), List.of(file.replaceFirst("[.]yaml$", "")));
        article.workloads().keySet().forEach(name -> Invalid.oneOf("workloads", name, workloads));
        article.serverSettings().keySet().forEach(arm -> requireArm("server-settings", arm));
        article.concurrency().keySet().forEach(arm -> requireArm("concurrency", arm));
        article.figures().values().keySet().forEach(cell -> requireCell("figures", cell, article));
        article.figuresInText().values().keySet().forEach(cell -> requireCell("figures-in-text", cell, article));
        for (int i = 0; i < article.claims().size(); i++) {
            String key = "claims[" + i + "].statement";
            Statement statement = article.claims().get(i).statement();
            statement.cells().forEach(cell -> requireCell(key, cell, article));
            if (!article.asItShouldBe().measuresLatency()
                    && statement.metric().filter(Quantity::isLatency).isPresent()) {
                throw new Invalid(
                        key,
                        "is about response times, which wrk cannot decide: it adds samples that were not measured;"
                                + " choose another generator in reproduce.as-it-should-be");
            }
        }
        check("reproduce.as-published", article.asPublished(), article);
        check("reproduce.as-it-should-be", article.asItShouldBe(), article);
    }

    private void requireArm(String key, String arm) {
        Invalid.oneOf(key, arm.replaceFirst("[+](platform|virtual)$", ""), arms);
    }

    private void requireCell(String key, Point cell, Article article) {
        requireArm(key, cell.arm());
        if (cell.users() > 0) {
            Invalid.oneOf(key, cell.workload(), article.workloads().keySet());
        }
    }

    private void check(String key, RerunPlan plan, Article article) {
        try {
            profiles.settings(plan.settings());
        } catch (UsageException e) {
            throw new Invalid(key + ".settings", "names " + e.getMessage());
        }
        for (int i = 0; i < plan.loads().size(); i++) {
            String own = key + ".loads[" + i + "]";
            RerunPlan.Stage load = plan.loads().get(i);
            load.arms().forEach(arm -> requireArm(own + ".arms", arm));
            Invalid.oneOf(
                    own + ".workload", load.workload(), article.workloads().keySet());
            requirePossible(own, plan, load);
        }
        for (Article.Claim claim : article.claims()) {
            claim.statement().cells().stream()
                    .filter(cell -> !plan.measures(cell))
                    .findFirst()
                    .ifPresent(cell -> {
                        throw new Invalid(
                                key + ".loads",
                                "must measure " + cell.text() + ", which decides the claim '" + claim.id() + "'");
                    });
        }
    }

    private static void requirePossible(String key, RerunPlan plan, RerunPlan.Stage load) {
        if (plan.tool().isEmpty()) {
            if (load.requests() != null
                    || load.maxPauseSeconds() > 0
                    || load.threads() != null
                    || !load.options().isEmpty()
                    || !load.keepAlive()) {
                throw new Invalid(
                        key,
                        "cannot be: " + plan.generator()
                                + " here takes users, ramp-up-s, and loops or duration-s, and keeps connections");
            }
            return;
        }
        if (load.rampUpSeconds() > 0) {
            throw new Invalid(key, "cannot be: " + plan.generator() + " has no ramp-up");
        }
        try {
            load.users().forEach(users -> plan.tool().get().command(load.toolLoad(ANYWHERE, users), Path.of("")));
        } catch (UsageException e) {
            throw new Invalid(key, "cannot be: " + e.getMessage());
        }
    }
}
