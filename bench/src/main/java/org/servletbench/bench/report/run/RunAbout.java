package org.servletbench.bench.report.run;

import static org.servletbench.bench.model.Text.text;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Load;

/** Date, machine, processors and times of a run, and a comparison that matches it. */
final class RunAbout {

    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final double GIB = 1L << 30;
    /** Settings set of a comparison that does not name one. */
    private static final String USUAL_SETTINGS = "equalised";

    /** The arms of {@code comparisons/quick.yaml}. */
    private static final List<String> USUAL_ARMS = List.of("tomcat-nio", "jetty", "undertow");

    private static final String PLATFORM = "platform";

    private RunAbout() {}

    static Map<String, String> of(Measured measured, ServerRecord record) {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("date", MINUTES.format(Instant.ofEpochMilli(measured.log().firstMs())));
        about.put("machine", machine(record.run().machine()));
        about.put("JDK", RunFacts.jvm(record.proven()).replaceFirst("^JDK ", ""));
        about.put("JVM options", options(record.proof().jvmOptions()));
        about.put("heap", record.proven().heap());
        about.put("processors", RunFacts.known(record.run().pinning(), ""));
        about.put("load", load(measured.loads()));
        about.put("warm-up", warmUp(record.run().warmUp()));
        about.put("slower code", code(record));
        about.values().removeIf(String::isEmpty);
        return about;
    }

    /** @param facts facts about the machine; null if nothing is known */
    private static String machine(Map<String, String> facts) {
        if (facts == null) {
            return "";
        }
        List<String> known = new ArrayList<>();
        Stream.of("cpu", "os").map(key -> facts.getOrDefault(key, "")).forEach(known::add);
        known.add(1, facts.getOrDefault("cores", "") + " processors");
        known.add(2, text("%.0f GiB of memory", Double.parseDouble(facts.getOrDefault("memory.bytes", "0")) / GIB));
        known.add("Linux " + facts.getOrDefault("kernel", ""));
        if (facts.getOrDefault("virtual", "").equals("yes")) {
            known.add("a virtual machine");
        }
        return known.stream().filter(fact -> !fact.isBlank()).collect(Collectors.joining(", "));
    }

    private static String options(List<String> options) {
        return options == null ? "" : String.join(" ", options);
    }

    private static String load(List<WindowResult> loads) {
        double seconds =
                loads.stream().mapToDouble(load -> load.steady().seconds()).sum();
        return text("%.0f s in steady windows, of %d %s", seconds, loads.size(), loads.size() == 1 ? "load" : "loads");
    }

    private static String warmUp(ServerRecord.WarmUp warmUp) {
        return warmUp == null || warmUp.seconds() == null ? "" : text("%.0f s", warmUp.seconds());
    }

    /**
     * Returns the share of samples in which the JIT compiler had not yet produced its best code when each load began.
     */
    private static String code(ServerRecord record) {
        TopTier top = TopTier.named(record.proven().facts().get(TopTier.FACT));
        List<String> shares = new ArrayList<>();
        record.run().code().forEach((load, seen) -> {
            if (seen.samples() > 0) {
                shares.add(text("%s %.1f %% of %d samples", load, 100 * seen.shareBelow(top), seen.samples()));
            }
        });
        return shares.isEmpty()
                ? ""
                : "not yet in code of " + top.title() + " as each load began: " + String.join(", ", shares);
    }

    /**
     * Returns a comparison of containers with this run's Spring Boot version, connector, settings and kind of threads.
     */
    static Optional<String> comparison(Measured measured, ServerRecord record) {
        Optional<Load> load = measured.loads().stream()
                .map(WindowResult::load)
                .filter(one -> one.users() > 0)
                .findFirst();
        if (load.isEmpty() || record.proven().container().isEmpty()) {
            return Optional.empty();
        }
        List<String> same = new ArrayList<>();
        String line = RunFacts.known(record.asked().line(), "");
        setting(line, ContainerProfile.DEFAULT_LINE, "server.boot", same);
        setting(RunFacts.known(record.asked().settings(), ""), USUAL_SETTINGS, "server.properties", same);
        setting(record.proven().threads(), PLATFORM, "server.threads", same);
        List<String> arms = arms(RunFacts.known(record.asked().profile(), ""), line);
        return Optional.of("mvn -Pcompare verify"
                + (arms.equals(USUAL_ARMS) ? "" : " -Darms=" + String.join(",", arms))
                + " -Dworkloads=" + load.get().workload() + " -Dusers="
                + load.get().users()
                + (same.isEmpty() ? "" : " -Dset='" + String.join(";", same) + "'"));
    }

    /** Returns one arm for each container; this run's container has this run's connector. */
    private static List<String> arms(String profile, String line) {
        return USUAL_ARMS.stream()
                .map(arm -> profile.startsWith(arm.replaceFirst("-.*", "")) ? profile : arm)
                // Spring Boot 4 does not support Undertow.
                .filter(arm -> !(arm.equals("undertow") && line.equals("boot4")))
                .toList();
    }

    private static void setting(String here, String usual, String key, List<String> settings) {
        if (!here.isEmpty() && !here.equals(usual)) {
            settings.add(key + "=" + here);
        }
    }
}
