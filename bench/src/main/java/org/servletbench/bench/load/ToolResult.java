package org.servletbench.bench.load;

import java.nio.file.Path;
import java.util.List;

/**
 * One finished run of a command-line generator, and the raw files that it left in a folder.
 *
 * @param fromMs when its process started, ms since the epoch
 * @param toMs when its process had ended, ms since the epoch
 * @param cpuSeconds processor time that the tool used, s; NaN where the system does not tell
 */
public record ToolResult(
        long fromMs, long toMs, ToolFigures figures, double cpuSeconds, Path folder, List<String> files) {}
