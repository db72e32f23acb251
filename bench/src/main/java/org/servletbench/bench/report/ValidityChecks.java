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
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Remedy.Where;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.NoVerdictReason;

/**
 * Reservations about a figure or an answer: warnings, failed attempts, damaged files; and links to the raw logs.
 *
 * @param problems lines for people about unreadable data
 */
record ValidityChecks(
        Judgement judgement, Table.Names names, Function<Invocation, String> folder, List<String> problems) {

    /** Returns the number of servers without the intended profile. */
    int withoutProfile() {
        return Boolean.parseBoolean(judgement.campaign().asked().get("explain"))
                ? (int) judgement.chosen().stream()
                        .filter(server -> !server.hasProfile())
                        .count()
                : 0;
    }

    long unsettled() {
        return judgement.chosen().stream()
                .map(Invocation::warmUp)
                .filter(warmUp -> warmUp != null && !warmUp.settled())
                .count();
    }

    List<Invocation> failed() {
        return judgement.invocations().stream()
                .filter(Predicate.not(Invocation::measured))
                .toList();
    }

    /** Returns the number of pairs without a verdict because of a server's behaviour. */
    long barred() {
        return judgement.family().pairs().stream()
                .filter(pair ->
                        pair.reason().filter(NoVerdictReason::isTheServers).isPresent())
                .count();
    }

    /** Returns keys of the plan's metrics that this version does not know. */
    List<String> unknown() {
        return judgement.campaign().plan().primary().stream()
                .filter(key -> Metric.of(key).isEmpty())
                .toList();
    }

    /** Returns the number of loads in which an arm ran at the generator's limit. */
    long floors() {
        return judgement.cells().stream()
                .filter(cell -> judgement.groups().stream()
                        .flatMap(group -> group.all().stream())
                        .anyMatch(arm -> judgement.hasFloor(arm, cell)))
                .count();
    }

    /** Returns the largest value under any load. */
    double most(Metric metric) {
        return judgement.chosen().stream()
                .flatMap(invocation -> invocation.cells().stream())
                .flatMapToDouble(result -> result.figure(metric).stream())
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** The common part of a warning on several servers of an arm. */
    private record Same(String arm, String load, MarkKind kind, String effect) {}

    /** Returns every warning on the servers that count, by arm and load: in which blocks, and why. */
    Table marks() {
        Map<Same, Map<Integer, List<String>>> marks = new LinkedHashMap<>();
        for (Arm arm : judgement.campaign().arms()) {
            for (Invocation server : judgement.chosen()) {
                if (server.arm().equals(arm.id())) {
                    server.marks()
                            .forEach(mark -> add(
                                    marks,
                                    server,
                                    "whole invocation",
                                    mark,
                                    effect(mark)
                                            + (mark.saysCold()
                                                    ? " unless its code under the load shows that it was warm"
                                                    : "")));
                    for (CellResult result : server.cells()) {
                        String load = result.cell().words();
                        result.marks()
                                .forEach(mark -> add(
                                        marks,
                                        server,
                                        load,
                                        mark,
                                        result.isFloor(mark) ? "throughput is at least this" : effect(mark)));
                    }
                }
            }
        }
        return new Columns<Map.Entry<Same, Map<Integer, List<String>>>>()
                .words("arm", "Arm", one -> one.getKey().arm())
                .words("cell", "Load", one -> one.getKey().load())
                .words("check", "Mark", one -> one.getKey().kind().key())
                .words(
                        "blocks",
                        "Blocks",
                        one -> Text.list(one.getValue().keySet().stream()
                                .map(String::valueOf)
                                .toList()))
                .words("figures", "Why", one -> why(one.getValue()))
                .words("effect", "Effect", one -> one.getKey().effect())
                .words("follows", "What follows", one -> one.getKey().kind().consequence())
                .words("remedy", "What to do", one -> one.getKey().kind().remedy(Where.CAMPAIGN))
                .table(names.unique("marks"), "What is marked", List.copyOf(marks.entrySet()));
    }

    private void add(
            Map<Same, Map<Integer, List<String>>> marks, Invocation server, String load, Mark mark, String effect) {
        marks.computeIfAbsent(new Same(name(server), load, mark.kind(), effect), same -> new TreeMap<>())
                .computeIfAbsent(server.block(), block -> new ArrayList<>())
                .add(mark.figures());
    }

    private static String why(Map<Integer, List<String>> blocks) {
        List<String> each = new ArrayList<>();
        blocks.forEach(
                (block, figures) -> each.add((blocks.size() > 1 ? block + ": " : "") + String.join("; ", figures)));
        return String.join("; ", each);
    }

    private static String effect(Mark mark) {
        return mark.excludes()
                ? "left out"
                : mark.saysCold()
                        ? "no verdict"
                        : mark.kind().effect() == MarkKind.Effect.NO_RESPONSE_TIMES
                                ? "no verdict on response times"
                                : "shown";
    }

    /** Returns failed attempts, and whether another one replaces them. */
    Table failures() {
        return new Columns<Invocation>()
                .number("block", "Block", "", failed -> Value.count(failed.block()))
                .words("arm", "Arm", this::name)
                .number("attempt", "Attempt", "", failed -> Value.count(failed.attempt()))
                .words("outcome", "Why", Invocation::outcome)
                .words("then", "Then", failed -> {
                    boolean again = judgement.chosen().stream()
                            .anyMatch(other -> other.arm().equals(failed.arm()) && other.block() == failed.block());
                    return again ? "another attempt was measured" : "missing in this block";
                })
                .table(names.unique("failed"), "Failed attempts", failed());
    }

    private String name(Invocation invocation) {
        Arm arm = judgement.campaign().arm(invocation.arm());
        return judgement.groups().size() > 1 && !arm.group().isEmpty()
                ? judgement.name(arm) + ", " + arm.group()
                : judgement.name(arm);
    }

    /** Links of a server, as HTML. */
    record Links(String server, List<String> links) {}

    /** Returns links to everything that the generators wrote, by block and arm. */
    String links() {
        Map<Integer, List<Links>> blocks = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (Invocation invocation : judgement.invocations()) {
            List<String> links = new ArrayList<>();
            for (CellResult result : invocation.cells()) {
                result.links().forEach(link -> links.add(link(folder.apply(invocation), link)));
            }
            // A log of a whole block has one link, with the first of its servers.
            links.removeIf(link -> !seen.add(link));
            if (!links.isEmpty()) {
                blocks.computeIfAbsent(invocation.block(), block -> new ArrayList<>())
                        .add(new Links(name(invocation), links));
            }
        }
        return Template.html("links", blocks);
    }

    /**
     * Returns a link within the campaign's folder. A path that leads out of it, or might be taken for an address, stays text.
     *
     * @param folder relative to the page
     * @param link relative to the folder
     */
    static String link(String folder, String link) {
        boolean anAddress = link.startsWith("/")
                || link.contains("\\")
                || link.indexOf('\0') >= 0
                || link.contains(":") && link.indexOf(':') < (link + "/").indexOf('/')
                || folder.startsWith("/")
                || folder.contains(":");
        // Files shared by all servers of a block are stored next to their folders.
        String path = anAddress ? ".." : Path.of(folder, link).normalize().toString();
        boolean leadsOut = path.isEmpty() || List.of(path.split("/", -1)).contains("..");
        return Template.html(
                "link", leadsOut ? new Link(null, link) : new Link(url(path), link.replaceFirst("^(\\.\\./)+", "")));
    }

    /** A URL with its text; only text if the URL is null. */
    record Link(String url, String text) {}

    /** Returns a path as a URL: everything is escaped except letters, digits and characters that never have a meaning. */
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
