package org.servletbench.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;

/** Campaigns for tests of other packages. */
public final class Campaigns {
    private Campaigns() {}

    /** Returns the results of a server with these warnings. */
    public static List<LoadFigures> warned(ServerRun one, List<Warning> warnings) {
        return Fixture.warned(one, warnings);
    }

    /**
     * Writes a campaign in the format of real ones.
     *
     * @param folder folder of the campaign
     * @param seed random seed
     * @param arm one of its arms
     * @param speed that arm's throughput relative to the baseline's
     */
    public static void write(Path folder, long seed, String arm, double speed) throws IOException {
        Fixture.seeded(seed)
                .named("campaign-" + seed)
                .spread(0.01)
                .speed("tomcat-nio2", 1)
                .speed("undertow", 1.2)
                .speed(arm, speed)
                .draw()
                .write(folder);
    }

    /** Writes a campaign of 10 blocks that has not ended. */
    public static void unfinished(Path folder, long seed, String arm, double speed) throws IOException {
        Fixture.seeded(seed).spread(0.01).speed(arm, speed).history().draw().write(folder);
    }

    /** Writes a campaign with wrk that was interrupted after its last block, before its end was recorded. */
    public static void interrupted(Path folder, long seed) throws IOException {
        interrupted(folder, seed, "jetty", 1);
    }

    /** Writes such a campaign, in which an arm has this throughput relative to the baseline's. */
    public static void interrupted(Path folder, long seed, String arm, double speed) throws IOException {
        Fixture.seeded(seed)
                .speed(arm, speed)
                .loads(List.of(new MeasuredLoad("hello", 100, 0, "wrk")))
                .history()
                .draw()
                .write(folder);
    }
}
