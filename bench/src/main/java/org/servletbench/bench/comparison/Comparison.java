package org.servletbench.bench.comparison;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;
import org.servletbench.bench.comparison.Keys.Section;
import org.servletbench.bench.comparison.LoadSpec.Kind;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.Sending;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;

/**
 * A question as a file: arms, loads, what is judged, and when it ends.
 *
 * @param name of its file, without folder and ending
 * @param question in words; empty where the file has none
 * @param settings what the file says of judging, stopping and measuring, by the names of profiles/campaign.properties
 * @param arms without the copies of baselines
 * @param workloads of its own
 * @param claims of its arms
 */
public record Comparison(
        String name,
        String question,
        Map<String, String> settings,
        List<ArmSpec> arms,
        List<LoadSpec> loads,
        List<Workload> workloads,
        ClaimList claims) {

    /** The one that is taken where none is named. */
    public static final String USUAL = "quick";

    /** Of loads that are known beforehand: then a difference of 5 % is found in 8 of 10 campaigns that reach it. */
    static final String PRECISION = "3.9%";

    /** Before the name of a service's request: none of the profiles' begins so. */
    private static final String OF_SERVICE = "GET-";

    private static final String YAML = ".yaml";
    private static final String VARIANTS = "variants";
    /** Two letters at least before the colon: C: is a drive. */
    private static final Pattern VARIANT = Pattern.compile("(.{2,}):([A-Za-z0-9-]+)");

    private static final String NGINX = "nginx";

    /** What is done in each server. */
    public Kind kind() {
        return loads.get(0).kind();
    }

    /**
     * A comparison that ships, or one in a file of the user's own.
     *
     * @param root of the repository
     * @param named a file, or the name of one in {@code comparisons/}
     * @param options over the file: see {@link Overrides}
     * @throws UsageException in one line if there is none, or it is wrong
     */
    public static Comparison read(Path root, String named, Map<String, String> options, ProfilesFolder profiles) {
        Matcher variant = VARIANT.matcher(named);
        String base = variant.matches() ? variant.group(1) : named;
        Path file = file(root, base);
        Value tree = Value.read(file);
        String name = file.getFileName().toString().replaceFirst("[.]ya?ml$", "");
        if (variant.matches()) {
            Value all = tree.get(VARIANTS).filter(value -> value.map() != null).orElse(Value.map(""));
            Value over = all.get(variant.group(2))
                    .orElseThrow(() -> new UsageException(base + " has no variant '" + variant.group(2) + "'"
                            + (all.map().isEmpty()
                                    ? ""
                                    : Keys.nearest(
                                            variant.group(2),
                                            List.copyOf(all.map().keySet())))));
            tree.over(over);
            name += "-" + variant.group(2);
        }
        return new Binding(root, file, profiles).bind(name, Overrides.apply(tree, options));
    }

    /**
     * The usual comparison with a finished service in place of ours: its containers, under one request.
     *
     * @param app an executable jar
     * @param url path of the request
     * @param containers that it can run on; the first is its own, and the jar of that arm stays as it is
     * @param options over it: see {@link Overrides}
     * @throws UsageException in one line if something is wrong
     */
    public static Comparison ofService(
            Path root,
            Path app,
            String url,
            List<String> containers,
            Map<String, String> options,
            ProfilesFolder profiles) {
        String request = OF_SERVICE
                + url.replaceFirst("[?].*", "").replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-|-$", "");
        Value arms = Value.map("--app");
        containers.forEach(container -> arms.map().put(container, Value.map("--app")));
        arms.map().forEach((container, arm) -> {
            if (!container.equals(containers.get(0))) {
                arm.map().put("container", Value.text("--app", container));
            }
        });
        Value tree = Value.read(file(root, USUAL));
        tree.map()
                .put(
                        "question",
                        Value.text(
                                "--app", "Which container is fastest for " + url + " of " + app.getFileName() + "?"));
        tree.map().put("app", Value.text("--app", app.toString()));
        tree.map().put("arms", arms);
        tree.map().put("workloads", Value.map("--url"));
        tree.map().get("workloads").map().put(request, Value.map("--url"));
        tree.map().get("workloads").map().get(request).map().put("url", Value.text("--url", url));
        tree.map().get("load").list().forEach(load -> load.map().put("workloads", Value.text("--url", request)));
        return new Binding(root, Path.of("--url"), profiles).bind("service", Overrides.apply(tree, options));
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

    /** The names of what a file says of stopping and measuring, as the profiles and single runs have them. */
    public static List<String> options() {
        return Stream.of(Section.STOP, Section.MEASURE)
                .flatMap(section -> Keys.of(section).stream())
                .map(key -> Keys.option(key.name()))
                .toList();
    }

    /** The names of those that ship, in alphabetical order; without their variants. */
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

    /** The variants of one that ships, as they are asked for: {@code published/wrk-hello:equalised}. */
    public static List<String> variants(Path root, String name) {
        return Value.read(file(root, name)).get(VARIANTS).stream()
                .flatMap(all -> all.map().keySet().stream())
                .map(variant -> name + ":" + variant)
                .toList();
    }

    /** From the tree of a file to its records. */
    private record Binding(Path root, Path file, ProfilesFolder profiles) {

        private static final List<String> OF_FIND = List.of("from", "resolution", "users");
        /** How wrk, ab and siege are used, which have the closed model alone. */
        private static final List<String> OF_TOOLS =
                List.of("requests", "keep-alive", "max-pause", "tool-threads", "tool-options");

        private Comparison bind(String name, Value tree) {
            Keys.check(tree, Section.FILE, List.of(), "");
            Value arms = required(tree, "arms");
            Value load = required(tree, "load");
            List<Workload> own = workloads(tree);
            List<ArmSpec> bound = arms(tree, arms);
            Map<String, String> settings = new LinkedHashMap<>();
            List<LoadSpec> loads = loads(load, own, settings);
            Kind kind = loads.get(0).kind();
            if (kind == Kind.STARTS
                    && bound.stream().anyMatch(arm -> NGINX.equals(arm.traits().get("container")))) {
                throw arms.wrong("'arms': nginx is no JVM: leave it out of starts");
            }
            judge(tree, kind, loads, settings);
            section(tree, Section.STOP, "stop", settings);
            section(tree, Section.MEASURE, "measure", settings);
            protocols(bound, arms);
            compression(bound, arms, settings.containsKey("accept-encoding"));
            if (kind == Kind.FIXED && !settings.containsKey("blocks")) {
                settings.putIfAbsent("precision", PRECISION);
            }
            jdks(bound).ifPresent(homes -> settings.put("jdk", homes));
            return new Comparison(
                    name,
                    tree.get("question").map(Value::text).orElse(""),
                    settings,
                    bound,
                    loads,
                    own,
                    claims(tree, bound, loads, settings.get("primary")));
        }

        private static ClaimList claims(Value tree, List<ArmSpec> arms, List<LoadSpec> loads, String judged) {
            Map<String, String> baselines = new LinkedHashMap<>();
            List<String> references = new ArrayList<>();
            for (ArmSpec arm : arms) {
                if (arm.trait("container").equals(Optional.of(NGINX))) {
                    references.add(arm.name());
                } else {
                    baselines.put(arm.name(), arm.against());
                }
            }
            ClaimSpec.Subjects subjects = new ClaimSpec.Subjects(
                    baselines,
                    references,
                    loads.stream().flatMap(load -> load.cells().stream()).toList(),
                    List.of(judged.split(" *, *")));
            return new ClaimList(
                    tree.get("claims")
                            .map(claims -> ClaimSpec.all(claims, subjects))
                            .orElse(List.of()),
                    tree.get("published").map(Binding::published).orElse(null));
        }

        private static Published published(Value value) {
            try {
                return Value.JSON.treeToValue(value.json(), Published.class);
            } catch (JsonProcessingException e) {
                throw value.wrong("'published': "
                        + e.getOriginalMessage().lines().findFirst().orElse(""));
            }
        }

        /** The ceiling of another protocol would be none. */
        private static void protocols(List<ArmSpec> arms, Value where) {
            if (arms.stream().anyMatch(arm -> arm.trait("container").equals(Optional.of(NGINX)))
                    && arms.stream().anyMatch(arm -> arm.traits().containsKey(Protocol.KEY))) {
                throw where.wrong("'arms': nginx speaks http here: leave it out of a comparison with a 'protocol'");
            }
        }

        /** One without the other does nothing; a service may compress by itself. */
        private static void compression(List<ArmSpec> arms, Value where, boolean accepted) {
            boolean own = arms.stream().anyMatch(arm -> arm.traits().containsKey("app"));
            Set<String> compressing = arms.stream()
                    .flatMap(arm -> arm.traits().entrySet().stream())
                    .filter(trait -> trait.getKey().startsWith(ArmSpec.PROPERTY + "server.compression."))
                    .map(trait -> trait.getKey().substring(ArmSpec.PROPERTY.length()) + "=" + trait.getValue())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            if (!accepted && !compressing.isEmpty()) {
                throw where.wrong("'" + compressing.iterator().next()
                        + "' would change nothing: no request accepts gzip: add measure: {accept-encoding: gzip}");
            }
            if (accepted && !own && !compressing.contains("server.compression.enabled=true")) {
                throw where.wrong("'measure.accept-encoding' would change nothing: no arm compresses: add properties:"
                        + " {server.compression.enabled: true}");
            }
        }

        private static Value required(Value tree, String key) {
            return tree.get(key).orElseThrow(() -> tree.wrong("'" + key + "' is missing"));
        }

        private static void section(Value tree, Section section, String key, Map<String, String> settings) {
            tree.get(key).ifPresent(map -> {
                Keys.check(map, section, List.of(), key);
                map.map()
                        .forEach((name, value) ->
                                settings.put(Keys.option(name), value.list() == null ? value.text() : joined(value)));
            });
        }

        private static String joined(Value list) {
            return String.join(",", list.texts());
        }

        private void judge(Value tree, Kind kind, List<LoadSpec> loads, Map<String, String> settings) {
            tree.get("judge").ifPresent(judge -> judge.texts().forEach(key -> Keys.metric(judge, "judge", key)));
            boolean closed = loads.stream().anyMatch(load -> !load.tiers().isEmpty());
            settings.put(
                    "primary",
                    tree.get("judge")
                            .map(Binding::joined)
                            .orElse(
                                    switch (kind) {
                                        case STARTS -> "ready,ready.rss";
                                        case FIND -> "capacity";
                                        case FIXED -> closed ? "throughput,cpu" : "cpu,p99,alloc";
                                    }));
            for (String key : List.of("margin", "alpha")) {
                tree.get(key).ifPresent(value -> settings.put(key, value.text()));
            }
        }

        // ---- workloads and loads ----

        /** Of requests that each user sends in order, the list has these for all of them. */
        private static final List<String> OF_LISTS = List.of("requests", "data", "reset");

        private List<Workload> workloads(Value tree) {
            Value all = tree.get("workloads").orElse(Value.map(""));
            List<Workload> bound = all.map().entrySet().stream()
                    .map(entry -> workload(entry.getKey(), entry.getValue()))
                    .toList();
            return bound.stream()
                    .map(one -> all.map()
                            .get(one.name())
                            .get("reset")
                            .map(named -> one.resetBy(reset(named, one, bound)))
                            .orElse(one))
                    .toList();
        }

        private Workload workload(String name, Value value) {
            String path = "workloads." + name;
            Keys.check(value, Section.WORKLOAD, List.of("label"), path);
            requireName(value, path, name);
            Optional<Value> data = value.get("data");
            Workload bound = value.get("requests")
                    .map(list -> Workload.list(name, requests(name, value, list)))
                    .orElseGet(() -> request(name, value, path, data));
            if (data.isPresent()
                    && bound.parts().stream().noneMatch(one -> one.sending().varies())) {
                throw data.get().wrong("'" + path + ".data': neither url nor body has a ${column}");
            }
            return bound;
        }

        private List<Workload> requests(String name, Value workload, Value list) {
            String path = "workloads." + name;
            workload.map().keySet().stream()
                    .filter(key -> !OF_LISTS.contains(key))
                    .findFirst()
                    .ifPresent(key -> {
                        throw workload.map().get(key).wrong("'" + path + "." + key + "' is of each of its requests");
                    });
            if (list.list().isEmpty()) {
                throw list.wrong("'" + path + ".requests' is empty");
            }
            Map<String, Workload> requests = new LinkedHashMap<>();
            for (int i = 0; i < list.list().size(); i++) {
                Value one = list.list().get(i);
                String place = path + ".requests." + i;
                Keys.check(one, Section.WORKLOAD, List.of("requests", "data", "reset", "warm-up"), place);
                String label = required(one, "label").text();
                requireName(one, place + ".label", label);
                if (requests.containsKey(label)) {
                    throw one.wrong("'" + place + ".label': '" + label + "' is there twice");
                }
                requests.put(label, request(Load.step(name, label), one, place, workload.get("data")));
            }
            return List.copyOf(requests.values());
        }

        private static void requireName(Value value, String path, String name) {
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]*")) {
                throw value.wrong("'" + path + "': a name has letters, digits, - and _ only");
            }
        }

        private Workload request(String name, Value value, String path, Optional<Value> data) {
            String url = required(value, "url").text();
            Map<String, String> values = new LinkedHashMap<>(Map.of("workloads", name));
            Map.of("url", ".path", "length", ".bytes", "warm-up", ".warmup.path")
                    .forEach((key, suffix) -> value.get(key)
                            .map(Value::text)
                            // What is filled in later must not keep a path from being checked.
                            .map(text -> data.isPresent()
                                    ? Sending.COLUMN.matcher(text).replaceAll("0")
                                    : text)
                            .ifPresent(text -> values.put(name + suffix, text)));
            return Workload.all(values, file)
                    .get(0)
                    .sending(sending(value, path, data))
                    .at(url, value.get("warm-up").map(Value::text).orElse(url));
        }

        private static Workload reset(Value named, Workload of, List<Workload> all) {
            List<String> names = all.stream()
                    .map(Workload::name)
                    .filter(name -> !name.equals(of.name()))
                    .toList();
            return all.stream()
                    .filter(one -> names.contains(one.name()) && one.name().equals(named.text()))
                    .findFirst()
                    .orElseThrow(() -> named.wrong("'workloads." + of.name() + ".reset': there is no other workload '"
                            + named.text() + "'" + Keys.nearest(named.text(), names)));
        }

        /** What the rig sets itself, or what would change how an answer is framed. */
        private static final List<String> OWN_HEADERS =
                List.of("host", "content-length", "transfer-encoding", "connection", "accept-encoding", "expect");

        private static final int LONGEST_BODY = 1 << 20;

        private Sending sending(Value value, String path, Optional<Value> data) {
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            value.get("headers").ifPresent(all -> all.map().forEach((name, one) -> {
                if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+") || !one.text().matches("[\\x20-\\x7E]+")) {
                    throw one.wrong("'" + path + ".headers': '" + name + "' is no header of HTTP, or has no value");
                }
                if (OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                    throw one.wrong("'" + path + ".headers': " + name + " is set by the rig");
                }
                if (headers.put(name, one.text()) != null) {
                    throw one.wrong("'" + path + ".headers': " + name + " stands there twice");
                }
            }));
            String method = value.get("method").map(Value::text).orElse("GET");
            String body = value.get("body").map(Value::text).orElse("");
            if (value.get("body-file").isPresent()) {
                Value named = value.map().get("body-file");
                if (!body.isEmpty()) {
                    throw named.wrong("'" + path + "': give body or body-file, not both");
                }
                body = bodyOf(named, path);
            }
            if (!body.isEmpty() && method.equals("GET")) {
                throw value.wrong("'" + path + "': a GET has no body: give a method");
            }
            if (!body.isEmpty() && headers.keySet().stream().noneMatch("content-type"::equalsIgnoreCase)) {
                throw value.wrong(
                        "'" + path + "': a body needs its type: give headers: {Content-Type: application/json}");
            }
            int status = 200;
            if (value.get("expect").isPresent()) {
                Keys.check(value.map().get("expect"), Section.EXPECT, List.of(), path + ".expect");
                status = value.map()
                        .get("expect")
                        .get("status")
                        .map(one -> Integer.parseInt(one.text()))
                        .orElse(200);
            }
            List<Map<String, String>> rows = List.of();
            if (data.isPresent()) {
                String templates = value.map().get("url").text()
                        + value.get("warm-up").map(Value::text).orElse("")
                        + body;
                rows = rows(data.get(), path.replaceFirst("[.]requests[.].*", "") + ".data", templates);
            }
            return new Sending(method, headers, body, status, rows);
        }

        private String bodyOf(Value named, String path) {
            return read(named, path + ".body-file");
        }

        private String read(Value named, String path) {
            Path found = Path.of(file(named, path, named.text()));
            try {
                if (Files.size(found) > LONGEST_BODY) {
                    throw named.wrong("'" + path + "': " + found + " is longer than 1 MiB");
                }
                return Files.readString(found);
            } catch (IOException e) {
                throw named.wrong("'" + path + "': " + found + " is no UTF-8 text that can be read");
            }
        }

        /** The columns that are used, of all rows of a CSV file; empty where none is. */
        private List<Map<String, String>> rows(Value named, String path, String templates) {
            Set<String> used = Sending.COLUMN
                    .matcher(templates)
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (used.isEmpty()) {
                return List.of();
            }
            CSVFormat format = CSVFormat.DEFAULT
                    .builder()
                    .setHeader()
                    .setSkipHeaderRecord(true)
                    .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
                    .get();
            List<Map<String, String>> rows = new ArrayList<>();
            try (CSVParser lines = CSVParser.parse(read(named, path), format)) {
                for (String column : used) {
                    if (!lines.getHeaderMap().containsKey(column)) {
                        throw named.wrong("'" + path + "': " + named.text() + " has no column '" + column + "'"
                                + Keys.nearest(column, lines.getHeaderNames()));
                    }
                }
                for (CSVRecord line : lines) {
                    if (!line.isConsistent()) {
                        throw named.wrong("'" + path + "': row " + line.getRecordNumber() + " of " + named.text()
                                + " has " + line.size() + " values and not "
                                + lines.getHeaderNames().size());
                    }
                    rows.add(used.stream().collect(Collectors.toMap(column -> column, line::get)));
                }
            } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
                throw named.wrong("'" + path + "': " + named.text() + " is no CSV (" + e.getMessage() + ")");
            }
            if (rows.isEmpty()) {
                throw named.wrong("'" + path + "': " + named.text() + " has no rows");
            }
            return rows;
        }

        private List<LoadSpec> loads(Value all, List<Workload> own, Map<String, String> settings) {
            if (all.list().isEmpty()) {
                throw all.wrong("'load' is empty");
            }
            List<LoadSpec> loads = new ArrayList<>();
            for (int i = 0; i < all.list().size(); i++) {
                Value value = all.list().get(i);
                String path = "load." + i;
                Keys.check(value, Section.LOAD, List.of(), path);
                LoadSpec load = load(value, path, settings);
                names(value, path, load.workloads(), own);
                if (load.kind() != Kind.FIXED && all.list().size() > 1) {
                    throw value.wrong("'" + path + "': no other load may stand beside one with 'find' or 'starts'");
                }
                loads.add(load);
            }
            return List.copyOf(loads);
        }

        private LoadSpec load(Value value, String path, Map<String, String> settings) {
            Set<String> keys = value.map().keySet();
            boolean find = keys.contains("find");
            boolean starts = keys.contains("starts");
            boolean fixed = keys.contains("tiers") || keys.contains("rates");
            if (Stream.of(find, starts, fixed).filter(one -> one).count() != 1) {
                throw value.wrong("'" + path + "' needs tiers or rates, or find, or starts");
            }
            if (!find) {
                requireNone(value, path, OF_FIND, "'find'");
            }
            if (!keys.contains("tiers") || keys.contains("rates")) {
                requireNone(value, path, OF_TOOLS, "'tiers' alone");
            }
            if (find) {
                settings.put("slo", value.map().get("find").text());
                OF_FIND.forEach(key -> value.get(key).ifPresent(one -> settings.put(key, one.text())));
            }
            value.get("starts").ifPresent(number -> settings.put("blocks", number.text()));
            return new LoadSpec(
                    find ? Kind.FIND : starts ? Kind.STARTS : Kind.FIXED,
                    value.get("workloads").map(Value::texts).orElse(List.of("hello")),
                    value.get("tiers").map(Value::texts).orElse(List.of()),
                    value.get("rates").map(Value::texts).orElse(List.of()),
                    tool(value));
        }

        private static void requireNone(Value load, String path, List<String> keys, String of) {
            keys.stream().filter(load.map()::containsKey).findFirst().ifPresent(key -> {
                throw load.wrong("'" + path + "." + key + "' is of loads with " + of);
            });
        }

        private static ToolSettings tool(Value load) {
            return new ToolSettings(
                    load.get("max-pause")
                            .map(pause -> Options.duration0(pause.text()).toMillis() / 1000.0)
                            .orElse(0.0),
                    load.get("requests").map(one -> Long.parseLong(one.text())).orElse(0L),
                    load.get("tool-threads")
                            .map(one -> Integer.parseInt(one.text()))
                            .orElse(0),
                    load.get("keep-alive").map(one -> one.text().equals("true")).orElse(true),
                    load.get("tool-options").map(Value::texts).orElse(List.of()));
        }

        private void names(Value load, String path, List<String> names, List<Workload> own) {
            List<String> known = Stream.concat(own.stream(), profiles.allWorkloads().stream())
                    .map(Workload::name)
                    .toList();
            own.stream()
                    .map(Workload::name)
                    .filter(name -> profiles.allWorkloads().stream()
                            .anyMatch(other -> other.name().equals(name)))
                    .findFirst()
                    .ifPresent(name -> {
                        throw new UsageException(file + ": 'workloads." + name + "' is the name of a workload of"
                                + " profiles/workloads.properties: choose another");
                    });
            names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
                throw load.wrong(
                        "'" + path + ".workloads': there is no workload '" + name + "'" + Keys.nearest(name, known));
            });
        }

        // ---- arms ----

        private List<ArmSpec> arms(Value tree, Value arms) {
            if (arms.map().isEmpty()) {
                throw arms.wrong("'arms' is empty");
            }
            Value server = tree.get("server").orElse(Value.map(""));
            Keys.check(server, Section.ARM, Keys.OF_ARMS_ONLY, "server");
            String first = arms.map().keySet().iterator().next();
            List<ArmSpec> all = new ArrayList<>();
            Map<Map<String, String>, String> seen = new LinkedHashMap<>();
            arms.map().forEach((name, value) -> {
                ArmSpec arm = arm(name, value, server, tree.get("app"), first);
                String same = seen.put(arm.traits(), name);
                if (same != null) {
                    throw value.wrong("'arms." + name + "' does not differ from '" + same + "'");
                }
                all.add(arm);
            });
            return withBaselines(all, arms);
        }

        private ArmSpec arm(String name, Value value, Value server, Optional<Value> app, String first) {
            String path = "arms." + name;
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9._+@-]*") || name.endsWith("-control")) {
                throw value.wrong("'" + path + "': a name has letters, digits and . _ + @ - only, and does not end in"
                        + " -control");
            }
            Value own = value.isEmpty() ? Value.map(value.where()) : value;
            Keys.check(own, Section.ARM, List.of(), path);
            Map<String, String> traits = new LinkedHashMap<>();
            boolean named = own.map().containsKey("container");
            boolean jar = own.map().containsKey("app") || app.isPresent();
            if (named && jar) {
                String container = own.map().get("container").text();
                List<String> known = profiles.containers().stream()
                        .map(profile -> profiles.container(profile).container())
                        .distinct()
                        .toList();
                if (!known.contains(container)) {
                    throw value.wrong("'" + path + ".container': an app has no container '" + container + "'"
                            + Keys.nearest(container, known));
                }
                traits.put("container", container);
            }
            if (!jar) {
                String container = own.get("container").map(Value::text).orElse(name);
                List<String> known = Stream.concat(profiles.containers().stream(), Stream.of(NGINX))
                        .toList();
                if (!known.contains(container)) {
                    throw value.wrong("'" + path + (named ? ".container': " : "' has no container: ")
                            + "there is no container '" + container + "'" + Keys.nearest(container, known));
                }
                traits.put("container", container);
            }
            if (NGINX.equals(traits.get("container"))) {
                own.map().keySet().stream()
                        .filter(key -> !List.of("container", "against", "label").contains(key))
                        .findFirst()
                        .ifPresent(key -> {
                            throw value.wrong("'" + path + "." + key + "' does nothing: nginx is no JVM");
                        });
            } else {
                addTraits(traits, server);
                addTraits(traits, own);
            }
            app.filter(any -> jar).ifPresent(top -> traits.putIfAbsent("app", top.text()));
            String line = jar || NGINX.equals(traits.get("container")) ? "" : line(value, path, traits);
            if (jar) {
                traits.put("app", jar(value, path, traits.get("app")));
                Stream.of(named ? "" : "version", "boot", "threads")
                        .filter(traits::containsKey)
                        .findFirst()
                        .ifPresent(key -> {
                            throw value.wrong("'" + path + "': '" + key + "' is not of your own app"
                                    + (key.equals("version") ? " without a 'container'" : ", which has its own"));
                        });
            }
            traits.remove("threads", "platform");
            traits.remove("archive", "none");
            traits.remove(Protocol.KEY, Protocol.HTTP.key());
            traits.remove(ArmSpec.SETTINGS, "equalised");
            traits.computeIfPresent("heap", (key, size) -> size.toLowerCase(Locale.ROOT));
            String label = own.get("label").map(Value::text).orElseGet(() -> label(name, traits));
            return new ArmSpec(name, label, own.get("against").map(Value::text).orElse(first), traits, line);
        }

        private String label(String name, Map<String, String> traits) {
            return name.equals(traits.get("container")) && !name.equals(NGINX) && !traits.containsKey("app")
                    ? profiles.container(name).label()
                    : name;
        }

        private void addTraits(Map<String, String> traits, Value map) {
            for (Keys.Key key : Keys.of(Section.ARM)) {
                Value value = map.get(key.name()).orElse(null);
                if (value == null || List.of("against", "label", "container").contains(key.name())) {
                    continue;
                }
                switch (key.name()) {
                    case "jvm" ->
                        traits.merge("jvm", String.join(" ", value.texts()), (shared, own) -> shared + " " + own);
                    case "properties" -> {
                        if (value.map() == null) {
                            profiles.settings(value.text());
                            traits.put(ArmSpec.SETTINGS, value.text());
                        } else {
                            value.map().forEach((name, one) -> traits.put(ArmSpec.PROPERTY + name, one.text()));
                        }
                    }
                    default -> traits.put(key.name(), value.text());
                }
            }
        }

        private String line(Value value, String path, Map<String, String> traits) {
            ContainerProfile profile = profiles.container(traits.get("container"));
            String boot = traits.getOrDefault("boot", profile.usualLine());
            String line = boot.matches("\\d+\\..*") ? "boot" + boot.replaceFirst("\\..*", "") : boot;
            if (!ContainerProfile.LINES.contains(line)) {
                throw value.wrong("'" + path + ".boot': there is no line '" + boot + "': choose from "
                        + String.join(", ", ContainerProfile.LINES) + ", or give a version such as 4.0.1");
            }
            profile.missingOn(line).ifPresent(why -> {
                throw value.wrong("'" + path + "': " + why);
            });
            for (String key : List.of("boot", "version")) {
                if (traits.containsKey(key) && !traits.get(key).matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
                    throw value.wrong("'" + path + "." + key + "' is no version");
                }
            }
            traits.remove("boot", profile.usualLine());
            return line;
        }

        private String jar(Value value, String path, String text) {
            return file(value, path + ".app", text);
        }

        /** Relative paths are taken from the folder of the file, from the root, and from here. */
        private String file(Value value, String path, String text) {
            return Stream.of(
                            file.toAbsolutePath().getParent(),
                            root.toAbsolutePath(),
                            Path.of("").toAbsolutePath())
                    .map(folder -> folder.resolve(text).normalize())
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow(() -> value.wrong("'" + path + "': there is no file " + text))
                    .toString();
        }

        /** An arm that another one names as its baseline is one itself. */
        private static List<ArmSpec> withBaselines(List<ArmSpec> all, Value arms) {
            Set<String> baselines =
                    all.stream().map(ArmSpec::against).collect(Collectors.toCollection(LinkedHashSet::new));
            for (ArmSpec arm : all) {
                Value value = arms.map().get(arm.name());
                boolean said = value.get("against").isPresent();
                if (!arms.map().containsKey(arm.against())) {
                    throw value.wrong("'arms." + arm.name() + ".against': there is no arm '" + arm.against() + "'"
                            + Keys.nearest(arm.against(), List.copyOf(arms.map().keySet())));
                }
                if (baselines.contains(arm.name())) {
                    if (said && !arm.against().equals(arm.name())) {
                        throw value.wrong(
                                "'arms." + arm.name() + ".against': the arm is the baseline of others itself");
                    }
                    if (NGINX.equals(arm.traits().get("container"))) {
                        throw value.wrong("'arms." + arm.name() + "': nginx is a reference, and no baseline");
                    }
                }
            }
            return all.stream()
                    .map(arm -> baselines.contains(arm.name())
                            ? new ArmSpec(arm.name(), arm.label(), arm.name(), arm.traits(), arm.line())
                            : arm)
                    .toList();
        }

        /** The homes of all arms' JDKs with commas between; empty where all run on the rig's. */
        private static Optional<String> jdks(Collection<ArmSpec> arms) {
            Set<String> homes = new LinkedHashSet<>();
            arms.forEach(arm -> homes.add(arm.trait("jdk").orElse(System.getProperty("java.home"))));
            return arms.stream().anyMatch(arm -> arm.trait("jdk").isPresent())
                    ? Optional.of(String.join(",", homes))
                    : Optional.empty();
        }
    }
}
