package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.servletbench.bench.campaign.CampaignWatch;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.verdict.Bound;

/**
 * Progress on the console. On a terminal, a bar shows block, arm, phase and remaining time; otherwise each block prints
 * a line. Failed servers are reported by name.
 */
final class ConsoleProgress implements CampaignWatch, AutoCloseable {

    private static final int LONGEST_MESSAGE = 38;

    /** Longest silence without a terminal, because some CI servers end a job after ten minutes without output. */
    private static final Duration SILENCE = Duration.ofMinutes(5);
    /** Part of the name of a phase that may take minutes. */
    private static final String WARM_UP = "warm-up";

    private final PrintWriter out;
    private final boolean terminal;
    private final LongSupplier nanos;
    private final ScheduledExecutorService ticks =
            Executors.newSingleThreadScheduledExecutor(new Daemon("servlet-bench-progress"));
    private Path folder;
    private ProgressBar bar;
    private String planned = "";
    private String toGo = "";
    private long start;
    private double expectedSeconds;

    /** The current phase, for people; empty before the first. */
    private String phase = "";
    /** Time of the last line, in {@code nanos}. */
    private long said;

    ConsoleProgress(PrintWriter out) {
        this(out, System.console() != null && System.getenv("CI") == null, System::nanoTime);
    }

    /** @param nanos the clock, ns */
    ConsoleProgress(PrintWriter out, boolean terminal, LongSupplier nanos) {
        this.out = out;
        this.terminal = terminal;
        this.nanos = nanos;
        said = nanos.getAsLong();
    }

    /**
     * Announces the start of a campaign.
     *
     * @param seconds expected duration, s
     * @param to folder of the campaign
     */
    void begin(Campaign campaign, double seconds, Path to) {
        folder = to;
        // A campaign with a precision ends by that, not after a number of blocks.
        planned = campaign.plan().precision() > 0 ? "" : "/" + campaign.order().size();
        start = System.nanoTime();
        expectedSeconds = seconds;
        if (terminal) {
            bar = new ProgressBarBuilder()
                    .setTaskName("")
                    .setInitialMax(Math.max(1, Math.round(seconds)))
                    .setUnit(" s", 1)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(500)
                    .build();
        } else {
            ticks.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
        }
    }

    /** Prints the current phase again after a long silence. */
    synchronized void tick() {
        if (phase.contains(WARM_UP) && nanos.getAsLong() - said >= SILENCE.toNanos()) {
            say(phase);
        }
    }

    /** Prints a line above the bar, if there is one. */
    @Override
    public synchronized void say(String line) {
        if (bar != null) {
            bar.pause();
            out.println();
        }
        out.println(Main.oneLine(line));
        out.flush();
        said = nanos.getAsLong();
        if (bar != null) {
            bar.resume();
        }
    }

    @Override
    public synchronized void phase(int block, String arm, String what) {
        String now = block + planned + " " + (arm.isEmpty() ? "" : arm + ": ") + what;
        phase = "block " + now;
        if (bar != null) {
            bar.stepTo(Math.min(elapsed(), Math.round(expectedSeconds)));
            bar.setExtraMessage(shortened(now));
        }
    }

    /** Shortens a line so that the bar still fits on a terminal of 80 columns. */
    private static String shortened(String line) {
        String one = Main.oneLine(line);
        return " " + one.substring(0, Math.min(one.length(), LONGEST_MESSAGE));
    }

    private long elapsed() {
        return Math.round((System.nanoTime() - start) / 1e9);
    }

    @Override
    public synchronized void block(int block, CampaignFolder sofar, Analysis judged) {
        List<String> lines = estimates(judged);
        String first = lines.isEmpty() ? "no estimate yet" : lines.get(0);
        String more = lines.size() > 1 ? "; other metrics and loads at the end" : "";
        say("block " + block + planned + ": " + first + more + toGo);
        try {
            ReportPage.of(sofar).writeInterim(folder);
        } catch (IOException | RuntimeException e) {
            // The campaign goes on without its interim page.
            say("the page could not be written: " + e.getMessage());
        }
    }

    /**
     * Returns estimates so far, without verdicts: for each group, load and tested metric, each arm against its
     * baseline. The figure after ± is the half width of the interval from the blocks so far. The campaign's precision
     * applies to the widest one.
     */
    static List<String> estimates(Analysis judged) {
        List<String> lines = new ArrayList<>();
        for (Analysis.Group group : judged.groups()) {
            for (MeasuredLoad load : judged.loads()) {
                for (Metric metric : judged.primary(load)) {
                    List<String> arms = new ArrayList<>();
                    Stream.concat(group.arms().stream(), group.control().stream())
                            .filter(arm -> !arm.equals(group.baseline()))
                            .forEach(arm ->
                                    estimate(judged, group, arm, load, metric).ifPresent(arms::add));
                    if (!arms.isEmpty()) {
                        lines.add(String.join(", ", arms) + " (" + metric.label() + " against "
                                + judged.name(group.baseline()) + ", " + load.words() + "; estimates)");
                    }
                }
            }
        }
        return lines;
    }

    private static Optional<String> estimate(
            Analysis judged, Analysis.Group group, Arm arm, MeasuredLoad load, Metric metric) {
        return judged.against(group, arm, load, metric)
                .filter(against -> against.ratio() > 0)
                .map(against -> {
                    String name = arm.label() + (arm.role() == Arm.Role.CONTROL ? " (A/A)" : "");
                    if (against.bound() == Bound.NONE) {
                        return name + " unknown (see its warnings)";
                    }
                    return text(
                            "%s %s%+d %%%s",
                            name,
                            switch (against.bound()) {
                                case AT_LEAST -> "at least ";
                                case AT_MOST -> "at most ";
                                case EXACT, NONE -> "";
                            },
                            Math.round(100 * (against.ratio() - 1)),
                            half(100
                                    * against.ratio()
                                    * Math.log1p(against.pair().halfWidth())));
                });
    }

    /** Returns the half width as text; empty if it is unknown, as after a single block. */
    private static String half(double percent) {
        return percent < 100 * Forecast.SAYS_NOTHING ? text(percent < 9.5 ? " ± %.1f" : " ± %.0f", percent) : "";
    }

    @Override
    public synchronized void estimate(double doneSeconds, double leftSeconds, int leftBlocks, double halfWidth) {
        expectedSeconds = doneSeconds + leftSeconds;
        toGo = leftBlocks == 0
                ? ""
                : text(
                        "; about %d %s (%.0f min) to go%s",
                        leftBlocks,
                        leftBlocks == 1 ? "block" : "blocks",
                        Math.ceil(leftSeconds / 60),
                        halfWidth < Forecast.SAYS_NOTHING ? text(", to ± %.1f %%", 100 * halfWidth) : "");
        if (bar != null) {
            bar.maxHint(Math.max(1, Math.round(expectedSeconds)));
        }
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
