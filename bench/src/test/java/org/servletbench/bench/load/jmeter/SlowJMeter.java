package org.servletbench.bench.load.jmeter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.load.Sample;

/** Reads JMeter's CSV in the simplest way, into lists. It shares no code with the reader under test. */
final class SlowJMeter {
    final List<Sample> samples = new ArrayList<>();
    boolean truncated;

    SlowJMeter(String text) {
        List<List<String>> rows = rows(text);
        List<String> header = rows.get(0);
        Map<String, Set<String>> seen = new HashMap<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            Set<String> threads = seen.computeIfAbsent(row.get(header.indexOf("label")), label -> new HashSet<>());
            threads.add(field(header, row, "threadName"));
            long active = number(header, row, "grpThreads");
            long start = Long.parseLong(row.get(header.indexOf("timeStamp")));
            String error = Stream.of("responseCode", "responseMessage")
                    .map(column -> field(header, row, column))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(" "));
            String failure = field(header, row, "failureMessage");
            error = failure.isEmpty() ? error : error + ": " + failure;
            boolean ok = row.get(header.indexOf("success")).equals("true");
            samples.add(new Sample(
                    row.get(header.indexOf("label")),
                    start,
                    start + Long.parseLong(row.get(header.indexOf("elapsed"))),
                    ok ? null : error,
                    header.contains("threadName") ? Math.min(active, threads.size()) : active,
                    number(header, row, "bytes"),
                    number(header, row, "sentBytes")));
        }
    }

    private static String field(List<String> header, List<String> row, String column) {
        return header.contains(column) ? row.get(header.indexOf(column)) : "";
    }

    private static long number(List<String> header, List<String> row, String column) {
        return header.contains(column) ? Long.parseLong(row.get(header.indexOf(column))) : -1;
    }

    private List<List<String>> rows(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean inQuotes = false;
        boolean pending = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            pending = true;
            if (inQuotes) {
                if (c != '"') {
                    field.append(c);
                } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    field.append(c);
                    i++;
                } else {
                    inQuotes = false;
                }
            } else if (c == '"') {
                inQuotes = true;
            } else if (c == ',' || c == '\n') {
                row.add(field.toString());
                field.setLength(0);
                if (c == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                    pending = false;
                }
            } else {
                field.append(c);
            }
        }
        // The last column is not read, so a row that reaches it is complete.
        if (pending && !inQuotes && !rows.isEmpty() && row.size() == rows.get(0).size() - 1) {
            row.add(field.toString());
            rows.add(row);
            pending = false;
        }
        truncated = pending;
        return rows;
    }
}
