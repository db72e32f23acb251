package org.servletbench.bench.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import one.convert.Arguments;
import one.convert.FlameGraph;
import org.servletbench.bench.measure.CollapsedStacks;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CpuProfile;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.Cause;
import org.servletbench.bench.verdict.Reason;
import org.servletbench.bench.verdict.Reasons;
import org.servletbench.bench.verdict.Spread;

/**
 * CPU time of a request by layer, from profiles: a bar for each arm, its layers compared with those of the baseline,
 * the frames that differ most, and flame graphs of the differences.
 *
 * @param folder returns the folder of a server run, relative to {@code root}
 * @param linked true if flame graphs are stored next to the page
 */
record LayerBars(
        Analysis analysis,
        Group group,
        MeasuredLoad load,
        Path root,
        Function<ServerRun, String> folder,
        boolean linked) {

    /** Maximum number of frames listed for each arm. */
    static final int MOST_FRAMES = 20;
    /** Maximum size of a flame graph, bytes. */
    static final int MOST_BYTES = 2_000_000;

    private static final double NANOS_PER_MICRO = 1000;

    static Optional<LayerBars> of(
            Analysis analysis, Group group, Path root, Function<ServerRun, String> folder, boolean linked) {
        return analysis.loads().stream()
                .map(load -> new LayerBars(analysis, group, load, root, folder, linked))
                .filter(one -> !analysis.profiles(group, one.load).isEmpty())
                .findFirst();
    }

    /**
     * A layer of a bar.
     *
     * @param percent length in percent of the widest bar
     */
    record Segment(String layer, String shown, double percent, String colour) {}

    /** The bar of an arm, µs per request. */
    record Bar(String arm, String total, List<Segment> segments) {}

    /** A layer of an arm compared with the baseline. It is grey unless it explains the difference. */
    record Row(String layer, String arm, String baseline, String difference, String interval, boolean reason) {}

    /**
     * A frame's own time, µs per request. The interval of the difference is not simultaneous with others. It is grey
     * unless it excludes 0.
     */
    record Frame(String name, String arm, String baseline, String difference, String interval, boolean differs) {}

    /**
     * An arm compared with the baseline.
     *
     * @param graphs links to flame graphs by their texts
     */
    record Against(String arm, List<Row> rows, List<Frame> frames, Map<String, String> graphs) {}

    String words() {
        return analysis.wording().load(load);
    }

    String baseline() {
        return analysis.name(group.baseline());
    }

    private List<String> layers() {
        return new TreeSet<>(analysis.profiles(group, load).values().stream()
                        .flatMap(profile -> profile.layers().keySet().stream())
                        .toList())
                .stream().toList();
    }

    /** Content security policy of a flame graph. Its script is in the page, so that nothing is loaded or sent. */
    private static final String POLICY = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none';"
            + " script-src 'unsafe-inline'; style-src 'unsafe-inline'\">";

    /** Returns a layer's colour. Neighbours are far apart on the colour wheel. */
    private static String colour(int layer) {
        return "hsl(" + 47 * layer % 360 + " 45% 60%)";
    }

    /** Returns the colours of the layers, in the order of the bars. */
    Map<String, String> legend() {
        Map<String, String> legend = new LinkedHashMap<>();
        layers().forEach(layer -> legend.put(layer, colour(legend.size())));
        return legend;
    }

    List<Bar> bars() {
        List<String> layers = layers();
        Map<Arm, Map<String, Double>> all = new LinkedHashMap<>();
        group.all().forEach(arm -> {
            Map<String, Double> own = means(arm, CpuProfile::layers);
            if (!own.isEmpty()) {
                all.put(arm, own);
            }
        });
        double widest = all.values().stream().mapToDouble(LayerBars::sum).max().orElse(1);
        List<Bar> bars = new ArrayList<>();
        all.forEach((arm, own) -> bars.add(new Bar(
                Words.name(analysis, arm) + (arm.role() == Arm.Role.CONTROL ? " copy" : ""),
                Numbers.shown(sum(own)),
                layers.stream()
                        .filter(layer -> own.getOrDefault(layer, 0.0) > 0)
                        .map(layer -> new Segment(
                                layer,
                                Numbers.shown(own.get(layer)),
                                100 * own.get(layer) / widest,
                                colour(layers.indexOf(layer))))
                        .toList())));
        return bars;
    }

    private static double sum(Map<String, Double> parts) {
        return parts.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns CPU time by block, µs per request, for blocks that have a profile. */
    private SortedMap<Integer, Map<String, Double>> blocks(Arm arm, Function<CpuProfile, Map<String, Double>> shares) {
        SortedMap<Integer, Double> cpu = analysis.values(arm, load, Metric.CPU);
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        analysis.profiles(group, load).forEach((server, profile) -> {
            if (server.arm().equals(arm.id()) && cpu.containsKey(server.block())) {
                Map<String, Double> micros = new HashMap<>(shares.apply(profile));
                micros.replaceAll((name, share) -> share * cpu.get(server.block()));
                blocks.put(server.block(), micros);
            }
        });
        return blocks;
    }

    /** Returns the means over all blocks. */
    private Map<String, Double> means(Arm arm, Function<CpuProfile, Map<String, Double>> shares) {
        return means(blocks(arm, shares));
    }

    private static Map<String, Double> means(SortedMap<Integer, Map<String, Double>> blocks) {
        Map<String, Double> means = new TreeMap<>();
        blocks.values()
                .forEach(one -> one.forEach((name, micros) -> means.merge(name, micros / blocks.size(), Double::sum)));
        return means;
    }

    List<Against> against() {
        Map<String, Reasons> reasons =
                analysis.reasons(group, load).stream().collect(Collectors.toMap(Reasons::arm, one -> one));
        SortedMap<Integer, Map<String, Double>> base = blocks(group.baseline(), CpuProfile::frames);
        List<Against> all = new ArrayList<>();
        for (Arm arm : group.arms()) {
            SortedMap<Integer, Map<String, Double>> own = blocks(arm, CpuProfile::frames);
            if (!arm.equals(group.baseline()) && !own.isEmpty() && reasons.containsKey(arm.id())) {
                all.add(new Against(analysis.name(arm), rows(reasons.get(arm.id())), frames(own, base), names(arm)));
            }
        }
        return all;
    }

    private static List<Row> rows(Reasons reasons) {
        return reasons.candidates().stream()
                .filter(one -> one.cause() instanceof Cause.Layer)
                .sorted(Comparator.comparingDouble((Reason one) -> -Math.abs(one.difference())))
                .map(one -> new Row(
                        ((Cause.Layer) one.cause()).name(),
                        Numbers.shown(one.arm()),
                        Numbers.shown(one.baseline()),
                        signed(one.difference()),
                        interval(one.low(), one.high()),
                        one.shown()))
                .toList();
    }

    /** Returns the frames that differ most, based on the blocks that both arms have. */
    private List<Frame> frames(
            SortedMap<Integer, Map<String, Double>> own, SortedMap<Integer, Map<String, Double>> base) {
        Map<String, Double> mean = means(own);
        Map<String, Double> meanOfBase = means(base);
        Map<String, Spread> differences = new TreeMap<>();
        Stream.concat(mean.keySet().stream(), meanOfBase.keySet().stream())
                .distinct()
                .forEach(name -> {
                    double[] each = own.keySet().stream()
                            .filter(base::containsKey)
                            .mapToDouble(block -> own.get(block).getOrDefault(name, 0.0)
                                    - base.get(block).getOrDefault(name, 0.0))
                            .toArray();
                    differences.put(
                            name, Spread.of(each, false, analysis.settings().alpha()));
                });
        return differences.entrySet().stream()
                .filter(one -> one.getValue().known())
                .sorted(Comparator.comparingDouble((Map.Entry<String, Spread> one) ->
                        -Math.abs(one.getValue().mean())))
                .limit(MOST_FRAMES)
                .map(one -> new Frame(
                        one.getKey().replace('/', '.'),
                        Numbers.shown(mean.getOrDefault(one.getKey(), 0.0)),
                        Numbers.shown(meanOfBase.getOrDefault(one.getKey(), 0.0)),
                        signed(one.getValue().mean()),
                        interval(one.getValue().low(), one.getValue().high()),
                        one.getValue().low() > 0 || one.getValue().high() < 0))
                .toList();
    }

    private static String interval(double low, double high) {
        return Double.isNaN(low) ? Numbers.NONE : signed(low) + " to " + signed(high);
    }

    private static String signed(double value) {
        return (value > 0 ? "+" : "") + Numbers.shown(value);
    }

    private Map<String, String> names(Arm arm) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(name(group.baseline(), arm), analysis.name(arm) + " (frames that grew or are new)");
        names.put(name(arm, group.baseline()), baseline() + " (frames that vanished)");
        return names;
    }

    private static String name(Arm from, Arm to) {
        return "flame/" + to.id() + "-against-" + from.id() + ".html";
    }

    /**
     * Returns two graphs for each pair: one with the frames of the arm, the other with those of the baseline. The
     * weight of a stack is ns per request.
     */
    Map<String, String> graphs() {
        Map<String, String> files = new TreeMap<>();
        String base = collapsed(group.baseline());
        for (Arm arm : group.arms()) {
            String own = arm.equals(group.baseline()) ? "" : collapsed(arm);
            if (!own.isEmpty() && !base.isEmpty()) {
                files.put(name(group.baseline(), arm), graph(base, own, analysis.name(arm) + " against " + baseline()));
                files.put(name(arm, group.baseline()), graph(own, base, baseline() + " against " + analysis.name(arm)));
            }
        }
        return files;
    }

    private String collapsed(Arm arm) {
        SortedMap<Integer, Double> cpu = analysis.values(arm, load, Metric.CPU);
        List<Map.Entry<ServerRun, CpuProfile>> own = analysis.profiles(group, load).entrySet().stream()
                .filter(one -> one.getKey().arm().equals(arm.id())
                        && cpu.containsKey(one.getKey().block()))
                .toList();
        Map<String, Double> nanos = new TreeMap<>();
        for (Map.Entry<ServerRun, CpuProfile> one : own) {
            double each = NANOS_PER_MICRO
                    * cpu.get(one.getKey().block())
                    / one.getValue().samples()
                    / own.size();
            try {
                CollapsedStacks.read(root.resolve(folder.apply(one.getKey())).resolve(CpuProfile.FILE))
                        .forEach((stack, seen) -> nanos.merge(harmless(stack), seen * each, Double::sum));
            } catch (IOException e) {
                // If its file is missing, the server counts in the layers but not in the graph.
            }
        }
        return nanos.entrySet().stream()
                .map(one -> one.getKey() + " " + Math.round(one.getValue()))
                .collect(Collectors.joining("\n", "", nanos.isEmpty() ? "" : "\n"));
    }

    /**
     * Replaces anything except plain text, because the flame graph library does not escape names: {@code <init>}
     * becomes ‹init›.
     */
    private static String harmless(String text) {
        return Html.plain(text).replace('<', '‹').replace('>', '›').replaceAll("[&\"'`\\\\]", "_");
    }

    /** Leaves out narrow frames until the graph is small enough. */
    private static String graph(String from, String to, String title) {
        String html = "";
        for (double narrowest = 0;
                narrowest < 100 && (html.isEmpty() || html.length() > MOST_BYTES);
                narrowest = 2 * narrowest + 0.05) {
            html = graph(from, to, harmless(Text.shown(title)), narrowest);
        }
        return html.replaceFirst("<head>", "<head>" + Matcher.quoteReplacement(POLICY));
    }

    private static String graph(String from, String to, String title, double narrowest) {
        try {
            Arguments arguments = new Arguments(
                    "--diff", "--title", title + ", ns per request", "--minwidth", Double.toString(narrowest));
            FlameGraph before = new FlameGraph(arguments);
            before.parseCollapsed(new StringReader(from));
            FlameGraph after = new FlameGraph(arguments);
            after.parseCollapsed(new StringReader(to));
            after.diff(before);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            after.dump(out);
            return out.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
