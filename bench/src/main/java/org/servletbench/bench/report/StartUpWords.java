package org.servletbench.bench.report;

import java.util.Set;

/** What a page says of a campaign that only starts servers. */
final class StartUpWords {

    /** Heads of the paragraphs on method that such a campaign has no use for. */
    static final Set<String> ABOUT_LOADS = Set.of("Warm-up.", "Pinning.", "Windows.", "Limits.", "Trend.");

    static final String METHOD = "Servers start one at a time, on all processors, without load. The heap is not touched beforehand."
            + " Time to ready runs from the start of the process to the first good answer, which is asked for every 20 ms. CPU time"
            + " and resident memory (VmRSS) are read from /proc at that moment, before anything is asked of the JVM; classes, threads"
            + " and memory in use by the application itself, when Spring Boot says that it is ready. Then the server proves what it is,"
            + " and is ended.";

    static final String CAVEAT = "The operating system has the files of these servers in memory: the first start after the machine's own"
            + " takes longer.";

    private StartUpWords() {}
}
