package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.exchange.JarParts.Part;
import org.servletbench.bench.server.process.RunFolder;

/**
 * Trial starts before a stage of a search: how many arms fit into memory, and which parts start only together with others.
 *
 * @param folder that of the search
 * @param preparation reads and starts arms
 * @param console says what is tried
 */
record BisectStarts(BisectFolder folder, Preparation preparation, PrintWriter console) {

    /** Fewest parts in one comparison. */
    private static final int LEAST = 2;

    /** Names of classes in the errors of a server that lacks one, or has another version of it. */
    private static final List<Pattern> MISSING = List.of(
            Pattern.compile("(?:NoClassDefFoundError|ClassNotFoundException): ([\\w.$/]+)"),
            Pattern.compile("NoSuch(?:Method|Field)Error: [^\\n]*?([\\w.$]+)\\.[\\w$<>]+\\("));

    private static final String ARM = "only-";

    /** Returns how many parts can be measured at once: all servers of a block are up together. */
    int fitting(int asked) throws IOException {
        // Links to the new build stand for the jars, which are not written yet.
        Path links = Files.createDirectories(folder.path().resolve("fits"));
        Map<String, Path> jars = new LinkedHashMap<>();
        for (int i = 1; i <= asked; i++) {
            Path link = links.resolve(i + ".jar");
            Files.deleteIfExists(link);
            jars.put(
                    ARM + i,
                    Files.createSymbolicLink(link, folder.comparison().after().toAbsolutePath()));
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
        Path file = folder.comparison().write(folder.path().resolve("fits.yaml"), jars, Map.of(), true);
        try {
            return preparation.tooLittleMemoryTogether(draft(file)).isEmpty();
        } finally {
            Files.delete(file);
        }
    }

    private Planner.Draft draft(Path file) throws IOException {
        return preparation.draft(Optional.of(file.toString()), new LinkedHashMap<>());
    }

    /**
     * Joins groups of parts until the old build starts with each. With all of them it is the new build, which does.
     *
     * @param stage number of the stage
     * @param asked keys of the parts of each group
     * @throws TargetException if the old build does not start: then no part is to blame
     */
    List<List<String>> starting(int stage, List<List<String>> asked) throws IOException {
        try (CampaignLock lock = CampaignLock.take(folder.path())) {
            return joined(stage, asked);
        }
    }

    private List<List<String>> joined(int stage, List<List<String>> asked) throws IOException {
        List<List<String>> pending = new ArrayList<>(asked);
        List<List<String>> starting = new ArrayList<>();
        int trials = 0;
        if (pending.size() > 1 && stage == 1) {
            Optional<String> why = trial(place(stage, ++trials), List.of());
            if (why.isPresent()) {
                throw new TargetException(folder.comparison().before() + " does not start: " + why.get());
            }
        }
        while (!pending.isEmpty()) {
            List<String> one = pending.remove(0);
            Path place = place(stage, ++trials);
            List<List<String>> others = new ArrayList<>(pending);
            others.addAll(starting);
            Optional<String> why = others.isEmpty() ? Optional.empty() : trial(place, one);
            if (why.isEmpty()) {
                starting.add(one);
                continue;
            }
            List<String> with = missing(place)
                    .flatMap(part -> others.stream()
                            .filter(other -> other.contains(part.key()))
                            .findFirst())
                    .orElse(others.get(0));
            console.println(text(
                    "%s does not start on its own (%s): measured together with %s",
                    folder.words(one), why.get(), folder.words(with)));
            pending.remove(with);
            starting.remove(with);
            List<String> joined = new ArrayList<>(one);
            joined.addAll(with);
            pending.add(0, joined);
        }
        return starting;
    }

    private Path place(int stage, int trial) {
        return folder.path().resolve(folder.stage(stage).getFileName() + "-trial-" + trial);
    }

    /** Starts the old build with these parts once, and returns why it did not start. */
    private Optional<String> trial(Path place, List<String> keys) throws IOException {
        console.println(
                "trial start: " + (keys.isEmpty() ? folder.comparison().before().getFileName() : folder.words(keys)));
        // A trial that was interrupted has measured nothing.
        RunFolder.delete(place);
        String arm = keys.isEmpty() ? BisectComparison.BEFORE : id(ARM, keys);
        Map<String, List<String>> arms = keys.isEmpty() ? Map.of() : Map.of(arm, keys);
        Path file = folder.write(place.getFileName().toString(), new BisectStage(BisectStage.Kind.ALONE, arms), true);
        try {
            return preparation.begin(draft(file), "trial", place).trial(arm, place.resolve("server"));
        } finally {
            Files.delete(file);
        }
    }

    /** Returns the part that has the class which a server missed. */
    private Optional<Part> missing(Path trial) throws IOException {
        Path log = trial.resolve("server/server.log");
        String said = Files.isRegularFile(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        for (Pattern pattern : MISSING) {
            Matcher matcher = pattern.matcher(said);
            while (matcher.find()) {
                Optional<Part> having = folder.parts().having(matcher.group(1));
                if (having.isPresent()) {
                    return having;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the name of the arm that is the old build with these parts. */
    static String only(List<String> keys) {
        return id(ARM, keys);
    }

    /** Returns the name of an arm; one that ends like a copy's would be refused. */
    static String id(String prefix, List<String> keys) {
        return (prefix + keys.get(0) + (keys.size() == 1 ? "" : "-and-" + (keys.size() - 1) + "-more"))
                .replaceFirst("-control$", "-control-part");
    }
}
