package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.servletbench.bench.model.Hint.Where;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.NoVerdictReason;

/**
 * What limits the validity of a figure or an answer: warnings, failed attempts and damaged files. Also links to the raw
 * logs.
 *
 * @param problems lines for people about unreadable data
 */
record ValidityChecks(Analysis analysis, Table.Names names, Function<ServerRun, String> folder, List<String> problems) {

    /** Returns the number of servers that lack their intended profile. */
    int withoutProfile() {
        return Boolean.parseBoolean(analysis.campaign().asked().get("cpu-profile"))
                ? (int) analysis.chosen().stream()
                        .filter(server -> !server.hasProfile())
                        .count()
                : 0;
    }

    long unsettled() {
        return analysis.chosen().stream()
                .map(ServerRun::warmUp)
                .filter(warmUp -> warmUp != null && !warmUp.settled())
                .count();
    }

    List<ServerRun> failed() {
        return analysis.serverRuns().stream()
                .filter(Predicate.not(ServerRun::measured))
                .toList();
    }

    /** Returns the number of pairs without a verdict because of a server's behaviour. */
    long barred() {
        return analysis.family().pairs().stream()
                .filter(pair ->
                        pair.reason().filter(NoVerdictReason::isTheServers).isPresent())
                .count();
    }

    /** Returns the keys of the plan's metrics that this version does not know. */
    List<String> unknown() {
        return analysis.campaign().plan().primary().stream()
                .filter(key -> Metric.of(key).isEmpty())
                .toList();
    }

    /** Returns the number of loads in which an arm ran at the generator's limit. */
    long floors() {
        return analysis.loads().stream()
                .filter(load -> analysis.groups().stream()
                        .flatMap(group -> group.all().stream())
                        .anyMatch(arm -> analysis.hasFloor(arm, load)))
                .count();
    }

