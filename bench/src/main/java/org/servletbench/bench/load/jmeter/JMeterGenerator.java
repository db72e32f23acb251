package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.generator.jmeter.JMeterUsers;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.LogFormat;
import org.servletbench.bench.load.ScheduledLoad;
import org.servletbench.bench.model.GeneratorFacts;

/**
 * JMeter, with one process for all loads of a batch. It writes {@code plan.jmx} and {@code results.csv} to its folder.
 *
 * <p>It makes no dashboard, which would divide by the whole run, although each server had only one of many time slices.
 */
public final class JMeterGenerator implements ScheduledLoad.Tool {

    /** Its name on command lines and in files. */
    public static final String NAME = GeneratorFacts.JMETER.name();

    private static final String TEMPLATE = "campaign.jmx";
    private static final String PLAN = "plan.jmx";
    private static final String GROUP_BEGINS = "      <!-- load -->\n";
    private static final String GROUP_ENDS = "      <!-- end of load -->\n";

    @Override
    public GeneratorFacts facts() {
        return GeneratorFacts.JMETER;
    }

    private static JMeter of(Path root) {
        return JMeter.ofBuild(root.resolve("jmeter-plans"));
    }

    @Override
    public Optional<String> version(Path root) {
        return Optional.of(of(root).version());
    }

    @Override
    public Optional<LogFormat> log() {
        return Optional.of(JMeterCsvReader.FORMAT);
    }

    @Override
    public Optional<Build> build() {
        return Optional.of(new Build(
                "jmeter-plans/target/config.json",
                "laying out JMeter",
                List.of("-pl", ".,bench,jmeter-plans", "-DskipTests", "process-test-classes")));
    }

    @Override
    public Results run(Batch batch, Path folder, Watch watch) {
        return ScheduledLoad.run(this, batch, folder, watch);
    }

    @Override
    public Process start(Batch batch, Schedule schedule, Path file, Path folder) throws IOException {
        Path plan = folder.resolve(PLAN);
        Files.writeString(plan, plan(schedule));
        return of(batch.root())
                .run(
                        plan,
                        folder,
                        new JMeterHosts(List.of()),
                        Set.of(),
                        List.of(schedule(file.toString())),
                        List.of(userClasses(ourClasses().toString())),
                        Optional.empty());
    }

    private static String schedule(String file) {
        return "-D" + JMeterUsers.SCHEDULE + "=" + file;
    }

    /** Returns the option for the class path after JMeter's own libraries, whose classes it cannot replace. */
    private static String userClasses(String place) {
        return "-Juser.classpath=" + place;
    }

    @Override
    public Path log(Path folder) {
        return folder.resolve(JMeterRun.RESULTS).toAbsolutePath();
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

    /** Returns the plan, with the warm-up and a thread group for each load. */
    static String plan(Schedule schedule) throws IOException {
        String template;
        try (InputStream in = JMeterGenerator.class.getResourceAsStream(TEMPLATE)) {
            template = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        int begin = template.indexOf(GROUP_BEGINS);
        int end = template.indexOf(GROUP_ENDS);
        String group = template.substring(begin + GROUP_BEGINS.length(), end);
        Schedule.WarmUp warmUp = schedule.warmUp();
        StringBuilder plan = new StringBuilder(template.substring(0, begin)
                .replace("@warm-up@", JMeterUsers.WARM_UP)
                // Without users, the group ends at once.
                .replace("@warm-up.users@", Integer.toString(warmUp.limitMs() > 0 ? warmUp.users() : 0)));
        schedule.interleavings().forEach(load -> plan.append(group(group, load.name(), load.users())));
        schedule.windows().forEach(window -> plan.append(group(group, window.name(), window.users())));
        return plan.append(template.substring(end + GROUP_ENDS.length())).toString();
    }

    private static String group(String group, String load, int users) {
        return group.replace("@load@", escaped(load)).replace("@users@", Integer.toString(users));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
