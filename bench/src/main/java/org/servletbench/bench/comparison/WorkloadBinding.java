package org.servletbench.bench.comparison;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Extract;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Times;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;

/** Binds the workloads of a file. */
record WorkloadBinding(Tree tree, Map<String, WorkloadSpec> specs, Path file, ArmBinding.Origin place) {

    /** Headers that servlet-bench sets itself, or that would change how an answer is framed. */
    private static final List<String> OWN_HEADERS =
            List.of("host", "content-length", "transfer-encoding", "connection", "accept-encoding", "expect");

    private static final int LONGEST_BODY = 1 << 20;

    /** Keys for a list of requests that each user sends in order. They apply to the list as a whole. */
    private static final List<String> OF_LISTS = List.of("requests", "data", "reset", "simulation");

    private static final Predicate<String> NAME = name -> name.matches("[A-Za-z0-9][A-Za-z0-9_-]*");

    private static final List<Rule<WorkloadSpec>> OF_REQUESTS = List.of(
            Rule.of("", one -> one.url() == null, ": 'url' is missing"),
            Rule.of("", one -> one.body() != null && one.bodyFile() != null, ": give body or body-file, not both"),
            Rule.of(
                    "",
                    one -> (one.body() != null || one.bodyFile() != null)
                            && one.methodOrGet().equals("GET"),
                    ": a GET has no body: give a method"));

    private static final List<Rule<WorkloadSpec>> OF_ONE = List.of(
            Rule.of(
                    "extract",
                    one -> !one.extract().isEmpty(),
                    ": there is no later request that could use it: give requests"),
            Rule.of("once", one -> one.once() != null, " is for requests of a list: give requests"));

    private static final List<Rule<WorkloadSpec>> OF_A_SIMULATION = Stream.concat(
                    Stream.of(Rule.<WorkloadSpec>of(
                            "simulation",
                            one -> !one.simulation().matches("[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)*"),
                            ": give the name of a class, such as shop.CheckoutSimulation")),
                    without(": the simulation says what is sent"))
            .toList();

    private static final List<Rule<WorkloadSpec>> OF_A_LIST = Stream.concat(
                    Stream.of(Rule.<WorkloadSpec>of(
                            "requests", one -> one.requests().isEmpty(), " is empty")),
                    without(" belongs to each of its requests"))
            .toList();

    /** Returns rules that reject keys of a single request next to a list or a simulation. */
    private static Stream<Rule<WorkloadSpec>> without(String message) {
        return Rule.ofEach(
                Keys.of(WorkloadSpec.class).stream()
                        .map(Keys.Entry::name)
                        .filter(key -> !OF_LISTS.contains(key))
                        .toList(),
                one -> true,
                message);
    }

    List<Workload> workloads() {
        List<Workload> bound = specs.entrySet().stream()
                .map(entry -> workload(entry.getKey(), entry.getValue()))
                .toList();
        return bound.stream()
                .map(one -> specs.get(one.name()).reset() == null ? one : one.resetBy(reset(one, bound)))
                .toList();
    }

    private Workload workload(String name, WorkloadSpec spec) {
        String path = "workloads." + name;
        requireName(path, name);
        Workload bound = bound(name, spec, path);
        if (spec.data() != null
                && bound.parts().stream().allMatch(one -> one.sending().rows().isEmpty())) {
            throw tree.wrong(path + ".data", "'" + path + ".data': no url, header or body has a ${column}");
        }
        return bound;
    }

    private Workload bound(String name, WorkloadSpec spec, String path) {
        if (spec.simulation() != null) {
            Rule.check(OF_A_SIMULATION, spec, tree, path);
            List<Workload> checked = spec.requests() == null ? List.of() : requests(name, spec, path);
            return Workload.simulation(name, spec.simulation(), checked);
        }
        if (spec.requests() != null) {
            return Workload.list(name, requests(name, spec, path));
        }
        Rule.check(OF_ONE, spec, tree, path);
        return request(name, spec, path, spec.data(), Set.of());
    }

