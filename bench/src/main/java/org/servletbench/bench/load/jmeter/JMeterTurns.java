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
import org.servletbench.bench.load.Schedule;
import org.servletbench.bench.load.ScheduledLoad;

/**
 * One JMeter whose users move from server to server by the clock. Its folder gets {@code plan.jmx} (what ran), {@code jmeter.log}
 * and {@code results.csv}. There is no dashboard: it would divide by the whole run, in which each server had a turn of many.
 *
 * @param jmeter on all processors
 */
record JMeterTurns(JMeter jmeter) implements ScheduledLoad.Tool {

    private static final String PLAN = "turns.jmx";
    private static final String GROUP_BEGINS = "      <!-- load -->\n";
    private static final String GROUP_ENDS = "      <!-- end of load -->\n";

    @Override
    public String title() {
        return "JMeter";
    }

    @Override
    public Process start(Batch batch, Schedule schedule, Path file, Path folder) throws IOException {
        Path plan = folder.resolve("plan.jmx");
        Files.writeString(plan, plan(schedule));
        return jmeter.run(
                plan,
                folder,
                new JMeterHosts(List.of()),
                List.of("-D" + JMeterUsers.SCHEDULE + "=" + file),
                // After JMeter's own libraries, none of which it can replace.
                List.of("-Juser.classpath=" + ourClasses()),
                Optional.empty());
    }

    @Override
    public Path log(Path folder) {
        return folder.resolve(JMeterRun.RESULTS).toAbsolutePath();
    }

    @Override
    public Path report(Path folder) {
        return log(folder);
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
