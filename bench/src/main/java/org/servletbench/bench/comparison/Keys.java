package org.servletbench.bench.comparison;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;

/** The table of a comparison's keys: it checks files, and the reference page is made of it. */
public final class Keys {

    /** What a key's value may be. */
    enum Type {
        TEXT("a text", ".+"),
        TIME("a time with its unit, such as 10s, 500ms or 2m", "\\d{1,9}(ms|s|m|h)"),
        SIZE("a size, such as 512m or 2g", "[1-9]\\d{0,5}[mMgG]"),
        SHARE("a share, such as 3%", "\\d{1,3}(\\.\\d{1,12})?%?|\\.\\d{1,12}%?"),
        COUNT("a whole number", "\\d{1,9}"),
        NUMBER("a number", "\\d{1,9}(\\.\\d{1,12})?"),
        SEED("a whole number", "-?\\d{1,18}"),
        FLAG("true or false", "true|false"),
        LENGTH("a number of bytes, or LOW..HIGH", "\\d{1,9}(\\.\\.\\d{1,9})?"),
        GZIP("gzip", "gzip"),
        METHOD("GET, POST, PUT, PATCH or DELETE", "GET|POST|PUT|PATCH|DELETE"),
        STATUS("a status, such as 201", "[2-5]\\d\\d"),
        BODY("a text", "(?s).+"),
        HEADERS("a mapping of headers to texts", ""),
        PATH("a path that starts with /", "/.*"),
        THREADS("platform or virtual", "platform|virtual"),
        PROTOCOL("http, https or h2", "http|https|h2"),
        ARCHIVE("none, cds or aot", "none|cds|aot"),
        NAMES("names, as a list", ".+"),
        COUNTS("whole numbers, as a list", "[1-9]\\d{0,8}"),
        RATES("requests/s, as a list", "\\d{1,9}(\\.\\d{1,9})?"),
        OPTIONS("options, as a list", "-\\S+.*"),
        PROPERTIES("a mapping of properties, or the name of a settings set", ".+"),
        MAPPING("a mapping", ".*"),
        LIST("a list", ".*");

        final String words;
        private final Pattern form;

        Type(String words, String form) {
            this.words = words;
            this.form = Pattern.compile(form);
        }

        private boolean isList() {
            return List.of(NAMES, COUNTS, RATES, OPTIONS).contains(this);
        }

        private boolean accepts(Value value) {
            return switch (this) {
                case MAPPING -> value.map() != null;
                case LIST -> value.list() != null;
                case HEADERS ->
                    value.map() != null && value.map().values().stream().allMatch(Value::isText);
                case PROPERTIES ->
                    value.map() == null
                            ? value.isText() && !value.isEmpty()
                            : value.map().values().stream().allMatch(Value::isText);
                default ->
                    isList()
                            ? value.map() == null
                                    && (value.list() == null
                                            || !value.list().isEmpty()
                                                    && value.list().stream().allMatch(Value::isText))
                                    && value.texts().stream()
                                            .allMatch(text -> form.matcher(text).matches())
                            : value.isText() && form.matcher(value.text()).matches();
            };
        }
    }

    /** Where a key may stand, with its title on the reference page. */
    enum Section {
        FILE("A comparison", "At the top of the file"),
        ARM(
                "An arm",
                "Below `arms.NAME`. `server` has the same keys but `container`, `version`, `app`, `against` and `label`. An arm's key replaces\n"
                        + "that of `server`; its `jvm` and `properties` are added"),
        LOAD("A load", "Each element of `load`"),
        WORKLOAD("A workload", "Below `workloads.NAME`"),
        EXPECT("What is expected of an answer", "Below `workloads.NAME.expect`"),
        CLAIM("A claim", "Each element of `claims` that is not a sentence, and of its `all`"),
        STOP("When it ends", "Below `stop`"),
        MEASURE("How it is measured", "Below `measure`; what is not given comes from profiles/campaign.properties");

        final String title;
        final String place;

