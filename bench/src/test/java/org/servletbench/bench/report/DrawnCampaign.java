package org.servletbench.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.record.Arm;

/** Writes a campaign of any size, to measure how long its report takes; see BENCHMARKS.md. */
final class DrawnCampaign {

    private DrawnCampaign() {}

    /** @param args the folder, the number of arms without the A/A copy (at least 2), and the number of blocks */
    public static void main(String... args) throws IOException {
        int arms = Integer.parseInt(args[1]);
        List<Arm> all = new ArrayList<>();
        for (int i = 0; i < arms; i++) {
            all.add(Fixture.arm("arm" + i, "Arm " + i, "boot3", i == 0 ? Arm.Role.BASELINE : Arm.Role.ARM));
        }
        all.add(Fixture.arm("arm0-control", "Arm 0", "boot3", Arm.Role.CONTROL));
        Fixture.seeded(1)
                .spread(0.02)
                .arms(all)
                .loads(List.of(new MeasuredLoad("hello", 100, 0, "gatling")))
                .inTimeSlices(0.25)
                .blocks(Integer.parseInt(args[2]))
                .draw()
                .write(Path.of(args[0]));
    }
}
