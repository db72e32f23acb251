package org.servletbench.bench.reproduce;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.campaign.Forecast;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.verdict.Settings;

/** What a reproduction will run, how long that takes, and what it can find: told before anything runs. */
public final class DryRun {

    /** Start, probe and stop of a server, s. */
    private static final double SERVER_SECONDS = 7;

    private DryRun() {}

    /**
     * @param say gets a line for what is left out, and why
     * @return lines for people
     */
    public static List<String> of(Article article, Wanted wanted, ProfilesFolder profiles, Consumer<String> say) {
        List<String> lines = new ArrayList<>();
        lines.add(
                article.id() + ": " + article.title() + " (" + article.claims().size() + " claims)");
        RerunPlan published = article.asPublished();
        double seconds = 0;
        lines.add("  as published, with " + published.generator() + ", one run each:");
        for (RerunPlan.Stage whole : published.loads()) {
            RerunPlan.Stage load = wanted.scale().apply(whole);
            lines.add("    " + load.workload() + (load.variant().isEmpty() ? "" : " (" + load.variant() + ")") + ": "
                    + String.join(", ", load.arms()) + "; users " + joined(load.users()) + how(load));
            seconds += load.arms().size() * (load.users().size() * (double) load.seconds());
        }
        seconds += published.arms().size() * SERVER_SECONDS;
        List<String> minutes = new ArrayList<>(List.of(minutes(seconds) + " as published"));
        double all = seconds;
        Map<Leg, Planner.Draft> drafts = new LinkedHashMap<>();
        Leg.all(article, wanted.treatments(article))
                .forEach(leg ->
                        drafts.put(leg, leg.draft(article, wanted, profiles, null, leg.starts() ? line -> {} : say)));
        double limit = wanted.limitSeconds(article.id(), profiles);
        int left = drafts.size();
        Set<Cell> cells = new LinkedHashSet<>();
        for (Map.Entry<Leg, Planner.Draft> one : drafts.entrySet()) {
            Planner.Draft should = one.getValue();
            cells.addAll(should.plan().cells());
            double whole =
                    Forecast.of(should.plan(), should.arms(), should.options()).seconds();
            double share = ArticleRun.share(limit, all, left--);
            // However little time there is, two blocks are run.
            double least = whole * 2 / should.plan().blocks();
            double campaign = share == 0 ? whole : Math.min(whole, Math.max(share, least));
            lines.add("  as it should be, " + one.getKey().described(article) + ": "
                    + should.plan().blocks() + " blocks of "
                    + should.arms().stream().map(Arm::id).collect(Collectors.joining(", ")));
            intervals(article, should, campaign / whole).ifPresent(lines::add);
            minutes.add(minutes(campaign) + " " + one.getKey().option());
            all += campaign;
        }
        cells.remove(Cell.START_UP);
        cells.forEach(cell -> lines.add("    " + cell.load().name() + " with " + cell.generator()));
        lines.add("  about " + minutes(all) + ": " + String.join(", ", minutes));
        return lines;
    }

    /**
     * How many blocks the time is enough for, and how wide the intervals of two containers under the same load are then, with the
     * spread that is assumed.
     *
     * @param part of the planned blocks, as time allows
     */
    private static Optional<String> intervals(Article article, Planner.Draft should, double part) {
        int planned = should.plan().blocks();
        int blocks = (int) Math.max(2, Math.floor(planned * part + 1e-9));
        int arms = (int) should.arms().stream()
                .filter(arm -> arm.role() != Arm.Role.REFERENCE && arm.role() != Arm.Role.CONTROL)
                .count();
        if (arms < 2) {
            return Optional.empty();
        }
        double spread = Forecast.residual(should.plan(), should.options());
        return Optional.of(String.format(
                Locale.ROOT,
                "    time for about %d of %d blocks; with noise of %.1f %% intervals of ± %.1f %%",
                blocks,
                planned,
                100 * spread,
                100 * Evaluation.forecast(article, arms, blocks, spread, Settings.DEFAULTS)));
    }

    private static String minutes(double seconds) {
        return String.format(Locale.ROOT, "%.0f min", seconds / 60);
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String how(RerunPlan.Stage load) {
        List<String> parts = new ArrayList<>();
        if (load.durationSeconds() != null) {
            parts.add(load.durationSeconds() + " s");
        }
        if (load.requests() != null) {
            parts.add(load.requests() + " requests");
        }
        if (!load.loops().isEmpty()) {
            parts.add(joined(load.loops()) + " requests a user");
        }
        if (load.maxPauseSeconds() > 0) {
            parts.add("pause up to " + load.maxPauseSeconds() + " s");
        }
        return parts.isEmpty() ? "" : "; " + String.join("; ", parts);
    }
}