    private List<Workload> requests(String name, WorkloadSpec spec, String path) {
        Rule.check(OF_A_LIST, spec, tree, path);
        Map<String, Workload> requests = new LinkedHashMap<>();
        Set<String> taken = new TreeSet<>();
        for (int i = 0; i < spec.requests().size(); i++) {
            WorkloadSpec one = spec.requests().get(i);
            String own = path + ".requests." + i;
            if (one.label() == null) {
                throw tree.wrong(own, "'" + own + "': 'label' is missing");
            }
            requireName(own + ".label", one.label());
            if (requests.containsKey(one.label())) {
                throw tree.wrong(own, "'" + own + ".label': '" + one.label() + "' appears twice");
            }
            if (one.isOnce()
                    && requests.values().stream()
                            .anyMatch(before -> !before.sending().isOnce())) {
                throw tree.wrong(
                        own, "'" + own + ".once': it comes after one that is sent in each pass: put it before them");
            }
            requests.put(one.label(), request(Load.step(name, one.label()), one, own, spec.data(), taken));
            taken.addAll(one.extract().keySet());
        }
        if (requests.values().stream().allMatch(one -> one.sending().isOnce())) {
            throw tree.wrong(
                    path + ".requests", "'" + path + ".requests': all are sent once: add one that is measured");
        }
        return List.copyOf(requests.values());
    }

    private void requireName(String path, String name) {
        if (!NAME.test(name)) {
            throw tree.wrong(path, "'" + path + "': a name has letters, digits, - and _ only");
        }
    }

    /** @param taken names of values that earlier answers provide */
    private Workload request(String name, WorkloadSpec spec, String path, String data, Set<String> taken) {
        Rule.check(OF_REQUESTS, spec, tree, path);
        Map<String, String> values = new LinkedHashMap<>(Map.of("workloads", name));
        put(values, name + ".path", spec.url());
        put(values, name + ".bytes", spec.length());
        put(values, name + ".warmup.path", spec.warmUp());
        return Workload.all(values, file)
                .get(0)
                .sending(sending(spec, path, data, taken))
                .at(spec.url(), spec.warmUp() == null ? spec.url() : spec.warmUp());
    }

    /**
     * Stores a path in which all placeholders are replaced, because they are filled in only later, so that it can be
     * checked.
     */
    private static void put(Map<String, String> values, String key, String text) {
        if (text != null) {
            String known = Secrets.FROM_ENVIRONMENT.matcher(text).replaceAll("0");
            values.put(key, RequestSpec.COLUMN.matcher(known).replaceAll("0"));
        }
    }

    private Workload reset(Workload of, List<Workload> all) {
        String named = specs.get(of.name()).reset();
        String path = "workloads." + of.name() + ".reset";
        List<Workload> others =
                all.stream().filter(one -> !one.name().equals(of.name())).toList();
        return others.stream()
                .filter(one -> one.name().equals(named))
                .findFirst()
                .orElseThrow(() -> tree.wrong(
                        path,
                        "'" + path + "': there is no other workload '" + named + "'"
                                + Keys.nearest(
                                        named,
                                        others.stream().map(Workload::name).toList())));
    }

    private RequestSpec sending(WorkloadSpec spec, String path, String data, Set<String> taken) {
        String body = spec.bodyFile() == null
                ? spec.body() == null ? "" : spec.body()
                : read(spec.bodyFile(), path + ".body-file");
        Map<String, String> headers = headers(spec.headers(), path + ".headers");
        if (!body.isEmpty() && headers.keySet().stream().noneMatch("content-type"::equalsIgnoreCase)) {
            throw tree.wrong(
                    path, "'" + path + "': a body needs its type: give headers: {Content-Type: application/json}");
        }
        Set<String> used = names(Stream.concat(
                Stream.of(spec.url(), spec.warmUp() == null ? "" : spec.warmUp(), body), headers.values().stream()));
        Set<String> uses = new TreeSet<>(taken);
        uses.add(RequestSpec.SEQUENCE);
        uses.retainAll(used);
        used.removeAll(uses);
        if (data == null && !used.isEmpty()) {
            throw tree.wrong(
                    path,
                    "'" + path + "': nothing defines ${" + used.iterator().next()
                            + "}: give data with such a column, or an extract of an earlier request of a list");
        }
        List<Map<String, String>> rows = data == null || used.isEmpty()
                ? List.of()
                : rows(data, path.replaceFirst("[.]requests[.].*", "") + ".data", used);
        int status = spec.expect() == null || spec.expect().status() == null
                ? 200
                : spec.expect().status();
        List<String> ignored = spec.expect() == null ? List.of() : spec.expect().ignoreHeaders();
        return new RequestSpec(
                spec.methodOrGet(),
                headers,
                body,
                status,
                rows,
                ignored,
                List.copyOf(uses),
                extracts(spec, path + ".extract"),
                spec.isOnce() ? Times.ONCE : null);
    }

