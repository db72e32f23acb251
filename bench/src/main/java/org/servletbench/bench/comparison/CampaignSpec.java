package org.servletbench.bench.comparison;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.servletbench.bench.comparison.LoadSpec.Kind;
import org.servletbench.bench.model.CampaignProfile;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.UsageException;

/**
 * How a campaign is evaluated, ended and measured. A comparison's values override those of the profiles; null if
 * neither has one.
 *
 * @param load the first load; only its keys of a search matter here
 * @param jdks homes of the requested JDKs; empty for the JDK of servlet-bench
 * @param profile values that no comparison can set
 */
public record CampaignSpec(
        Judged judged,
        LoadSpec load,
        StopSpec stop,
        MeasureSpec measure,
        List<String> jdks,
        CampaignProfile profile,
        Texts texts) {

    /**
     * The values that decide verdicts.
     *
     * @param metrics keys of the tested metrics
     */
    public record Judged(List<String> metrics, MetricShares margin, Double alpha) {}

    /**
     * All values as in the record.
     *
     * @param all values in force, by their names in the profiles
     * @param given names of the values that the comparison gives
     */
    public record Texts(SortedMap<String, String> all, Set<String> given) {

        public Texts {
            all = Collections.unmodifiableSortedMap(new TreeMap<>(all));
            given = Set.copyOf(given);
        }
    }

    private static final String JDK = "jdk";

    /** Keys at the top of a file. */
    private static final List<String> OF_VERDICTS = List.of("judge", "margin", "alpha");

    /**
     * Binds values that override those of the profiles.
     *
     * @param given values by their names in the profiles
     * @throws UsageException in one line if one is malformed
     */
    public static CampaignSpec of(Map<String, String> given, ProfilesFolder folder) {
        return of(over(usual(folder, Kind.FIXED), given), given.keySet());
    }

    /**
     * Binds all values of a record.
     *
     * @param all values by their names in the profiles
     * @param given names of the values that the comparison gives
     * @throws UsageException in one line if one is malformed
     */
    public static CampaignSpec of(Map<String, String> all, Collection<String> given) {
        ComparisonFile file = bind(ComparisonFile.class, OF_VERDICTS, all);
        return new CampaignSpec(
                new Judged(Optional.ofNullable(file.judge()).orElse(List.of()), file.margin(), file.alpha()),
                bind(LoadSpec.class, LoadSpec.OF_SEARCH, all),
                Keys.bind(StopSpec.class, all, ""),
                Keys.bind(MeasureSpec.class, all, ""),
                given.contains(JDK) ? List.of(all.get(JDK).split(" *, *")) : List.of(),
                CampaignProfile.of(new Options("", Map.of(), all)),
                new Texts(new TreeMap<>(all), Set.copyOf(given)));
    }

    /** Binds only these keys, because the record's other keys of the same names are not options of campaigns. */
    private static <T extends Record> T bind(Class<T> section, List<String> keys, Map<String, String> all) {
        Map<String, String> some = new TreeMap<>(all);
        some.keySet().retainAll(keys.stream().map(Keys::option).toList());
        return Keys.bind(section, some, "");
    }

    /** Returns a file's values over those of the profiles. Checks the metrics that the file names. */
    static CampaignSpec of(Tree tree, ComparisonFile file, List<NamedArm> arms, ProfilesFolder folder) {
        LoadSpec load = file.load().get(0);
        List<String> metrics = metrics(tree, file);
        requireJudged(tree, "margin", file.margin(), metrics);
        requireJudged(tree, "stop.precision", file.stop().precision(), metrics);
        StopSpec stop = file.stop().of(load);
        List<String> jdks = jdks(arms);
        Map<String, String> given = new LinkedHashMap<>();
        put(given, file, OF_VERDICTS);
        put(given, load, LoadSpec.OF_SEARCH);
        put(given, stop, Keys.names(StopSpec.class));
        put(given, file.measure(), Keys.names(MeasureSpec.class));
        given.put(Keys.option("judge"), String.join(",", metrics));
        if (!jdks.isEmpty()) {
            given.put(JDK, String.join(",", jdks));
        }
        CampaignSpec usual = of(usual(folder, load.kind()), Set.of());
        return new CampaignSpec(
                new Judged(
                        metrics,
                        Optional.ofNullable(file.margin()).orElse(usual.judged.margin),
                        Optional.ofNullable(file.alpha()).orElse(usual.judged.alpha)),
                Keys.over(LoadSpec.class, load, usual.load),
                Keys.over(StopSpec.class, stop, usual.stop),
                Keys.over(MeasureSpec.class, file.measure(), usual.measure),
                jdks,
                usual.profile,
                new Texts(over(usual.texts.all, given), given.keySet()));
    }

    private static void put(Map<String, String> given, Record values, List<String> keys) {
        Keys.texts(values, ",").forEach((key, value) -> {
            if (keys.contains(key)) {
                given.put(Keys.option(key), value);
            }
        });
    }

    /** Returns the values of the profiles for this kind of load. */
    private static Map<String, String> usual(ProfilesFolder folder, Kind kind) {
        Map<String, String> usual = new TreeMap<>(folder.loadDefaults());
        // A campaign takes its loads from the comparison.
        usual.remove("users");
        usual.putAll(folder.campaignDefaults());
        if (kind != Kind.FIXED) {
            // Servers start one at a time. Nothing is paired within a block, and idle neighbours would only take
            // memory.
            usual.putAll(Map.of("together", "false", "slice", "0s"));
        }
        if (kind == Kind.STARTS) {
            usual.put("pre-touch", "false");
        }
        return usual;
    }

    private static SortedMap<String, String> over(Map<String, String> usual, Map<String, String> given) {
        SortedMap<String, String> all = new TreeMap<>(usual);
        all.putAll(given);
        return all;
    }

    private static List<String> metrics(Tree tree, ComparisonFile file) {
        for (int i = 0; i < file.load().size(); i++) {
            String where = "load." + i + ".judge";
            file.load().get(i).judge().forEach(key -> Keys.metric(tree, where, key));
        }
        if (file.judge() != null
                && file.load().stream().noneMatch(load -> load.judge().isEmpty())) {
            throw tree.wrong("judge", "'judge' would do nothing: each load has its own");
        }
        Optional.ofNullable(file.judge()).ifPresent(judge -> judge.forEach(key -> Keys.metric(tree, "judge", key)));
        return file.metrics();
    }

    private static void requireJudged(Tree tree, String where, MetricShares shares, List<String> judge) {
        if (shares != null) {
            shares.metrics().stream()
                    .filter(key -> !judge.contains(key))
                    .findFirst()
                    .ifPresent(key -> {
                        throw tree.wrong(
                                where,
                                "'" + where + "." + key + "': '" + key + "' is not judged" + Keys.nearest(key, judge));
                    });
        }
    }

    /** Returns the homes of all arms' JDKs; empty if no arm names one. */
    private static List<String> jdks(List<NamedArm> arms) {
        if (arms.stream().allMatch(arm -> arm.spec().jdk() == null)) {
            return List.of();
        }
        Set<String> homes = new LinkedHashSet<>();
        arms.forEach(arm -> homes.add(
                arm.spec().jdk() == null
                        ? System.getProperty("java.home")
                        : arm.spec().jdk()));
        return List.copyOf(homes);
    }

    /** Returns a copy for a campaign whose record will show the values of headers, bodies and the like. */
    public CampaignSpec showingValues() {
        Map<String, String> asked = new TreeMap<>(asked());
        asked.put(Secrets.OPTION, "true");
        return new CampaignSpec(
                judged, load, stop, measure, jdks, profile, new Texts(over(texts.all, asked), asked.keySet()));
    }

    /** True if the campaign's record will show the values of headers, bodies and the like. */
    public boolean showsValues() {
        return isGiven(Secrets.OPTION);
    }

    /** True if the comparison, and not only the profiles, gives a value. */
    public boolean isGiven(String name) {
        return texts.given.contains(name);
    }

    /** Returns the values that the comparison gives, by their names in the profiles. */
    public SortedMap<String, String> asked() {
        SortedMap<String, String> asked = new TreeMap<>(texts.all);
        asked.keySet().retainAll(texts.given);
        return asked;
    }
}
