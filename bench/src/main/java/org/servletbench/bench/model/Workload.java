package org.servletbench.bench.model;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One request kind: {@code GET path}, answered with status 200 and a body of a known length.
 *
 * @param name as it stands in request names and reports
 * @param path starts with a slash
 * @param minBytes the least length of the body in bytes
 * @param maxBytes the greatest length of the body in bytes; the same as the least where all containers agree
 */
public record Workload(String name, String path, int minBytes, int maxBytes) {

    private static final Pattern BYTES = Pattern.compile("(\\d{1,9})(?:\\.\\.(\\d{1,9}))?");

    /** What may stand in the first line of a request, with an optional query. */
    private static final Pattern PATH = Pattern.compile("/(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*");

    /** Whether a body of this many bytes is right. */
    public boolean accepts(int bytes) {
        return bytes >= minBytes && bytes <= maxBytes;
    }

    static List<Workload> all(Map<String, String> values, Path file) {
        List<Workload> all = Arrays.stream(
                        ContainerProfile.required(values, "workloads", file).split(","))
                .map(String::strip)
                .map(name -> of(name, values, file))
                .toList();
        if (all.stream().map(Workload::name).distinct().count() < all.size()) {
            throw new UsageException("'workloads' in " + file + " names one twice");
        }
        return all;
    }

    private static Workload of(String name, Map<String, String> values, Path file) {
        String path = ContainerProfile.required(values, name + ".path", file);
        if (!path.startsWith("/")) {
            throw new UsageException("'" + name + ".path' in " + file + " must start with /");
        }
        if (!PATH.matcher(path).matches()) {
            throw new UsageException("'" + name + ".path=" + path + "' in " + file
                    + " cannot be requested: write blanks and other characters as %20");
        }
        String bytes = ContainerProfile.required(values, name + ".bytes", file);
        Matcher matcher = BYTES.matcher(bytes);
        if (!matcher.matches()) {
            throw new UsageException(
                    "'" + name + ".bytes=" + bytes + "' in " + file + " is neither a number nor LOW..HIGH");
        }
        int min = Integer.parseInt(matcher.group(1));
        int max = matcher.group(2) == null ? min : Integer.parseInt(matcher.group(2));
        if (min > max) {
            throw new UsageException("'" + name + ".bytes=" + bytes + "' in " + file + " ends before it begins");
        }
        return new Workload(name, path, min, max);
    }
}
