package org.servletbench.bench.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.SafeFiles;

/**
 * The file in which a profiler counts stacks. Each line has the frames of a stack from the root, separated by
 * semicolons, and its number of samples.
 */
public final class CollapsedStacks {

    /** Maximum size of a file, bytes. */
    private static final int LONGEST = 32 << 20;
    /** Maximum number of frames of a stack. async-profiler cuts at 2048. */
    private static final int DEEPEST = 2100;

    private static final Pattern STACK = Pattern.compile("(.+) ([0-9]{1,15})");

    private CollapsedStacks() {}

    /**
     * Reads the samples by stack.
     *
     * @throws IOException if the file cannot be read, or has another content
     */
    public static Map<String, Long> read(Path collapsed) throws IOException {
        Map<String, Long> stacks = new HashMap<>();
        for (String line : SafeFiles.textInFolder(collapsed, LONGEST)
                .lines()
                .filter(line -> !line.isBlank())
                .toList()) {
            Matcher stack = STACK.matcher(line);
            if (!stack.matches() || stack.group(1).chars().filter(c -> c == ';').count() > DEEPEST) {
                throw new IOException(collapsed + " is not a file of stacks and their samples");
            }
            stacks.merge(stack.group(1), Long.parseLong(stack.group(2)), Long::sum);
        }
        return stacks;
    }
}
