package org.servletbench.bench.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Plan;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.CampaignFolder;
import org.servletbench.bench.campaign.CampaignStore;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.load.CommandLineGenerator;
import org.servletbench.bench.load.JMeter;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.target.Jdk;
import org.servletbench.bench.target.NativeLibraries;
import org.servletbench.bench.target.NginxSpec;
import org.servletbench.bench.target.TargetException;

/**
 * Runs one article's experiment, as published and as it should be, from its beginning or from where it was left. What fails is
 * recorded in the header, and the rest is measured.
 */
public final class ArticleRun {

    private final Article article;
    private final Path folder;
    private final Wanted wanted;
    private final Path root;
    private final ProfilesFolder profiles;
    private final Jdk jdk;
    private final Campaigns campaigns;
    private final ArmBuilds builds;
    private Reproduction.Header header;

    private ArticleRun(
            Article article,
            Path folder,
            Wanted wanted,
            Path root,
            ProfilesFolder profiles,
            Jdk jdk,
            Campaigns campaigns,
            Reproduction.Header header) {
        this.article = article;
        this.folder = folder;
        this.wanted = wanted;
        this.root = root;
        this.profiles = profiles;
        this.jdk = jdk;
        this.campaigns = campaigns;
        this.header = header;
        builds = new ArmBuilds(root, campaigns::say);
    }

    /**
     * A new one: a copy of the article's file is put into its folder.
     *
     * @param folder exists, and is empty
     * @param root of the repository
     * @param jdk that servers run on
     */
    public static ArticleRun begin(
            Article article,
            Path folder,
            Wanted wanted,
            Path root,
            ProfilesFolder profiles,
            Jdk jdk,
            Campaigns campaigns)
            throws IOException {
        String file = article.id() + ".yaml";
        Files.copy(root.resolve("published").resolve(file), folder.resolve(file));
        Reproduction.Header header = new Reproduction.Header(
                Reproduction.Header.FORMAT,
                folder.getFileName().toString(),
                article.id(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                campaigns.commit(),
                wanted.scale().factor(),
                Machine.facts(),
                jdk.versions(),
                campaigns.pinning(),
                wanted.treatments(article),
                wanted.blocks(),
                wanted.limitSeconds(article.id(), profiles),
                wanted.jdk(),
                List.of());
        return new ArticleRun(article, folder, wanted, root, profiles, jdk, campaigns, header);
    }

    /**
     * One that was interrupted, with what it began with.
     *
     * @param asked only its time limit is taken: the reproduction's own, where none is given
     */
    public static ArticleRun goOn(
            Unfinished.Found found, Wanted asked, Path root, ProfilesFolder profiles, Jdk jdk, Campaigns campaigns) {
        Reproduction.Header before = found.read().header();
        double seconds = asked.limit() == null ? before.limitSeconds() : asked.limitSeconds(before.article(), profiles);
        return new ArticleRun(
                found.read().article(),
                found.folder(),
                found.began(),
                root,
                profiles,
                jdk,
                campaigns,
                before.goingOn(seconds));
    }

    /** For people: the command that goes on with a reproduction. */
    public static String resumeCommand(String article, Path folder) {
        return "reproduce " + article + " --resume " + folder;
    }

    /** Measures what is not on disk yet. */
    public void run() throws IOException {
        header.write(folder);
        Optional<String> missing = article.asPublished().tool().flatMap(CommandLineGenerator::missing);
        if (missing.isPresent()) {
            failed("left out: " + missing.get(), missing.get());
        } else {
            try {
                measure();
            } catch (TargetException | LoadException e) {
                failed(article.id() + ": " + e.getMessage(), e.getMessage());
            }
        }
        header.write(folder);
    }

    private void failed(String said, String trouble) {
        campaigns.say(said);
        header = header.with(trouble);
    }

    private void measure() throws IOException {
        Map<Treatment, CampaignDraft> drafts = new LinkedHashMap<>();
        for (Treatment one : header.treatments()) {
            drafts.put(one, draft(one.plan(article), new CampaignDraft.Files(folder, one.folder())));
        }
        var any = drafts.values().iterator().next().draft().plan();
        builds.generators(any);
        header = header.withVersions(campaigns.versions(any));
        header.write(folder);
        long start = System.nanoTime();
        asPublished();
        int left = drafts.size();
        for (Map.Entry<Treatment, CampaignDraft> one : drafts.entrySet()) {
            double seconds = share(header.limitSeconds(), (System.nanoTime() - start) / 1e9, left--);
            try {
                campaign(one.getKey(), one.getValue(), seconds);
            } catch (TargetException | LoadException e) {
                // The other campaign can still be measured.
                String trouble = one.getKey().described(article) + ": " + e.getMessage();
                failed(article.id() + ", " + trouble, trouble);
            }
        }
    }

    private CampaignDraft draft(Plan plan, CampaignDraft.Files files) {
        return CampaignDraft.of(plan, wanted, profiles, files, line -> {});
    }

    /**
     * What is left of the time limit is shared by the campaigns that are left.
     *
     * @return s; 0 where there is no limit
     */
    static double share(double limitSeconds, double spentSeconds, int campaigns) {
        return limitSeconds == 0 ? 0 : Math.max(1, (limitSeconds - spentSeconds) / campaigns);
    }

    private void asPublished() {
        Plan plan = article.asPublished();
        Map<String, String> leftOut = new LinkedHashMap<>();
        Map<String, Arm> arms = new LinkedHashMap<>();
        plan.arms().forEach(name -> missing(name).ifPresent(line -> leftOut.put(name, line)));
        builds.complete(draft(plan, null).draft().arms()).stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .forEach(arm -> arms.put(arm.profile(), arm));
        Optional<JMeter> jmeter =
                plan.isJMeter() ? Optional.of(JMeter.ofBuild(root.resolve("jmeter-plans"))) : Optional.empty();
        new AsPublished(
                        article,
                        wanted.scale(),
                        new AsPublished.Rig(root, profiles, jmeter, jdk, campaigns::say),
                        folder)
                .run(arms, leftOut);
    }

    private Optional<String> missing(String arm) {
        return arm.equals(NginxSpec.ARM)
                ? NginxSpec.missing()
                : profiles.container(arm).nativeLibrary().flatMap(NativeLibraries::missing);
    }

    private void campaign(Treatment treatment, CampaignDraft draft, double limitSeconds) throws IOException {
        Path place = folder.resolve(treatment.folder());
        CampaignStore store = new CampaignStore(place);
        Preparation ready;
        if (Files.exists(place.resolve("campaign.json"))) {
            CampaignFolder before = CampaignFolder.read(place);
            if (before.completeBlocks() >= before.campaign().order().size()) {
                return;
            }
            before.problems().forEach(campaigns::say);
            ready = Preparation.goOn(before, Optional.empty(), Optional.of(limitSeconds), profiles, builds);
        } else {
            Campaign campaign = campaigns.begun(
                    folder.getFileName() + "/" + treatment.folder(),
                    draft,
                    builds.complete(draft.draft().arms()),
                    limitSeconds);
            Files.createDirectories(place);
            ready = new Preparation(campaign, draft.options(), draft.draft().workloads());
        }
        store.write(ready.campaign());
        campaigns.run(ready, store);
    }
}
