package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.TargetException;

/**
 * The load hosts of a batch, and the files that they return.
 *
 * @param all the hosts; empty if the load comes from this machine
 * @param folder folder of the batch, with a subfolder for each host
 */
public record LoadHosts(List<LoadHost> all, Path folder) implements AutoCloseable {

    /**
     * Connects to all load hosts of a run, and measures their clocks.
     *
     * @throws TargetException if one host cannot be used; none is connected then
     */
    public static LoadHosts connect(Machines machines, Path folder) {
        List<CompletableFuture<LoadHost>> opening = machines.load().stream()
                .map(host -> CompletableFuture.supplyAsync(
                        () -> LoadHost.connect(host, machines.java()),
                        task -> new Thread(task, "servlet-bench-connect").start()))
                .toList();
        try {
            return new LoadHosts(opening.stream().map(CompletableFuture::join).toList(), folder);
        } catch (CompletionException e) {
            opening.forEach(one -> one.thenAccept(LoadHost::close)
                    .exceptionally(failure -> null)
                    .join());
            throw e.getCause() instanceof TargetException known ? known : e;
        }
    }

    /** True if the load comes from this machine. */
    public boolean none() {
        return all.isEmpty();
    }

    /** Returns the hosts and the uncertainty of their clocks, for people. */
    public String words() {
        return "load hosts: " + all.stream().map(LoadHost::words).collect(Collectors.joining(", "));
    }

    /** Returns the folder for a host's files on this machine. */
    Path place(LoadHost host) throws IOException {
        return SafeFiles.folder(folder, folder.resolve(host.name().replaceAll("[^\\w.-]", "_")));
    }

    /** Returns the uncertainty of the worst clock, ms: by how much the hosts' times may differ from this machine's. */
    double uncertaintyMs() {
        return all.stream()
                .mapToDouble(host -> host.clock().uncertaintyMs())
                .max()
                .orElse(0);
    }

    private int fewestProcessors() {
        return all.stream().mapToInt(LoadHost::processors).min().orElseThrow();
    }

    /**
     * Fetches the logs with this name from generators that have ended, and the files that {@link #bringMeters} fetches.
     */
    RawLog bring(String name) throws IOException {
        bringMeters();
        List<RawLog.Part> parts = new ArrayList<>();
        for (LoadHost host : all) {
            parts.add(host.bring(name, place(host)));
        }
        return new RawLog(parts);
    }

    /** Fetches the meters' files, and saves facts about the hosts in {@code hosts.json}. */
    public void bringMeters() throws IOException {
        Map<String, Object> known = new LinkedHashMap<>();
        for (LoadHost host : all) {
            host.bringMeter(place(host));
            known.put(
                    host.name(),
                    Map.of(
                            "clock.ahead.ms", host.clock().aheadMs(),
                            "clock.uncertainty.ms", host.clock().uncertaintyMs(),
                            "processors", host.processors()));
        }
        Json.write(folder.resolve("hosts.json"), known);
    }

    /** Returns the generators' resource use. Call it after {@link #bringMeters}. */
    public Generator.Senders senders() throws IOException {
        int fewest = fewestProcessors();
        List<MonitorSeries> monitors = new ArrayList<>();
        for (LoadHost host : all) {
            monitors.add(host.metered(place(host), fewest));
        }
        return new Generator.Senders(fewest, monitors);
    }

    /**
     * Returns the CPU time of the generator in the slices of a load, next to the servers' CPU time. It is the CPU time
     * of the host that is busiest over all slices, scaled to the number of processors of the smallest host. (The
     * busiest host of each slice would be the one whose reading happened to be high.) Slices that a host has not read
     * are left out.
     */
    List<SliceUsage> worst(List<SliceUsage> servers, String load) {
        int fewest = fewestProcessors();
        Map<Integer, Double> cores = Map.of();
        Map<Integer, Integer> readings = new HashMap<>();
        double most = -1;
        for (LoadHost host : all) {
            Map<Integer, Double> own = new HashMap<>();
            double busy = 0;
            double time = 0;
            for (SliceUsage use : host.uses(load)) {
                double share = (double) fewest / host.processors();
                own.put(use.timeSlice(), share * use.generatorMs() / (use.toMs() - use.fromMs()));
                readings.merge(use.timeSlice(), 1, Integer::sum);
                busy += share * use.generatorMs();
                time += use.toMs() - use.fromMs();
            }
            if (busy / time > most) {
                most = busy / time;
                cores = own;
            }
        }
        Map<Integer, Double> busiest = cores;
        return servers.stream()
                .filter(use -> readings.getOrDefault(use.timeSlice(), 0) == all.size())
                .map(use -> use.with(
                        use.fromMs(),
                        use.toMs(),
                        Math.round(busiest.get(use.timeSlice()) * (use.toMs() - use.fromMs()))))
                .toList();
    }

    @Override
    public void close() {
        all.parallelStream().forEach(LoadHost::close);
    }
}
