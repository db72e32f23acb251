package org.servletbench.bench.load;

import java.nio.file.Path;
import java.util.List;

/**
 * One finished run of a command-line generator, and the raw files that it left in a folder.
 *
 * @param version its version on this machine, as it says itself
 * @param command the exact command line, word by word
 * @param fromMs when its process started, ms since the epoch
 * @param toMs when its process had ended, ms since the epoch
 * @param cpuSeconds processor time that the tool used, s; NaN where the system does not tell
 */
public record ToolResult(
        String version,
        List<String> command,
        long fromMs,
        long toMs,
        ToolFigures figures,
        double cpuSeconds,
        Path folder,
        List<String> files) {}