        Section(String title, String place) {
            this.title = title;
            this.place = place;
        }
    }

    /**
     * A key.
     *
     * @param standard what holds where it is not given, in words; {@code =} for the value in profiles/campaign.properties
     */
    record Key(Section section, String name, Type type, String standard, String meaning) {}

    private static final String TABLE = """
            FILE | question | TEXT | | the question in words
            FILE | app | TEXT | | your executable Spring Boot jar, for arms that name none; its path from the folder of the file or the root of the repository
            FILE | server | MAPPING | | what all arms share
            FILE | arms | MAPPING | | by name, in order; the first is the baseline. An arm with the name of a container needs nothing else
            FILE | workloads | MAPPING | | requests of your own beside those of profiles/workloads.properties
            FILE | load | LIST | | the loads
            FILE | judge | NAMES | by the load | metrics with verdicts: throughput, cpu (tiers); cpu, p99, alloc (rates alone); ready, ready.rss (starts); capacity (find)
            FILE | claims | LIST | | each is judged, and fails the command where it does not hold. `ARM is [not] faster than ARM`, `ARM is [not] slower than ARM`, `ARM is equivalent to ARM`, with `in METRIC` after it for a metric that is not the first of `judge`; or a mapping
            FILE | published | MAPPING | | the article that claims it, with its figures: see comparisons/published/README.md
            FILE | variants | MAPPING | | by name: keys in place of those of the file. `NAME:VARIANT` runs it so
            FILE | margin | SHARE | = | differences up to this count as equal
            FILE | alpha | NUMBER | = | probability of any false verdict in the campaign
            FILE | stop | MAPPING | | when the campaign ends
            FILE | measure | MAPPING | | how it is measured, and on which machines
            ARM | container | TEXT | the arm's name | tomcat-nio, tomcat-nio2, tomcat-apr, jetty or undertow; nginx is a reference that is not ranked. With an app: tomcat, jetty or undertow in exchange for its own; without this key it runs as it is
            ARM | version | TEXT | of the line, or of the app | version of the container
            ARM | boot | TEXT | boot3 | line of Spring Boot (boot2, boot3, boot4), or a version such as 4.0.1
            ARM | app | TEXT | of the file | your executable Spring Boot jar
            ARM | jdk | TEXT | the rig's | home of a JDK, 17 or newer
            ARM | threads | THREADS | platform | virtual: JDK 21 or newer, boot3 or boot4
            ARM | protocol | PROTOCOL | http | https: HTTP/1.1 over TLS; h2: HTTP/2 over TLS (Gatling). The certificate is made for the run. h2c is none: no generator here speaks it
            ARM | heap | SIZE | of the JVM options | heap, in place of every size in the JVM options
            ARM | memory | SIZE | no limit | limit of all memory, by a cgroup
            ARM | jvm | OPTIONS | | JVM options after those of profiles/jvm.options
            ARM | properties | PROPERTIES | equalised | Spring properties over the settings set equalised, or the name of a settings set
            ARM | archive | ARCHIVE | none | cds: its classes; aot: a cache that was trained under load (JDK 25 or newer)
            ARM | against | TEXT | the first arm | its baseline; its own name: it is one itself. Arms of one baseline are judged together
            ARM | label | TEXT | the arm's name | the arm on pages
            LOAD | workloads | NAMES | hello | kinds of requests
            LOAD | tiers | COUNTS | | numbers of concurrent users (closed model)
            LOAD | rates | RATES | | requests/s (open model); Gatling
            LOAD | find | TEXT | | an objective, such as "p99<50ms,errors<0.1%", whose highest rate is found; no other load beside it
            LOAD | from | NUMBER | = | of find: lowest rate, requests/s; a search begins at 1 to 2 times this, at random
            LOAD | resolution | SHARE | = | of find: how far the lowest rate that missed may be above the highest that met
            LOAD | users | COUNT | = | of find: most requests under way
            LOAD | starts | COUNT | | number of starts of each arm, without load; no other load beside it
            WORKLOAD | url | PATH | | path and query
            WORKLOAD | warm-up | PATH | the url | what is requested during the warm-up
            WORKLOAD | length | LENGTH | of the first answers | bytes of the answer's body
            WORKLOAD | method | METHOD | GET | or POST, PUT, PATCH, DELETE: Gatling and JMeter
            WORKLOAD | headers | HEADERS | | recorded, secrets too
            WORKLOAD | body | BODY | | sent as UTF-8; headers have its Content-Type
            WORKLOAD | body-file | TEXT | | UTF-8, at most 1 MiB
            WORKLOAD | requests | LIST | | in place of a url: what each user sends in order, again and again (tiers; Gatling, JMeter). They are judged together, each has figures
            WORKLOAD | label | TEXT | | of each of requests: its name
            WORKLOAD | data | TEXT | | CSV file with a header; its rows take turns as ${column} in url and body
            WORKLOAD | expect | MAPPING | | of the answer
            WORKLOAD | reset | TEXT | | workload sent once to each server before the load
            EXPECT | status | STATUS | 200 | another is an error
            LOAD | requests | COUNT | a time | of ab: a load ends after so many requests
            LOAD | keep-alive | FLAG | true | of wrk, ab and siege: whether a user keeps its connection
            LOAD | max-pause | TIME | 0s | of siege: before each request a user pauses a random time up to this
            LOAD | tool-threads | COUNT | its own choice | of wrk: its threads
            LOAD | tool-options | OPTIONS | | of wrk, ab and siege: further options that change no load
            CLAIM | says | TEXT | made of the other keys | the claim in words
            CLAIM | metric | TEXT | the first of judge | its figure; of ratios of arms one with verdicts
            CLAIM | order | TEXT | | arms with > between them: the first has more
            CLAIM | of | NAMES | | arms
            CLAIM | than | NAMES | | arms by whose figure that of the first is divided; without it, and without than-at, the claim is about the figure itself
            CLAIM | at-least | TEXT | | lower bound: a figure with its unit (50ms, 512m, 0.1%), or a ratio
            CLAIM | at-most | TEXT | | upper bound
            CLAIM | at | MAPPING | all loads | the loads, by `workloads`, `tiers` and `rates`
            CLAIM | than-at | MAPPING | the same load | the load of the figure by which is divided
            CLAIM | all | LIST | | claims without `says` that must all hold
            CLAIM | original | TEXT | | the phrase of an article, in its language
            CLAIM | reading | TEXT | | how that phrase is read
            STOP | precision | SHARE | =; with blocks none | the campaign ends when every interval is this narrow on either side
            STOP | blocks | COUNT | = | number of blocks; with precision the maximum
            STOP | limit | TIME | = | no block begins that would end later, but two are always measured; 0s: none
            STOP | pace | TIME | = | least time from the begin of a block to the next: 15m with a limit of 4h spreads a campaign
            STOP | seed | SEED | a random one | seed of the order in each block
            MEASURE | generators | NAMES | = | gatling, jmeter, wrk, ab, siege
            MEASURE | hold | TIME | in turns by the noise, 8 to 60 s; else 12s | measured time of each server, for each load and round; with find that of each step
            MEASURE | rounds | COUNT | = | how often each load is measured in each JVM
            MEASURE | turn | TIME | = | shortest turn of a server; 0s: one whole window after the other
            MEASURE | settle | TIME | = | least load in turns before anything is counted; it goes on while a server becomes faster or compiles
            MEASURE | warmup | TIME | = | maximum warm-up of each server; it ends as soon as the server is warm
            MEASURE | generator-warmup | TIME | = | maximum warm-up of the generator
            MEASURE | together | FLAG | = | whether all servers of a baseline are up at once and take turns; not with find and starts
            MEASURE | pre-touch | FLAG | =; with starts false | whether heaps are touched before the application starts
            MEASURE | keep-raw | FLAG | = | whether raw logs are kept
            MEASURE | jvm-options | TEXT | profiles/jvm.options | file with the JVM options of every server
            MEASURE | delay | TIME | of the profiles | how long a request of the workload delay waits
            MEASURE | accept-encoding | GZIP | none | with server.compression.enabled; Gatling, wrk
            MEASURE | db-url | TEXT | H2 in each server | database of the workload query, such as jdbc:postgresql://127.0.0.1/bench?user=me
            MEASURE | aot-caches | COUNT | = | of archive aot: number of caches of each arm
            MEASURE | aot-training | TIME | = | of archive aot: length of each training
            MEASURE | target-host | TEXT | this one | machine of the servers, such as me@app1; ssh must get there without a prompt
            MEASURE | target-address | TEXT | of ssh's configuration | where servers listen there
            MEASURE | load-hosts | NAMES | this one | machines of the load
            MEASURE | host-jdk | TEXT | java on their paths | JDK of other machines
            MEASURE | ssh-config | TEXT | ~/.ssh/config | configuration of ssh
            MEASURE | target-allow-remote | FLAG | false | true: the other machines are yours to load
            """;

