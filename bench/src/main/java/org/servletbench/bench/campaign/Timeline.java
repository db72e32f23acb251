package org.servletbench.bench.campaign;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.servletbench.bench.record.Invocation.ThreadTimeline;

/** The server's threads over its life, from its monitor's rows, thinned out for a chart. */
public final class Timeline {

    private static final String THREADS = "threads.";
    private static final int MOST_POINTS = 120;

    private Timeline() {}

    /**
     * @param loadFromMs when the measured load began, ms since the epoch
     * @return null where there are no such rows
     */
    public static ThreadTimeline read(Path monitor, long loadFromMs) {
        try (Reader reader = Files.newBufferedReader(monitor, StandardCharsets.UTF_8);
                CSVParser rows = CSVFormat.DEFAULT
                        .builder()
                        .setHeader()
                        .setSkipHeaderRecord(true)
                        .get()
                        .parse(reader)) {
            List<String> columns = rows.getHeaderNames().stream()
                    .filter(name -> name.startsWith(THREADS))
                    .toList();
            List<CSVRecord> all =
                    rows.getRecords().stream().filter(CSVRecord::isConsistent).toList();
            if (columns.isEmpty() || all.isEmpty()) {
                return null;
            }
            int step = (all.size() + MOST_POINTS - 1) / MOST_POINTS;
            long start = Long.parseLong(all.get(0).get("time.ms"));
            List<Double> seconds = new ArrayList<>();
            Map<String, List<Double>> series = new TreeMap<>();
            for (int i = 0; i < all.size(); i += step) {
                CSVRecord row = all.get(i);
                seconds.add((Long.parseLong(row.get("time.ms")) - start) / 1000.0);
                columns.forEach(
                        column -> series.computeIfAbsent(column.substring(THREADS.length()), name -> new ArrayList<>())
                                .add(row.get(column).isEmpty() ? null : Double.valueOf(row.get(column))));
            }
            return new ThreadTimeline(seconds, series, Math.max(0, (loadFromMs - start) / 1000.0));
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }
}
