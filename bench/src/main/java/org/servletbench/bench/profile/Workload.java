package org.servletbench.bench.profile;

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

    /** Whether a body of this many bytes is right. */
    public boolean accepts(int bytes) {
        return bytes >= minBytes && bytes <= maxBytes;
    }

    static List<Workload> all(Map<String, String> values, Path file) {
        return Arrays.stream(
                        ContainerProfile.required(values, "workloads", file).split(","))
                .map(String::strip)
                .map(name -> of(name, values, file))
                .toList();
    }

    private static Workload of(String name, Map<String, String> values, Path file) {
        String path = ContainerProfile.required(values, name + ".path", file);
        if (!path.startsWith("/")) {
            throw new UsageException("'" + name + ".path' in " + file + " must start with /");
        }
        String bytes = ContainerProfile.required(values, name + ".bytes", file);
        Matcher matcher = BYTES.matcher(bytes);
        if (!matcher.matches()) {
            throw new UsageException(
                    "'" + name + ".bytes=" + bytes + "' in " + file + " is neither a number nor LOW..HIGH");
        }
        int min = Integer.parseInt(matcher.group(1));
        int max = matcher.group(2) == null ? min : Integer.parseInt(matcher.group(2));
        return new Workload(name, path, min, max);
    }
}
