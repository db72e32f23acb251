package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.Schedule;
import org.servletbench.bench.load.ScheduledLoad;
import org.servletbench.bench.load.WindowLog;

/**
 * One JMeter whose users move from server to server by the clock. Its folder gets {@code plan.jmx} (what ran), {@code jmeter.log},
 * {@code jmeter.out} and {@code results.csv}. There is no dashboard: it would divide by the whole run, in which each server had a
 * turn of many.
 */
final class JMeterTurns {

    private static final String PLAN = "turns.jmx";
    private static final String GROUP_BEGINS = "      <!-- load -->\n";
    private static final String GROUP_ENDS = "      <!-- end of load -->\n";

    private JMeterTurns() {}

    static Generator.Results run(JMeter jmeter, Batch batch, Path folder, Generator.Watch watch) {
        Path results = folder.resolve(JMeterRun.RESULTS).toAbsolutePath();
        try (ScheduledLoad load = new ScheduledLoad("JMeter", batch, folder, watch)) {
            Process process;
            try {
                Path schedule = load.write();
                Path plan = folder.resolve("plan.jmx").toAbsolutePath();
                Files.writeString(plan, plan(load.schedule()));
                process = jmeter.start(
                        List.of("-Djava.awt.headless=true", "-D" + JMeterUsers.SCHEDULE + "=" + schedule),
                        List.of(
                                "-n",
                                "-t",
                                plan.toString(),
                                "-l",
                                results.toString(),
                                "-j",
                                folder.resolve("jmeter.log").toAbsolutePath().toString(),
                                // After JMeter's own libraries, none of which it can replace.
                                "-Juser.classpath=" + ourClasses(),
                                // The UDP port by which anybody could stop a run: JMeter would open it on every
                                // interface.
                                "-Jjmeterengine.nongui.port=0"),
                        Optional.empty());
            } catch (IOException e) {
                throw new LoadException("JMeter could not be run in " + folder + " (" + e.getMessage() + ")");
            }
            load.run(process, folder.resolve("jmeter.out"));
            for (Schedule.Turns turns : load.schedule().rotations()) {
                if (!Files.exists(Schedule.rotationFile(folder, turns.name()))) {
                    throw new LoadException("JMeter ended without its turns of " + turns.name() + "; see "
                            + folder.resolve("jmeter.log"));
                }
            }
            List<LoadResult> measured = load.turns(sink -> JMeterCsvReader.read(results, sink), results);
            if (!batch.keepRaw()) {
                WindowLog.delete(results);
            }
            return load.results(measured);
        }
    }

    private static Path ourClasses() {
        try {
            return Path.of(JMeterUsers.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The plan: the warm-up, and a group for each load. */
    static String plan(Schedule schedule) throws IOException {
        String template;
        try (InputStream in = JMeterTurns.class.getResourceAsStream(PLAN)) {
            template = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        int begin = template.indexOf(GROUP_BEGINS);
        int end = template.indexOf(GROUP_ENDS);
        String group = template.substring(begin + GROUP_BEGINS.length(), end);
        Schedule.WarmUp warmUp = schedule.warmUp();
        StringBuilder plan = new StringBuilder(template.substring(0, begin)
                .replace("@warm-up@", JMeterUsers.WARM_UP)
                // Without users it is over at once.
                .replace("@warm-up.users@", Integer.toString(warmUp.limitMs() > 0 ? warmUp.users() : 0)));
        for (Schedule.Turns load : schedule.rotations()) {
            plan.append(
                    group.replace("@load@", escaped(load.name())).replace("@users@", Integer.toString(load.users())));
        }
        return plan.append(template.substring(end + GROUP_ENDS.length())).toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
