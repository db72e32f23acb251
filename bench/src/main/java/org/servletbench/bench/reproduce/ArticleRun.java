package org.servletbench.bench.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.Prepared;
import org.servletbench.bench.campaign.ServerMachine;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.server.NginxSpec;
import org.servletbench.bench.server.TargetException;
import org.servletbench.bench.server.TargetSpec;

/**
 * Runs one article's experiment, as published and as it should be, from its beginning or from where it was left. What fails is
 * recorded in the header, and the rest is measured.
 */
public final class ArticleRun {

    private final Article article;
    private final Path folder;
    private final Wanted wanted;
    private final Jdk jdk;
    private final Campaigns campaigns;
    private final Preparation preparation;
    private Reproduction.Header header;

    private ArticleRun(
            Article article, Path folder, Wanted wanted, Jdk jdk, Campaigns campaigns, Reproduction.Header header) {
        this.article = article;
        this.folder = folder;
        this.wanted = wanted;
        this.jdk = jdk;
        this.campaigns = campaigns;
        this.header = header;
        preparation = campaigns.preparation();
    }

    /**
     * A new one: a copy of the article's file is put into its folder.
     *
     * @param folder exists, and is empty
     * @param jdk that servers run on
     */
    public static ArticleRun begin(Article article, Path folder, Wanted wanted, Jdk jdk, Campaigns campaigns)
            throws IOException {
        String file = article.id() + ".yaml";
        Preparation preparation = campaigns.preparation();
        Files.copy(preparation.repository().resolve("published").resolve(file), folder.resolve(file));
        ServerMachine machine = wanted.machine(preparation);
        Reproduction.Header header = new Reproduction.Header(
                Reproduction.Header.FORMAT,
                folder.getFileName().toString(),
                article.id(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                campaigns.commit(),
                wanted.scale().factor(),
                machine.facts(),
                jdk.versions(),
                machine.pinning(),
                wanted.treatments(article),
                wanted.blocks(),
                wanted.limitSeconds(article.id(), preparation.profiles()),
                wanted.jdk(),
                wanted.hosts(),
                List.of());
        return new ArticleRun(article, folder, wanted, jdk, campaigns, header);
    }

    /**
     * One that was interrupted, with what it began with.
     *
     * @param asked only its time limit is taken: the reproduction's own, where none is given
     */
    public static ArticleRun goOn(Unfinished.Found found, Wanted asked, Jdk jdk, Campaigns campaigns) {
        Reproduction.Header before = found.read().header();
        double seconds = asked.limit() == null
                ? before.limitSeconds()
                : asked.limitSeconds(before.article(), campaigns.preparation().profiles());
        return new ArticleRun(
                found.read().article(), found.folder(), found.began(), jdk, campaigns, before.goingOn(seconds));
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
        preparation.say(said);
        List<String> troubles = new ArrayList<>(header.troubles());
        troubles.add(trouble);
        header = header.with(header.versions(), header.limitSeconds(), troubles);
    }

    /** Rows of one table, and blocks of one campaign, must be measured alike. */
    static void requireSame(Map<String, String> then, Map<String, String> now) {
        String changed = then.entrySet().stream()
                .filter(one -> !one.getKey().equals(Preparation.OWN_VERSION))
                .filter(one ->
                        now.containsKey(one.getKey()) && !now.get(one.getKey()).equals(one.getValue()))
                .map(one -> one.getKey() + " was " + one.getValue() + " and is " + now.get(one.getKey()))
                .collect(Collectors.joining("; "));
        if (!changed.isEmpty()) {
            throw new UsageException(
                    "the reproduction began otherwise: " + changed + ": go on as it began, or begin a new one");
        }
    }

    private void measure() throws IOException {
        Map<Leg, Planner.Draft> drafts = new LinkedHashMap<>();
        for (Leg one : Leg.all(article, header.treatments())) {
            drafts.put(one, one.draft(article, wanted, preparation.profiles(), folder, line -> {}));
        }
        var any = drafts.get(new Leg(header.treatments().get(0), false)).plan();
        preparation.builds().generators(any);
        Map<String, String> now = preparation.versions(any, List.of(jdk));
        requireSame(header.versions(), now);
        header = header.with(now, header.limitSeconds(), header.troubles());
        header.write(folder);
        long start = System.nanoTime();
        asPublished();
        int left = drafts.size();
        for (Map.Entry<Leg, Planner.Draft> one : drafts.entrySet()) {
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

    /**
     * What is left of the time limit is shared by the campaigns that are left.
     *
     * @return s; 0 where there is no limit
     */
    static double share(double limitSeconds, double spentSeconds, int campaigns) {
        return limitSeconds == 0 ? 0 : Math.max(1, (limitSeconds - spentSeconds) / campaigns);
    }

    private void asPublished() {
        RerunPlan plan = article.asPublished();
        Map<String, String> leftOut = new LinkedHashMap<>();
        Map<String, Arm> arms = new LinkedHashMap<>();
        plan.arms().forEach(name -> missing(name).ifPresent(line -> leftOut.put(name, line)));
        Planner.Draft draft = CampaignDraft.of(plan, wanted, preparation.profiles(), null, line -> {});
        preparation.builds().complete(draft.arms(), draft.with()).stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .forEach(arm -> arms.put(Observed.name(arm), arm));
        Optional<JMeter> jmeter = plan.isJMeter()
                ? Optional.of(JMeter.ofBuild(preparation.repository().resolve("jmeter-plans")))
                : Optional.empty();
        new AsPublished(
                        article,
                        wanted.scale(),
                        new AsPublished.Rig(
                                preparation.repository(),
                                preparation.profiles(),
                                jmeter,
                                jdk,
                                wanted.machine(preparation).machines(),
                                preparation::say),
                        folder)
                .run(arms, leftOut);
    }

    private Optional<String> missing(String arm) {
        return arm.equals(NginxSpec.ARM)
                ? NginxSpec.missing()
                : preparation
                        .profiles()
                        .container(arm.replaceFirst("[+].*", ""))
                        .nativeLibrary()
                        .flatMap(TargetSpec::missing);
    }

    private void campaign(Leg leg, Planner.Draft draft, double limitSeconds) throws IOException {
        Path place = folder.resolve(leg.folder());
        Prepared ready;
        if (Files.exists(place.resolve("campaign.json"))) {
            CampaignFolder before = CampaignFolder.read(place);
            if (before.completeBlocks() >= before.campaign().order().size()) {
                return;
            }
            before.problems().forEach(preparation::say);
            ready = preparation.goOn(before, place, Optional.empty(), Optional.of(limitSeconds));
        } else {
            Planner.Draft fitting = preparation.fitting(draft);
            ready = preparation.begin(
                    fitting.with(fitting.plan().withLimit(limitSeconds)),
                    folder.getFileName() + "/" + leg.folder(),
                    place);
        }
        campaigns.run(ready, resumeCommand(article.id(), folder));
    }
}
