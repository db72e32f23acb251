package org.servletbench.bench.reproduce;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.model.ProfilesFolder;

/**
 * One campaign of a reproduction.
 *
 * @param treatment with which settings
 * @param starts whether its servers are started one at a time and get no load: claims about a start are judged by it, and by
 *     nothing else
 */
public record Leg(Treatment treatment, boolean starts) {

    /**
     * In the order in which they are run: the starts, if the article claims anything of them, and then the loads, which share what
     * those leave of a time limit and may overrun it with their first two blocks.
     */
    static List<Leg> all(Article article, List<Treatment> treatments) {
        return Stream.of(true, false)
                .filter(starts -> !starts || !article.claimedOfStarts().isEmpty())
                .flatMap(starts -> treatments.stream().map(one -> new Leg(one, starts)))
                .toList();
    }

    /** The campaign's folder in a reproduction's. */
    public String folder() {
        return treatment.folder() + (starts ? "-starts" : "");
    }

    /** For people. */
    public String words() {
        return with(treatment.words());
    }

    /** For people, after a number of blocks or minutes: with the treatment as {@code --settings} names it. */
    public String option() {
        return (starts ? "for starts with " : "with ") + treatment.option();
    }

    /** For people: the treatment, and the settings by their name. */
    public String described(Article article) {
        return with(treatment.described(article));
    }

    private String with(String name) {
        return starts ? name + ", starts alone" : name;
    }

    /**
     * Its plan.
     *
     * @param folder of the reproduction, which gets its servers' files; null for a plan that is only told
     * @param say gets a line for what is left out, and why
     */
    Planner.Draft draft(Article article, Wanted wanted, ProfilesFolder profiles, Path folder, Consumer<String> say) {
        RerunPlan plan = treatment.plan(article);
        CampaignDraft.Files files = folder == null ? null : new CampaignDraft.Files(folder, treatment.folder());
        return starts
                ? CampaignDraft.starts(plan, article.claimedOfStarts(), wanted, profiles, files, say)
                : CampaignDraft.of(plan, wanted, profiles, files, say);
    }
}
