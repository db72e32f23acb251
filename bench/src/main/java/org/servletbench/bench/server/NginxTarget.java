package org.servletbench.bench.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.LinuxKernel;
import org.servletbench.bench.server.os.ProcessCounters;
import org.servletbench.bench.server.os.ProcessMeters;
import org.servletbench.bench.server.os.SchedulerGroup;
import org.servletbench.bench.server.os.ThreadMeters;
import org.servletbench.bench.server.process.NginxProcess;
import org.servletbench.bench.server.process.NginxSpec;
import org.servletbench.bench.server.process.RunFolder;
import org.servletbench.bench.server.proof.ServerFile;

/**
 * nginx, the reference server. It is started, checked, monitored and stopped like the servers with which it is
 * compared, but has no JVM.
 */
final class NginxTarget extends MonitoredServer {

    private static final Pattern SERVER = Pattern.compile("nginx/(\\S+)");

    private final NginxProcess server;
    private final String version;

    private NginxTarget(NginxProcess server, Path folder, ServerFile serverFile, String version) throws IOException {
        super(folder, serverFile);
        this.server = server;
        this.version = version;
        watch();
    }

    /**
     * @throws TargetException if nginx is missing, does not start, or something else answers
     */
    static NginxTarget start(NginxSpec spec, Path place) {
        NginxSpec.missing().ifPresent(TargetException::raise);
        Path folder = RunFolder.exactly(place);
        ServerFile serverFile = new ServerFile(
                folder,
                ServerRecord.EMPTY.with(
                        Map.of("arm", NginxSpec.ARM, "started", Instant.now().toString())));
        NginxProcess server = NginxProcess.start(spec, folder);
        try {
            Matcher said = SERVER.matcher(server.serverHeader);
            if (!said.matches()) {
                throw new TargetException("the server at " + server.url() + " reports '" + server.serverHeader
                        + "', not nginx with its version");
            }
            serverFile.put(Map.of(
                    "url",
                    server.url().toString(),
                    "pid",
                    server.pid(),
                    "proven",
                    new Proven(Map.of(
                            "container",
                            "nginx",
                            "container.version",
                            said.group(1),
                            Scheduling.FACT,
                            SchedulerGroup.of(server.pid()).toString())),
                    "ready.ms",
                    server.timeToReady().toMillis()));
            return new NginxTarget(server, folder, serverFile, said.group(1));
        } catch (IOException e) {
            server.stop();
            throw new TargetException("cannot write " + folder.resolve("monitor.csv") + " (" + e.getMessage() + ")");
        } catch (TargetException e) {
            server.stop();
            serverFile.put("ended", "rejected: " + e.getMessage());
            throw e;
        }
    }

    /**
     * Returns the meters that mean the same as a JVM's, summed over all nginx processes: totals, and current memory.
     */
    @Override
    public Map<String, String> sample() throws IOException {
        if (server.death().isPresent()) {
            throw new IOException("nginx has ended");
        }
        List<Long> pids = pids();
        Map<String, String> meters = new LinkedHashMap<>();
        meters.put(MonitorSeries.TIME, Long.toString(System.currentTimeMillis()));
        // A master process keeps the CPU time of its ended workers.
        meters.put(
                "process.cpu.ms",
                sum(pids, pid -> LinuxKernel.HERE.cpuMillis(pid) + LinuxKernel.HERE.endedChildrenMillis(pid)));
        meters.put("rss.bytes", sum(pids, NginxTarget::shareBytes));
        meters.putAll(machineAlone(server.pid()));
        meters.putAll(ProcessMeters.totals(ProcessCounters.COLUMNS, () -> ProcessCounters.of(pids)));
        meters.putAll(ProcessMeters.totals(ThreadMeters.SWITCHES_ONLY, () -> {
            Map<String, Long> sum = new LinkedHashMap<>();
            for (long pid : pids) {
                threads(pid).sample().forEach((column, total) -> sum.merge(column, total, Long::sum));
            }
            return sum;
        }));
        return meters;
    }

    @FunctionalInterface
    private interface Reading {
        long of(long pid) throws IOException;
    }

    /** Returns the sum over all processes; empty if one cannot be read. */
    private static String sum(List<Long> pids, Reading reading) {
        return ProcessMeters.value(() -> {
            long total = 0;
            for (long pid : pids) {
                total += reading.of(pid);
            }
            return total;
        });
    }

    /**
     * Returns the proportional resident memory. A page shared by n processes counts 1/n, so that every page counts once
     * in the sum.
     */
    private static long shareBytes(long pid) {
        return LinuxKernel.bytes(Path.of("/proc/" + pid + "/smaps_rollup"), "Pss")
                .orElseThrow();
    }

    @Override
    public URI url() {
        return server.url();
    }

    @Override
    public List<Long> pids() {
        return server.processes().stream().map(ProcessHandle::pid).toList();
    }

    @Override
    public String description() {
        return "nginx " + version + ", the reference: by its own Server header";
    }

    @Override
    public Optional<String> death() {
        return server.death();
    }

    @Override
    protected void stop() {
        server.stop();
    }

    @Override
    public boolean isJvm() {
        return false;
    }
}
