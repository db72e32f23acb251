package org.servletbench.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;

/** Campaigns for tests of other packages. */
public final class Campaigns {
    private Campaigns() {}

    /** Returns the results of a server, with these warnings. */
    public static List<CellResult> marked(Invocation one, List<Mark> marks) {
        return Fixture.marked(one, marks);
    }

    /**
     * Writes a campaign in the format of the real ones.
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

    /** Writes a campaign under wrk whose blocks are all measured, but which was interrupted before its end was recorded. */
    public static void interrupted(Path folder, long seed) throws IOException {
        Fixture.seeded(seed)
                .cells(List.of(new Cell("hello", 100, 0, "wrk")))
                .history()
                .draw()
                .write(folder);
    }
}
