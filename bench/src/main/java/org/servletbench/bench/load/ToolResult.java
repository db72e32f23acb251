package org.servletbench.bench.load;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.servletbench.bench.measure.Audit;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * One finished run of a command-line generator, and the raw files that it left in a folder.
 *
 * @param fromMs time when its process started, ms since the epoch
 * @param toMs time when its process had ended, ms since the epoch
 * @param cpuSeconds processor time that the tool used, s; NaN if the system does not report it
 */
public record ToolResult(
        long fromMs, long toMs, ToolFigures figures, double cpuSeconds, Path folder, List<String> files) {

    /**
     * Returns this run as a window.
     *
     * @param task load whose users each open a connection when it begins
     * @param server the server's name
     * @param rowFromMs time of a row in the server's monitor before the tool began, ms since the epoch
     * @param rowToMs time of a row after it had ended, ms since the epoch. The whole cost of the requests lies between
     *     the two rows.
     */
    public LoadResult of(Batch.Task task, String server, long rowFromMs, long rowToMs) {
        int users = task.load().users();
        double seconds = figures.seconds();
        long requests = figures.requests();
        Summary reported = new Summary(
                rowFromMs,
                rowToMs,
                seconds,
                requests,
                figures.failed(),
                figures.failures(),
                Double.NaN,
                Recorder.UNKNOWN,
                Recorder.UNKNOWN,
                Latency.reported(figures.latency().mean(), figures.latency().max(), figures.latency()::percentile));
        WindowResult window = WindowResult.of(task.load().name(), reported)
                .with(new WindowResult.Meters(
                        rowFromMs,
                        rowToMs,
                        requests,
                        Math.min(1, 1000 * seconds / (rowToMs - rowFromMs)),
                        users,
                        Map.of(Metric.GENERATOR_CORES, cpuSeconds / seconds)))
                .withWarnings(warnings(reported, users, task.settings().isCounted()));
        return new LoadResult(
                task, server, window, files.stream().map(folder::resolve).toList());
    }

    private List<Warning> warnings(Summary reported, int users, boolean counted) {
        // If the tool leaves late answers out, its mean is too low. Little's law gives a better one, because such users
        // do not pause.
        boolean lateMissing =
                figures.notes().stream().anyMatch(warning -> warning.kind() == WarningKind.TIMEOUTS_MISSING);
        double mean = lateMissing && reported.count() > 0
                ? users * reported.seconds() / reported.count()
                : figures.latency().mean() / 1e3;
        return Stream.concat(
                        figures.notes().stream(), Audit.ofTool(reported, figures.completed(), mean, counted).stream())
                .toList();
    }
}
