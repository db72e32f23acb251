package org.servletbench.bench.report;

import java.io.IOException;
import java.nio.file.Path;

/** Campaigns for the tests of other rooms. */
public final class Campaigns {
    private Campaigns() {}

    /**
     * Writes one as the engine does.
     *
     * @param folder the campaign's own
     * @param seed from which it is drawn
     * @param arm one of its arms
     * @param speed that arm's throughput against the baseline's
     */
    public static void write(Path folder, long seed, String arm, double speed) throws IOException {
        Fixture.seeded(seed)
                .spread(0.01)
                .speed("tomcat-nio2", 1)
                .speed("undertow", 1.2)
                .speed(arm, speed)
                .draw()
                .write(folder);
    }
}
