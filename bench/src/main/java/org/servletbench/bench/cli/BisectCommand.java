package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.PartEffects;
import org.servletbench.bench.server.exchange.JarParts;
import org.servletbench.bench.server.exchange.JarParts.Part;
import org.servletbench.bench.server.process.RunFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Finds the part of a change that costs performance. It measures the old build with single parts of the new one, as
 * arms of one comparison; if there are too many parts for one comparison, it measures them in groups first.
 */
@Command(
        name = "bisect",
        description = "Finds which library, or whose own code, makes one build of a service slower than another.",
        footer = {
            "",
            "A family of libraries that moved together is a part; your own classes are another. Jars with one part each are written to the"
                    + " folder, and run as arms of one comparison next to both builds.",
            "Exit code: that of compare."
        })
final class BisectCommand extends BenchCommand implements Callable<Integer> {

    /** Maximum number of parts in one comparison, besides both builds and the copy of the first. */
    static final int MOST = 8;

    private static final String USUAL_LIMIT = "30m";
    /** Maximum number of parts that a name lists. */
    private static final int MOST_NAMED = 2;
    /** Minimum number of parts in one comparison. */
    private static final int LEAST = 2;
    /** Number of characters of a checksum that distinguish two jars. */
    private static final int NAME = 8;

    private static final String BEFORE = BisectComparison.BEFORE;
    private static final String AFTER = BisectComparison.AFTER;
    private static final String ARM = "only-";
    private static final String ALL_BUT = "all-but-";
    private static final String STAGE = "stage-";
    private static final String JARS = "jars";
    /** The file with the findings of all stages. */
    private static final String ANSWER = "answer.txt";
    /** The file that records which jars, request and limit a folder's search is about. */
    private static final String SEARCH = "bisect.json";

    /** Patterns for the class that a server lacks, or has in another version, in its errors. */
    private static final List<Pattern> MISSING = List.of(
            Pattern.compile("(?:NoClassDefFoundError|ClassNotFoundException): ([\\w.$/]+)"),
            Pattern.compile("NoSuch(?:Method|Field)Error: [^\\n]*?([\\w.$]+)\\.[\\w$<>]+\\("));

    /**
     * One comparison of the search.
     *
     * @param kind what its arms are
     * @param parts keys of the parts that an arm has, by the arm's id
     */
    private record Stage(Kind kind, Map<String, List<String>> parts) {

        /** How the arms of a stage are built. */
        enum Kind {
            /**
             * The old build with several parts of the new one, because there were too many parts to measure each alone.
             */
            GROUPS,
            /** The old build with one part of the new one each. */
            ALONE,
            /** The new build with one part of the old one each. */
            ALL_BUT
        }
    }

    /**
     * The subject of a search. A search resumes in an existing folder only if its subject is the same.
     *
     * @param before SHA-256 of the first jar
     * @param after SHA-256 of the second one
     * @param comparison SHA-256 of the comparison file
     * @param limit time limit of each comparison, as given
     */
    private record Search(String before, String after, String url, String comparison, String limit) {

        /** Returns what differs from another search, in words for people. */
        private List<String> differences(Search other) {
            Map<String, Boolean> same = new LinkedHashMap<>();
            same.put("the first jar", before.equals(other.before));
            same.put("the second jar", after.equals(other.after));
            same.put("--url", url.equals(other.url));
            same.put("the comparison file", comparison.equals(other.comparison));
            same.put("--limit", limit.equals(other.limit));
            return same.entrySet().stream()
                    .filter(one -> !one.getValue())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    @Parameters(index = "0", paramLabel = "BEFORE", description = "an executable jar of Spring Boot")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "another build of it")
    private Path after;

    @Option(
            names = "--url",
            required = true,
            paramLabel = "PATH",
            description = "path of the request, such as /api/owners")
    private String url;