    /** Keys of arms that {@code server} has not. */
    static final List<String> OF_ARMS_ONLY = List.of("container", "version", "app", "against", "label");

    /** Names in profiles with dots where a file has dashes. */
    private static final List<String> WITH_DASHES = List.of("keep-raw", "pre-touch", "aot-caches", "aot-training");

    static final Map<Section, List<Key>> ALL = TABLE.lines()
            .map(line -> line.split(" *\\| *", 5))
            .map(key -> new Key(Section.valueOf(key[0]), key[1], Type.valueOf(key[2]), key[3], key[4]))
            .collect(Collectors.groupingBy(Key::section, () -> new EnumMap<>(Section.class), Collectors.toList()));

    private Keys() {}

    static List<Key> of(Section section) {
        return ALL.get(section);
    }

    /** The name of a key of {@code stop} or {@code measure} in the profiles and on record. */
    static String option(String key) {
        return WITH_DASHES.contains(key) ? key : key.replaceAll("^(generator|jvm|db|target|load|host|ssh)-", "$1.");
    }

    /** Checks a mapping against a section; errors name the place, the key and the nearest known one. */
    static void check(Value map, Section section, List<String> without, String path) {
        if (map.map() == null) {
            throw map.wrong((path.isEmpty() ? "the file" : "'" + path + "'") + " must be a mapping of keys to values");
        }
        List<Key> known = of(section).stream()
                .filter(key -> !without.contains(key.name()))
                .toList();
        map.map().forEach((name, value) -> {
            String full = path.isEmpty() ? name : path + "." + name;
            Key key = known.stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> value.wrong("'" + full + "' is no key here"
                            + nearest(name, known.stream().map(Key::name).toList())));
            if (!key.type().accepts(value)) {
                throw value.wrong("'" + full + "' "
                        + (value.isEmpty() ? "has no value" : "is wrong")
                        + ": give " + key.type().words);
            }
        });
    }

    /**
     * The metric of this key.
     *
     * @param where the key that names it, such as {@code judge}
     */
    static Metric metric(Value value, String where, String key) {
        return Metric.of(key)
                .orElseThrow(() -> value.wrong("'" + where + "': there is no metric '" + key + "'"
                        + nearest(
                                key, Stream.of(Metric.values()).map(Metric::key).toList())));
    }

    /** {@code : did you mean 'x'?}, where one is near; else {@code : choose from …}. */
    static String nearest(String name, List<String> known) {
        Optional<String> near = known.stream()
                .filter(one -> distance(name, one) <= Math.max(1, Math.min(name.length(), one.length()) / 3))
                .min(Comparator.comparingInt(one -> distance(name, one)));
        return near.map(one -> ": did you mean '" + one + "'?").orElse(": choose from " + String.join(", ", known));
    }

    /** Insertions, deletions and replacements from one to the other. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