    /** Returns the largest value of a metric under any load. */
    double most(Metric metric) {
        return analysis.chosen().stream()
                .flatMap(serverRun -> serverRun.loads().stream())
                .flatMapToDouble(result -> result.figure(metric).stream())
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** What warnings on several servers of an arm have in common. */
    private record Same(String arm, String load, WarningKind kind, String effect) {}

    /** Returns a table of all warnings on the servers that count, by arm and load, with the blocks and the reasons. */
    Table warnings() {
        Map<Same, Map<Integer, List<String>>> warnings = new LinkedHashMap<>();
        for (Arm arm : analysis.campaign().arms()) {
            for (ServerRun server : analysis.chosen()) {
                if (server.arm().equals(arm.id())) {
                    server.warnings()
                            .forEach(warning -> add(
                                    warnings,
                                    server,
                                    "whole server run",
                                    warning,
                                    effect(warning)
                                            + (warning.saysCold()
                                                    ? " unless its code under the load shows that it was warm"
                                                    : "")));
                    for (LoadFigures result : server.loads()) {
                        String load = result.load().words();
                        result.warnings()
                                .forEach(warning -> add(
                                        warnings,
                                        server,
                                        load,
                                        warning,
                                        result.isFloor(warning) ? "throughput is at least this" : effect(warning)));
                    }
                }
            }
        }
        return new Columns<Map.Entry<Same, Map<Integer, List<String>>>>()
                .words("arm", "Arm", one -> one.getKey().arm())
                .words("load", "Load", one -> one.getKey().load())
                .words("check", "Warning", one -> one.getKey().kind().key())
                .words(
                        "blocks",
                        "Blocks",
                        one -> Text.list(one.getValue().keySet().stream()
                                .map(String::valueOf)
                                .toList()))
                .words("figures", "Why", one -> why(one.getValue()))
                .words("effect", "Effect", one -> one.getKey().effect())
                .words("follows", "What follows", one -> one.getKey().kind().consequence())
                .words("hint", "What to do", one -> one.getKey().kind().hint(Where.CAMPAIGN))
                .table(names.unique("warnings"), "Warnings", List.copyOf(warnings.entrySet()));
    }

    private void add(
            Map<Same, Map<Integer, List<String>>> warnings,
            ServerRun server,
            String load,
            Warning warning,
            String effect) {
        warnings.computeIfAbsent(new Same(name(server), load, warning.kind(), effect), same -> new TreeMap<>())
                .computeIfAbsent(server.block(), block -> new ArrayList<>())
                .add(warning.figures());
    }

    private static String why(Map<Integer, List<String>> blocks) {
        List<String> each = new ArrayList<>();
        blocks.forEach(
                (block, figures) -> each.add((blocks.size() > 1 ? block + ": " : "") + String.join("; ", figures)));
        return String.join("; ", each);
    }

    private static String effect(Warning warning) {
        return warning.excludes()
                ? "left out"
                : warning.saysCold()
                        ? "no verdict"
                        : warning.kind().effect() == WarningKind.Effect.NO_RESPONSE_TIMES
                                ? "no verdict on response times"
                                : "shown";
    }

    /** Returns a table of failed attempts, and whether another attempt replaces them. */
    Table failures() {
        return new Columns<ServerRun>()
                .number("block", "Block", "", failed -> Value.count(failed.block()))
                .words("arm", "Arm", this::name)
                .number("attempt", "Attempt", "", failed -> Value.count(failed.attempt()))
                .words("outcome", "Why", ServerRun::outcome)
                .words("then", "Then", failed -> {
                    boolean again = analysis.chosen().stream()
                            .anyMatch(other -> other.arm().equals(failed.arm()) && other.block() == failed.block());
                    return again ? "another attempt was measured" : "missing in this block";
                })
                .table(names.unique("failed"), "Failed attempts", failed());
    }

    private String name(ServerRun serverRun) {
        Arm arm = analysis.campaign().arm(serverRun.arm());
        return analysis.groups().size() > 1 && !arm.group().isEmpty()
                ? analysis.name(arm) + ", " + arm.group()
                : analysis.name(arm);
    }

    /** Links to files of a server, as HTML. */
    record Links(String server, List<String> links) {}

    /** Returns links to everything that the generators wrote, by block and arm. */
    String links() {
        Map<Integer, List<Links>> blocks = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (ServerRun serverRun : analysis.serverRuns()) {
            List<String> links = new ArrayList<>();
            for (LoadFigures result : serverRun.loads()) {
                result.links().forEach(link -> links.add(link(folder.apply(serverRun), link)));
            }
            // The log of a whole block is linked only once, at the first of its servers.
            links.removeIf(link -> !seen.add(link));
            if (!links.isEmpty()) {
                blocks.computeIfAbsent(serverRun.block(), block -> new ArrayList<>())
                        .add(new Links(name(serverRun), links));
            }
        }
        return Template.html("links", blocks);
    }

    /**
     * Returns a link within the campaign's folder. If the path leads out of it, or looks like an address, returns plain
     * text.
     *
     * @param folder folder relative to the page
     * @param link path relative to the folder
     */
    static String link(String folder, String link) {
        boolean anAddress = link.startsWith("/")
                || link.contains("\\")
                || link.indexOf('\0') >= 0
                || link.contains(":") && link.indexOf(':') < (link + "/").indexOf('/')
                || folder.startsWith("/")
                || folder.contains(":");
        // Files that all servers of a block share are stored next to the servers' folders.
        String path = anAddress ? ".." : Path.of(folder, link).normalize().toString();
        boolean leadsOut = path.isEmpty() || List.of(path.split("/", -1)).contains("..");
        return Template.html(
                "link", leadsOut ? new Link(null, link) : new Link(url(path), link.replaceFirst("^(\\.\\./)+", "")));
    }

    /** A URL with its text; text only if the URL is null. */
    record Link(String url, String text) {}

    /**
     * Returns a path as a URL. Everything is escaped except letters, digits and characters that never have a meaning.
     */
    private static String url(String path) {
        StringBuilder url = new StringBuilder();
        for (byte b : path.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (plain || "-._~/+".indexOf(c) >= 0) {
                url.append(c);
            } else {
                url.append(text("%%%02X", b & 0xff));
            }
        }
        return url.toString();
    }
}
