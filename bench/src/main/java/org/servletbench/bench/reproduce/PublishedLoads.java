package org.servletbench.bench.reproduce;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.load.jmeter.JMeterTable;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.load.tool.ToolLoad;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Loops;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.TargetException;

/**
 * Applies an article's loads to one server, with the article's tool. What fails is written down.
 *
 * @param rig with what
 * @param arm the server's, by the article's name
 * @param options of the article's plan
 * @param target the server
 * @param own its folder
 */
record PublishedLoads(AsPublished.Rig rig, String arm, Map<String, String> options, Target target, Path own) {

    /** One load, with each number of users. */
    List<PublishedRun> run(RerunPlan plan, RerunPlan.Stage load) {
        return plan.tool()
                .map(tool -> load.users().stream()
                        .map(users -> tool(tool, load, users))
                        .toList())
                .orElseGet(() -> jmeter(load));
    }

    private ToolWatch watched() {
        return ToolWatch.of(target);
    }

    private Workload workload(String name) {
        return rig.profiles().allWorkloads().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()
                .delayed(new Options("--", options, Map.of()));
    }

    private PublishedRun tool(CommandLineGenerator tool, RerunPlan.Stage load, int users) {
        Path place = own.resolve(PublishedRun.name(load.variant(), load.workload(), users));
        long started = System.currentTimeMillis();
        try {
            Files.createDirectories(place);
            URI url = target.url().resolve(workload(load.workload()).path());
            ToolResult result = run(tool, load.toolLoad(url, users), place);
            return new PublishedRun(
                    load.variant(),
                    arm,
                    load.workload(),
                    users,
                    tool.name(),
                    result.version(),
                    result.command(),
                    started,
                    figures(result.figures()),
                    result.figures().failures(),
                    result.figures().notes().stream().map(Mark::figures).toList(),
                    links(place, result.files().stream()),
                    "");
        } catch (LoadException | UsageException e) {
            return PublishedRun.failed(load, arm, users, tool.name(), started, e.getMessage());
        } catch (IOException e) {
            return PublishedRun.failed(load, arm, users, tool.name(), started, "cannot write to " + place);
        }
    }

    private ToolResult run(CommandLineGenerator tool, ToolLoad load, Path place) {
        if (!rig.machines().load().isEmpty()) {
            throw new UsageException("load-hosts: " + tool.name() + " cannot run there");
        }
        return tool.run(load, place, Optional.empty(), watched());
    }

    private List<String> links(Path place, Stream<?> files) {
        return files.map(file -> own.relativize(place.resolve(file.toString())).toString())
                .toList();
    }

    static Map<String, Double> figures(ToolFigures told) {
        Map<String, Double> figures = new LinkedHashMap<>();
        double failed = (double) told.failed() / told.requests();
        put(figures, Quantity.REQUESTS, told.completed());
        put(figures, Quantity.THROUGHPUT, told.throughput());
        put(figures, Quantity.LATENCY_MEAN, told.latency().mean());
        put(figures, Quantity.LATENCY_MEAN_SECONDS, told.latency().mean() / 1000);
        put(figures, Quantity.LATENCY_MIN, told.latency().min());
        put(figures, Quantity.LATENCY_MAX, told.latency().max());
        put(figures, Quantity.LATENCY_STDEV, told.latency().stdev());
        put(figures, Quantity.ERRORS_PRINTED, failed);
        // As siege means it: any answer below 500 counts.
        put(figures, Quantity.AVAILABILITY, 100.0 * told.completed() / told.requests());
        put(figures, Quantity.RECEIVED, told.bytes() / 1024 / told.seconds());
        put(figures, Quantity.RESPONSE_BYTES, told.bytes() / told.completed());
        put(figures, Quantity.ELAPSED, told.seconds());
        return figures;
    }

    private static void put(Map<String, Double> figures, Quantity metric, double value) {
        if (Double.isFinite(value)) {
            figures.put(metric.key(), value);
        }
    }

    /** JMeter: all numbers of users in one run. */
    private List<PublishedRun> jmeter(RerunPlan.Stage load) {
        JMeter jmeter = rig.jmeter()
                .orElseThrow(() -> new TargetException(
                        "as published, an article is run with wrk, ab, siege or jmeter: give one of them in its file"));
        Path place = own.resolve("jmeter-" + load.workload());
        long started = System.currentTimeMillis();
        JMeterTable table = new JMeterTable(List.of(), false);
        String trouble = "no request ended";
        try {
            Files.createDirectories(place);
            LoadPlan tiers = new LoadPlan(
                    List.of(workload(load.workload())),
                    new Closed(
                            load.users(),
                            Duration.ofSeconds(Math.max(1, load.rampUpSeconds())),
                            load.loops().isEmpty()
                                    ? new Hold(Duration.ofSeconds(load.seconds()))
                                    : new Loops(load.loops())),
                    new WarmUpPlan(Duration.ZERO, 1, Duration.ofSeconds(1), Duration.ZERO, 5, 1, 100),
                    100);
            JMeterRun.Server server =
                    new JMeterRun.Server(target.url(), target.description(), watched(), OptionalLong::empty);
            table = new JMeterRun(jmeter, tiers, new JMeterHosts(List.of()), server, place, line -> {})
                    .run(rig.root().resolve("jmeter-plans/tiers.jmx"));
        } catch (LoadException | UsageException e) {
            trouble = e.getMessage();
        } catch (IOException e) {
            trouble = "cannot write to " + place;
        }
        JMeterTable ended = table;
        String why = trouble;
        return load.users().stream()
                .map(users -> ended.row(load.workload() + " " + users + " users")
                        .map(row -> run(row, load, users, place, started))
                        .orElseGet(() -> PublishedRun.failed(load, arm, users, JMeterGenerator.NAME, started, why)))
                .toList();
    }

    private PublishedRun run(JMeterTable.Row row, RerunPlan.Stage load, int users, Path place, long started) {
        Map<String, Double> figures = new LinkedHashMap<>();
        put(figures, Quantity.REQUESTS, row.requests());
        put(figures, Quantity.LATENCY_MEAN, row.meanMs());
        put(figures, Quantity.LATENCY_MIN, row.minMs());
        put(figures, Quantity.LATENCY_MAX, row.maxMs());
        put(figures, Quantity.LATENCY_STDEV, row.stdevMs());
        put(figures, Quantity.ERRORS_PRINTED, row.errorPercent() / 100);
        put(figures, Quantity.THROUGHPUT, row.throughput());
        put(figures, Quantity.RECEIVED, row.receivedKiBs());
        put(figures, Quantity.SENT, row.sentKiBs());
        put(figures, Quantity.RESPONSE_BYTES, row.meanBytes());
        put(figures, Quantity.ELAPSED, row.requests() / row.throughput());
        return new PublishedRun(
                load.variant(),
                arm,
                load.workload(),
                users,
                JMeterGenerator.NAME,
                rig.jmeter().orElseThrow().version(),
                List.of(
                        JMeterGenerator.NAME,
                        "-n",
                        "-t",
                        "plan.jmx",
                        "-l",
                        JMeterRun.RESULTS,
                        "-q",
                        "jmeter.properties"),
                started,
                figures,
                row.firstFailure().map(first -> Map.of(first, row.failed())).orElse(Map.of()),
                List.of(),
                links(
                        place,
                        Stream.of("plan.jmx", JMeterRun.RESULTS, "table.csv", JMeterRun.DASHBOARD + "/index.html")),
                "");
    }
}
