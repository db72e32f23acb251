package org.servletbench.bench.report;

import java.nio.file.Path;
import org.servletbench.bench.campaign.CampaignFolder;

final class Preview {
    public static void main(String[] args) throws Exception {
        Path out = Path.of(args[0]);
        Fixture.Drawn plain = Fixture.seeded(1).faults().draw();
        plain.write(out.resolve("plain"));
        CampaignFolder.read(out.resolve("plain"));
        long t = System.nanoTime();
        ReportPage.of(CampaignFolder.read(out.resolve("plain"))).write(out.resolve("plain"));
        System.out.println((System.nanoTime() - t) / 1e9 + " s plain");
        Fixture.seeded(2).faults().hostile().spread(0.06).draw().page().write(out.resolve("hostile"));
        t = System.nanoTime();
        Fixture.seeded(3).cells(Fixture.manyCells()).draw().page().write(out.resolve("many"));
        System.out.println((System.nanoTime() - t) / 1e9 + " s many");
        Fixture.seeded(4).speed("tomcat-nio-control", 1.3).draw().page().write(out.resolve("void"));
        Fixture.seeded(5).blocks(1).draw().page().write(out.resolve("one"));
    }
}
