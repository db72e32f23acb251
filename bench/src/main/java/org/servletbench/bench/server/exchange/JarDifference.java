package org.servletbench.bench.server.exchange;

import static org.servletbench.bench.model.Text.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.servletbench.bench.model.UsageException;

/**
 * The difference between two executable Spring Boot jars. Values of configuration keys may be secrets, so only the
 * names of keys are kept.
 *
 * @param facts facts that differ, such as the version of Spring Boot
 * @param libraries number of libraries in the second jar
 * @param changed families of libraries with another version or other bytes, the largest first
 * @param added libraries that only the second jar has
 * @param removed libraries that only the first jar has
 * @param classes the service's own classes
 * @param keys names of configuration keys that were added or removed, or whose values differ
 */
public record JarDifference(
        List<Fact> facts,
        int libraries,
        List<Family> changed,
        List<Module> added,
        List<Module> removed,
        Classes classes,
        List<String> keys) {

    /** A fact with both of its values; empty if unknown or absent. */
    public record Fact(String name, String before, String after) {}

    /**
     * A library.
     *
     * @param version version; empty if the library does not name it
     */
    public record Module(String group, String name, String version) {}

    /**
     * Libraries that changed together. They have the same group, or the same first word of their names, and changed
     * from the same version to the same other one.
     *
     * @param name name of the only member, or what all names have in common: {@code tomcat-embed-*}
     * @param before version before; empty if unknown
     * @param after version after; equal to {@code before} if only the bytes differ
     */
    public record Family(String name, String group, String before, String after, List<String> members) {

        /** True if the version is the same, and the bytes are not. */
        public boolean isRebuilt() {
            return before.equals(after);
        }

        /** Returns the family for people: {@code tomcat-embed-* (3) 10.1.15 → 10.1.16}. */
        public String words() {
            String versions =
                    isRebuilt() ? known(before) + ", same version, other bytes" : known(before) + " → " + known(after);
            return (members.size() == 1 ? name : name + " (" + members.size() + ")") + " " + versions;
        }
    }

    /**
     * The service's own classes.
     *
     * @param packages number of classes that differ, by package, the largest first
     */
    public record Classes(int added, int removed, int changed, Map<String, Integer> packages) {}

    /** One line: its subject, and what differs. */
    public record Line(String about, String what) {}

    private static final String MANY = "*";
    /** Maximum number of packages that are listed. */
    private static final int MOST_PACKAGES = 5;
    /** Maximum number of families in one line. */
    private static final int MOST_FAMILIES = 3;

    /**
     * Compares two jars.
     *
     * @throws UsageException if one is not an executable Spring Boot jar
     */
    public static JarDifference between(Path before, Path after) {
        JarContents.Both both = JarContents.read(before, after);
        return between(both.before(), both.after());
    }

    static JarDifference between(JarContents before, JarContents after) {
        Map<String, Library> old = byModule(before.libraries().values());
        Map<String, Library> now = byModule(after.libraries().values());
        Map<List<String>, List<Library>> moved = new LinkedHashMap<>();
        now.forEach((module, library) -> {
            Library was = old.get(module);
            if (was != null && !was.content().equals(library.content())) {
                moved.computeIfAbsent(
                                List.of(
                                        library.group().isEmpty() ? library.firstWord() : library.group(),
                                        was.version(),
                                        library.version()),
                                same -> new ArrayList<>())
                        .add(library);
            }
        });
        List<Family> changed = new ArrayList<>();
        moved.forEach((key, members) -> changed.add(new Family(
                common(
                        members.stream().map(Library::name).toList(),
                        members.get(0).group()),
                members.get(0).group(),
                key.get(1),
                key.get(2),
                members.stream().map(Library::name).sorted().toList())));
        changed.sort(Comparator.comparing((Family family) -> -family.members().size())
                .thenComparing(Family::name));
        return new JarDifference(
                facts(before, after),
                now.size(),
                List.copyOf(changed),
                only(now, old),
                only(old, now),
                classes(before.classes(), after.classes()),
                keys(before, after));
    }

    /**
     * Returns libraries by module. A jar contains one version of a module; a second file with its name counts as
     * another module.
     */
    private static Map<String, Library> byModule(Collection<Library> libraries) {
        Map<String, Library> modules = new TreeMap<>();
        for (Library library : libraries) {
            // The group is not part of the key, because a new version of a library may add it.
            String module = library.name();
            while (modules.containsKey(module)) {
                module += "'";
            }
            modules.put(module, library);
        }
        return modules;
    }

    private static List<Module> only(Map<String, Library> here, Map<String, Library> there) {
        return here.entrySet().stream()
                .filter(one -> !there.containsKey(one.getKey()))
                .map(Map.Entry::getValue)
                .map(one -> new Module(one.group(), one.name(), one.version()))
                .toList();
    }

    private static List<Fact> facts(JarContents before, JarContents after) {
        return after.facts().entrySet().stream()
                .map(fact -> new Fact(fact.getKey(), before.facts().getOrDefault(fact.getKey(), ""), fact.getValue()))
                .filter(fact -> !fact.before().equals(fact.after()))
                .toList();
    }

    private static Classes classes(Map<String, String> before, Map<String, String> after) {
        Set<String> differ = new TreeSet<>(before.keySet());
        differ.addAll(after.keySet());
        differ.removeIf(name -> before.containsKey(name) && before.get(name).equals(after.get(name)));
        Map<String, Integer> counts = differ.stream()
                .collect(Collectors.groupingBy(
                        name -> name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "(no package)",
                        TreeMap::new,
                        Collectors.summingInt(name -> 1)));
        Map<String, Integer> largest = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(one -> largest.put(one.getKey(), one.getValue()));
        return new Classes(
                (int) differ.stream().filter(name -> !before.containsKey(name)).count(),
                (int) differ.stream().filter(name -> !after.containsKey(name)).count(),
                (int) differ.stream()
                        .filter(name -> before.containsKey(name) && after.containsKey(name))
                        .count(),
                largest);
    }

    private static List<String> keys(JarContents before, JarContents after) {
        Function<ServiceJar.Setting, String> value = setting -> setting == null ? null : setting.value();
        Map<String, ServiceJar.Setting> all = new TreeMap<>(before.settings());
        all.putAll(after.settings());
        return all.entrySet().stream()
                .filter(one -> !Objects.equals(
                        value.apply(before.settings().get(one.getKey())),
                        value.apply(after.settings().get(one.getKey()))))
                .map(one -> one.getValue().name())
                .toList();
    }

    /**
     * Returns the only name; or the words with which all names begin, and a star; or the group if they have none in
     * common.
     */
    private static String common(List<String> names, String group) {
        if (names.size() == 1) {
            return names.get(0);
        }
        List<String> words = new ArrayList<>(List.of(names.get(0).split("-")));
        for (String name : names) {
            List<String> own = List.of(name.split("-"));
            int same = 0;
            while (same < Math.min(words.size(), own.size()) && words.get(same).equals(own.get(same))) {
                same++;
            }
            words = words.subList(0, same);
        }
        return words.isEmpty() ? group + ":" + MANY : String.join("-", words) + "-" + MANY;
    }

    /**
     * Returns a value for people.
     *
     * @param value value; empty if unknown or absent
     */
    public static String known(String value) {
        return value.isEmpty() ? "none" : value;
    }

    /** Returns all differences, one line each. */
    public List<Line> lines() {
        if (isEmpty()) {
            return List.of(new Line("no difference", "in libraries, own classes and configuration"));
        }
        List<Line> lines = new ArrayList<>();
        facts.forEach(fact -> lines.add(new Line(fact.name(), known(fact.before()) + " → " + known(fact.after()))));
        lines.add(new Line(
                "libraries",
                text(
                        "%d changed, %d added, %d removed; %d in all",
                        changed.stream()
                                .mapToInt(family -> family.members().size())
                                .sum(),
                        added.size(),
                        removed.size(),
                        libraries)));
        changed.forEach(family -> lines.add(new Line("  changed", family.words())));
        added.forEach(one -> lines.add(new Line("  added", one.name() + " " + one.version())));
        removed.forEach(one -> lines.add(new Line("  removed", one.name() + " " + one.version())));
        lines.add(new Line(
                "own classes",
                text("%d changed, %d added, %d removed", classes.changed(), classes.added(), classes.removed())
                        + packages()));
        lines.add(new Line(
                "configuration",
                keys.isEmpty()
                        ? "equal"
                        : (keys.size() == 1 ? "1 key differs: " : keys.size() + " keys differ: ")
                                + String.join(", ", keys)));
        return lines;
    }

    private String packages() {
        if (classes.packages().isEmpty()) {
            return "";
        }
        int more = classes.packages().size() - MOST_PACKAGES;
        return classes.packages().entrySet().stream()
                .limit(MOST_PACKAGES)
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(
                        ", ", ": ", more > 0 ? " and " + more + (more == 1 ? " more package" : " more packages") : ""));
    }

    /** Returns the main differences in one line. */
    public String words() {
        List<String> all = new ArrayList<>(
                changed.stream().limit(MOST_FAMILIES).map(Family::words).toList());
        if (changed.size() > MOST_FAMILIES) {
            all.add(changed.size() - MOST_FAMILIES + " more families of libraries");
        }
        if (!added.isEmpty() || !removed.isEmpty()) {
            all.add("libraries: " + added.size() + " added, " + removed.size() + " removed");
        }
        int own = classes.added() + classes.removed() + classes.changed();
        if (own > 0) {
            all.add(own + (own == 1 ? " own class" : " own classes"));
        }
        if (!keys.isEmpty()) {
            all.add(keys.size() + (keys.size() == 1 ? " configuration key" : " configuration keys"));
        }
        facts.stream()
                .filter(fact -> all.isEmpty())
                .map(fact -> fact.name() + " " + known(fact.before()) + " → " + known(fact.after()))
                .findFirst()
                .ifPresent(all::add);
        return all.isEmpty() ? "neither libraries, own classes nor configuration" : String.join("; ", all);
    }

    /** True if nothing that is compared differs. */
    public boolean isEmpty() {
        return facts.isEmpty()
                && changed.isEmpty()
                && added.isEmpty()
                && removed.isEmpty()
                && classes.packages().isEmpty()
                && keys.isEmpty();
    }
}