    @Option(
            names = "--comparison",
            paramLabel = "FILE",
            description =
                    "a comparison whose loads, settings and keys of the arm 'before' (env, properties, jvm, memory, …) hold. Default: pull-request")
    private Path given;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description = "time limit of each comparison. Default: " + USUAL_LIMIT)
    private String limit;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder for jars and campaigns. An existing one of the same command goes on")
    private Path out;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "the clone of servlet-bench; default: found from the jar or this folder")
    private Path root;

    @Option(names = "--dry-run", description = "only list the parts")
    private boolean dryRun;

    private Path repository;
    private Path folder;
    private JarParts parts;

    @Override
    public Integer call() throws IOException {
        repository = Repository.root(root);
        parts = JarParts.between(before, after);
        List<Part> all = parts.parts();
        console().println(all.size() == 1 ? "1 part differs:" : all.size() + " parts differ:");
        all.forEach(part -> console().println("  " + part.name()));
        comparison().read();
        if (dryRun) {
            return 0;
        }
        begin();
        List<Part> asked = all;
        for (int number = 1; true; number++) {
            Path place = folder.resolve(STAGE + number);
            Stage stage = stage(place, asked);
            Exit end = measured(place, stage);
            if (end != Exit.DONE) {
                return end.code();
            }
            PartEffects effects = effects(place, stage, asked.size() == all.size());
            answer(place, effects.lines());
            if (effects.hasInteraction() && stage.kind == Stage.Kind.ALONE) {
                return together(number + 1, stage, effects).code();
            }
            List<Part> carriers =
                    stage.kind == Stage.Kind.GROUPS ? carriers(stage, effects.carriers(), asked.size()) : List.of();
            if (carriers.size() < 2) {
                return Exit.DONE.code();
            }
            asked = carriers;
            console().println("next: these " + asked.size() + " parts");
        }
    }

    /**
     * Returns the parts of the groups that make a difference. If all groups do, returns those of the largest
     * difference.
     */
    private List<Part> carriers(Stage stage, List<String> groups, int asked) {
        List<Part> all = named(
                groups.stream().flatMap(id -> stage.parts.get(id).stream()).toList());
        return all.size() < asked ? all : stage.parts.size() == 1 ? List.of() : named(stage.parts.get(groups.get(0)));
    }

    /** Creates the folder, or checks that an existing one belongs to the same search. */
    private void begin() throws IOException {
        boolean isThere = out != null && Files.exists(out);
        if (isThere && !Files.isRegularFile(out.resolve(SEARCH))) {
            throw new UsageException("--out " + out + " exists, and is no folder of bisect: name a new one");
        }
        folder = isThere ? out.toAbsolutePath().normalize() : Repository.results(repository, out, "bisects", "bisect");
        Path file = folder.resolve(SEARCH);
        Optional<Search> begun =
                isThere ? Optional.of(Json.MAPPER.readValue(file.toFile(), Search.class)) : Optional.empty();
        if (limit == null) {
            limit = begun.map(Search::limit).orElse(USUAL_LIMIT);
        }
        new Options("--", Map.of("limit", limit), Map.of()).duration("limit");
        Search search = new Search(
                Sha256.of(before), Sha256.of(after), url, Sha256.of(comparison().source()), limit);
        List<String> others = begun.map(search::differences).orElse(List.of());
        if (!others.isEmpty() && new CampaignStore(folder.resolve(STAGE + 1)).exists()) {
            throw new UsageException("--out " + out + " belongs to another search: " + Text.list(others)
                    + (others.size() == 1 ? " is another" : " are others") + "; name a new folder");
        }
        if (!isThere) {
            SafeFiles.ownFolder(folder);
        }
        if (!isThere || !others.isEmpty()) {
            // Left by another search that has measured nothing.
            RunFolder.delete(folder.resolve(JARS));
            Files.deleteIfExists(folder.resolve(STAGE + 1 + ".json"));
            Json.MAPPER.writeValue(file.toFile(), search);
        }
        Path here = BisectComparison.parent(before);
        if (!here.equals(BisectComparison.parent(after))) {
            console().println("all servers run in the folder of the first jar: " + here);
        }
    }

    /**
     * Measures the new build without one part at a time, because a part that interacts with others has a different
     * effect when it is alone.
     */
    private Exit together(int number, Stage alone, PartEffects before) throws IOException {
        console().println("next: each part with all others in place");
        Map<String, List<String>> parts = new LinkedHashMap<>();
        alone.parts.values().forEach(keys -> parts.put(id(ALL_BUT, keys), keys));
        Stage stage = new Stage(Stage.Kind.ALL_BUT, parts);
        Path place = folder.resolve(STAGE + number);
        Exit end = measured(place, stage);
        if (end == Exit.DONE) {
            answer(place, effects(place, stage, true).together(before));
        }
        return end;
    }

    /** Prints the findings of a stage, and appends them to a file. */
    private void answer(Path place, List<String> lines) throws IOException {
        console().println();
        lines.forEach(console()::println);
        String file = String.join("\n", lines) + "\n" + place.getFileName() + "/index.html\n\n";
        Files.writeString(
                folder.resolve(ANSWER),
                file,
                StandardOpenOption.CREATE,
                place.endsWith(STAGE + 1) ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
    }

    private List<Part> named(List<String> keys) {
        return parts.parts().stream().filter(part -> keys.contains(part.key())).toList();
    }

    private String words(List<String> keys) {
        List<Part> some = named(keys);
        int more = some.size() - MOST_NAMED;
        return some.stream().limit(MOST_NAMED).map(Part::name).collect(Collectors.joining(" with "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** Returns a stage: the saved one if it began earlier, else a new one whose arms are known to start. */
    private Stage stage(Path place, List<Part> asked) throws IOException {
        Path file = place.resolveSibling(place.getFileName() + ".json");
        if (Files.isRegularFile(file)) {
            return Json.MAPPER.readValue(file.toFile(), Stage.class);
        }
        int most = fitting(Math.min(MOST, asked.size()));
        List<List<String>> even = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            even.add(asked.subList(i * asked.size() / most, (i + 1) * asked.size() / most).stream()
                    .map(Part::key)
                    .toList());
        }
        Map<String, List<String>> arms = new LinkedHashMap<>();
        if (asked.size() == 1) {
            // The new build is the old one with this part.
            arms.put(AFTER, even.get(0));
        } else {
            try (CampaignLock lock = CampaignLock.take(folder)) {
                starting(place, even).forEach(keys -> arms.put(id(ARM, keys), keys));
            }
        }
        Stage stage = new Stage(asked.size() > most ? Stage.Kind.GROUPS : Stage.Kind.ALONE, arms);
        Json.MAPPER.writeValue(file.toFile(), stage);
        return stage;
    }

    /**
     * Returns how many parts can be measured in one comparison: all servers of a block must fit into memory at once.
     */
    private int fitting(int asked) throws IOException {
        // The jars are not written yet: links to the new build take their place.
        Path links = Files.createDirectories(folder.resolve("fits"));
        Map<String, Path> jars = new LinkedHashMap<>();
        for (int i = 1; i <= asked; i++) {
            Path link = links.resolve(i + ".jar");
            Files.deleteIfExists(link);
            jars.put(ARM + i, Files.createSymbolicLink(link, after.toAbsolutePath()));
        }
        int number = asked;
        while (number > LEAST && !fits(jars)) {
            jars.remove(ARM + number);
            number--;
        }
        RunFolder.delete(links);
        return number;
    }

    private boolean fits(Map<String, Path> jars) throws IOException {
        Path file = comparison().write(folder.resolve("fits.yaml"), jars, Map.of(), true);
        try {
            Preparation preparation = preparation();
            return preparation
                    .tooLittleMemoryTogether(preparation.draft(Optional.of(file.toString()), new LinkedHashMap<>()))
                    .isEmpty();
        } finally {
            Files.delete(file);
        }
    }

    private Preparation preparation() {
        return new Preparation(repository, Main::version, () -> Repository.commit(repository), line -> {});
    }

    /** Returns the name of an arm. A name that ends like that of an A/A copy would be rejected. */
    private static String id(String prefix, List<String> keys) {
        return (prefix + keys.get(0) + (keys.size() == 1 ? "" : "-and-" + (keys.size() - 1) + "-more"))
                .replaceFirst("-control$", "-control-part");
    }

    /**
     * Merges groups until each one starts. This ends at the latest with all of them in one, the new build, which
     * starts.
     */
    private List<List<String>> starting(Path place, List<List<String>> asked) throws IOException {
        List<List<String>> pending = new ArrayList<>(asked);
        List<List<String>> starting = new ArrayList<>();
        int trials = 0;
        if (pending.size() > 1 && place.endsWith(STAGE + 1)) {
            // If the old build does not start, no part is to blame.
            trial(folder.resolve(place.getFileName() + "-trial-" + ++trials), List.of())
                    .ifPresent(why -> {
                        throw new TargetException(before + " does not start: " + why);
                    });
        }
        while (!pending.isEmpty()) {
            List<String> one = pending.remove(0);
            Path trial = folder.resolve(place.getFileName() + "-trial-" + ++trials);
            List<List<String>> others = new ArrayList<>(pending);
            others.addAll(starting);
            Optional<String> why = others.isEmpty() ? Optional.empty() : trial(trial, one);
            if (why.isEmpty()) {
                starting.add(one);
                continue;
            }
            List<String> with = missing(trial)
                    .flatMap(part -> others.stream()
                            .filter(other -> other.contains(part.key()))
                            .findFirst())
                    .orElse(others.get(0));
            console()
                    .println(text(
                            "%s does not start alone (%s): it is measured with %s",
                            words(one), why.get(), words(with)));
            pending.remove(with);
            starting.remove(with);
            List<String> joined = new ArrayList<>(one);
            joined.addAll(with);
            pending.add(0, joined);
        }
        return starting;
    }

    /** Starts the old build with these parts once. Returns why it did not start; empty if it did. */
    private Optional<String> trial(Path trial, List<String> keys) throws IOException {
        console().println("trial start: " + (keys.isEmpty() ? before.getFileName() : words(keys)));
        // What is left of an interrupted trial contains no measurement.
        RunFolder.delete(trial);
        String arm = keys.isEmpty() ? BEFORE : id(ARM, keys);
        Map<String, List<String>> arms = keys.isEmpty() ? Map.of() : Map.of(arm, keys);
        Path file = comparison(trial, new Stage(Stage.Kind.ALONE, arms), true);
        try {
            Preparation preparation = preparation();
            return preparation
                    .begin(preparation.draft(Optional.of(file.toString()), new LinkedHashMap<>()), "trial", trial)
                    .trial(arm, trial.resolve("server"));
        } finally {
            Files.delete(file);
        }
    }

    /** Returns the part that contains the class which a server could not find. */
    private Optional<Part> missing(Path trial) throws IOException {
        Path log = trial.resolve("server/server.log");
        String said = Files.isRegularFile(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        for (Pattern pattern : MISSING) {
            Matcher matcher = pattern.matcher(said);
            while (matcher.find()) {
                Optional<Part> having = parts.having(matcher.group(1));
                if (having.isPresent()) {
                    return having;
                }
            }
        }
        return Optional.empty();
    }

    /** Writes the jars of a stage's arms, and the comparison file. Returns the file. */
    private Path comparison(Path place, Stage stage, boolean onlyStarts) throws IOException {
        Path made = Files.createDirectories(folder.resolve(JARS));
        Map<String, Path> jars = new LinkedHashMap<>();
        Map<String, String> labels = new LinkedHashMap<>();
        for (Map.Entry<String, List<String>> arm : stage.parts.entrySet()) {
            if (arm.getKey().equals(AFTER)) {
                continue;
            }
            boolean allBut = stage.kind == Stage.Kind.ALL_BUT;
            List<String> keys = allBut ? allBut(arm.getValue()) : arm.getValue();
            String name = Sha256.of(String.join(" ", keys)).substring(0, NAME);
            Path jar = made.resolve(arm.getKey() + "-" + name + ".jar");
            if (!Files.exists(jar)) {
                Path unfinished = made.resolve("unfinished");
                parts.write(named(keys), unfinished);
                Files.move(unfinished, jar);
            }
            jars.put(arm.getKey(), jar);
            labels.put(arm.getKey(), (allBut ? "all but " : "only ") + words(arm.getValue()));
        }
        return comparison().write(folder.resolve(place.getFileName() + ".yaml"), jars, labels, onlyStarts);
    }

    private List<String> allBut(List<String> keys) {
        return parts.parts().stream()
                .map(Part::key)
                .filter(key -> !keys.contains(key))
                .toList();
    }

    private BisectComparison comparison() {
        Path usual = repository.resolve("comparisons").resolve(Comparison.TWO_BUILDS + ".yaml");
        return new BisectComparison(given == null ? usual : given, before, after, url, limit);
    }

    /** Runs the comparison of a stage, resumes it, or reads its result if it has ended. */
    private Exit measured(Path place, Stage stage) throws IOException {
        if (new CampaignStore(place).exists()) {
            CampaignFolder read = CampaignFolder.read(place);
            return read.campaign().hasEnded() ? ended(read) : compare(place, "--resume", place.toString());
        }
        // Without the campaign's file, nothing was measured in this folder.
        RunFolder.delete(place);
        Path file = comparison(place, stage, false);
        return compare(place, file.toString(), "--out", place.toString());
    }

    private static Exit ended(CampaignFolder read) {
        Outcomes found = Outcomes.of(read);
        return found.analysis().family().isVoid()
                ? Exit.CONTROL_BROKEN
                : VerdictText.nothingUsable(read, found.analysis()).isPresent() ? Exit.FAILED : Exit.DONE;
    }

    private Exit compare(Path place, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("compare", "--root", repository.toString()));
        all.addAll(List.of(arguments));
        int code = spec.root().commandLine().execute(all.toArray(String[]::new));
        boolean ended = new CampaignStore(place).exists()
                && CampaignFolder.read(place).campaign().hasEnded();
        if (code != 0 && !ended) {
            errors().println("to go on: " + OwnCommand.NAME + " bisect " + Text.quoted(before.toString()) + " "
                    + Text.quoted(after.toString()) + " --url " + Text.quoted(url)
                    + (given == null ? "" : " --comparison " + Text.quoted(given.toString()))
                    + (root == null ? "" : " --root " + Text.quoted(root.toString())) + " --out "
                    + Text.quoted(folder.toString()));
        }
        return code < Exit.values().length ? Exit.values()[code] : Exit.FAILED;
    }

    private PartEffects effects(Path place, Stage stage, boolean isWhole) {
        try {
            CampaignFolder read = CampaignFolder.read(place);
            Map<String, String> names = new LinkedHashMap<>();
            stage.parts.forEach((id, keys) -> names.put(id, words(keys)));
            return new PartEffects(
                    Analysis.of(read.campaign(), read.serverRuns()),
                    names,
                    AFTER,
                    stage.kind == Stage.Kind.ALL_BUT
                            ? PartEffects.Arms.ALL_BUT_ONE
                            : isWhole ? PartEffects.Arms.ONE_OF_ALL : PartEffects.Arms.ONE_OF_SOME);
        } catch (IOException e) {
            throw new TargetException(e.getMessage());
        }
    }
}