    private List<Extract> extracts(WorkloadSpec spec, String path) {
        List<Extract> extracts = new ArrayList<>();
        spec.extract().forEach((name, text) -> {
            String own = path + "." + name;
            if (!RequestSpec.COLUMN.matcher("${" + name + "}").matches() || name.equals(RequestSpec.SEQUENCE)) {
                throw tree.wrong(
                        own,
                        "'" + own + "': a name has letters, digits, - and _ only, and is not '" + RequestSpec.SEQUENCE
                                + "'");
            }
            try {
                extracts.add(Extract.parse(name, text));
            } catch (UsageException e) {
                throw tree.wrong(own, "'" + own + "': " + e.getMessage());
            }
        });
        return extracts;
    }

    /** Returns the names of the placeholders in texts. */
    private static Set<String> names(Stream<String> texts) {
        return texts.flatMap(text -> RequestSpec.COLUMN.matcher(text).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Map<String, String> headers(Map<String, String> given, String path) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.forEach((name, value) -> {
            String wrong = !name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+") || !value.matches("[\\x20-\\x7E]+")
                    ? "'" + name + "' is not an HTTP header, or has no value"
                    : OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))
                            ? name + " is set by the rig"
                            : headers.put(name, value) != null ? name + " appears twice" : "";
            if (!wrong.isEmpty()) {
                throw tree.wrong(path, "'" + path + "': " + wrong);
            }
        });
        return headers;
    }

    private String read(String named, String path) {
        Path found = Path.of(place.file(path, named));
        try {
            return SafeFiles.text(found, LONGEST_BODY);
        } catch (IOException e) {
            throw tree.wrong(path, "'" + path + "': " + e.getMessage());
        }
    }

    /** Returns the rows of a CSV file: the values of the used columns, by column name. */
    private List<Map<String, String>> rows(String named, String path, Set<String> used) {
        List<CsvRecord> lines = lines(named, path);
        List<String> columns = lines.isEmpty() ? List.of() : lines.get(0).getFields();
        for (String column : used) {
            if (!columns.contains(column)) {
                // The message does not list the columns. If it is the wrong file, its first line must not be shown.
                throw wrong(
                        path,
                        named,
                        " has no column '" + column + "'"
                                + Keys.near(column, columns).orElse(" in its first line"));
            }
        }
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            CsvRecord line = lines.get(i);
            if (line.getFieldCount() != columns.size()) {
                throw tree.wrong(
                        path,
                        "'" + path + "': row " + i + " of " + named + " has " + line.getFieldCount()
                                + " values and not " + columns.size());
            }
            rows.add(used.stream()
                    .collect(Collectors.toMap(column -> column, column -> line.getField(columns.indexOf(column)))));
        }
        if (rows.isEmpty()) {
            throw wrong(path, named, " has no rows");
        }
        return rows;
    }

    /** Returns the lines of a CSV file. The first one has the names of the columns, which are unique. */
    private List<CsvRecord> lines(String named, String path) {
        try (CsvReader<CsvRecord> csv = CsvReader.builder()
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(read(named, path))) {
            List<CsvRecord> lines = csv.stream().toList();
            if (!lines.isEmpty()) {
                List<String> columns = lines.get(0).getFields();
                for (String column : columns) {
                    if (columns.indexOf(column) != columns.lastIndexOf(column)) {
                        throw wrong(path, named, " is not a CSV file (the column '" + column + "' appears twice)");
                    }
                }
            }
            return lines;
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw wrong(path, named, " is not a CSV file (" + e.getMessage() + ")");
        }
    }

    private UsageException wrong(String path, String named, String what) {
        return tree.wrong(path, "'" + path + "': " + named + what);
    }
}
