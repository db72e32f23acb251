package org.servletbench.bench.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleAudit;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.article.AuditFinding;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Point;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Judgement;

/**
 * An article's experiment, run again: its folder as it was read.
 *
 * @param header {@code reproduction.json}
 * @param servers as published
 * @param campaigns as it should be; those that have not begun are missing
 */
public record Reproduction(
        Header header, Article article, List<PublishedServer> servers, Map<Leg, CampaignFolder> campaigns) {

    /** The file that makes a folder a reproduction's. */
    public static final String FILE = "reproduction.json";

    /**
     * Written first, and again at the end.
     *
     * @param format version of this file's form
     * @param article the article's id
     * @param created UTC, ISO 8601
     * @param scale factor of counts, times and blocks
     * @param versions of JDK and generators
     * @param pinning how processors are divided in the campaign
     * @param treatments with which settings it is run as it should be, the article's first
     * @param blocks of each campaign, where they were asked for; null for those of the article's file
     * @param limitSeconds time limit, s, 0 for none
     * @param jdk home of the servers' JDK, where one was asked for; null for the rig's own
     * @param hosts options of the machine on which servers run; empty: this one
     * @param troubles what failed, a line each
     */
    public record Header(
            int format,
            String id,
            String article,
            String created,
            String commit,
            double scale,
            Map<String, String> machine,
            Map<String, String> versions,
            String pinning,
            List<Treatment> treatments,
            Integer blocks,
            double limitSeconds,
            String jdk,
            Map<String, String> hosts,
            List<String> troubles) {

        /** Without hosts everything ran on this machine. */
        public Header {
            hosts = hosts == null ? Map.of() : Map.copyOf(hosts);
        }

        /** The version of the form that this code writes and reads. */
        public static final int FORMAT = 2;

        /** Writes it into a reproduction's folder. */
        public void write(Path folder) throws IOException {
            Json.write(folder.resolve(FILE), this);
        }

        /** The same when somebody goes on with it: nothing has failed yet. */
        public Header goingOn(double newLimitSeconds) {
            return with(versions, newLimitSeconds, List.of());
        }

        /** The same with these versions, this time limit and these failures. */
        Header with(Map<String, String> newVersions, double newLimitSeconds, List<String> newTroubles) {
            return new Header(
                    format,
                    id,
                    article,
                    created,
                    commit,
                    scale,
                    machine,
                    newVersions,
                    pinning,
                    treatments,
                    blocks,
                    newLimitSeconds,
                    jdk,
                    hosts,
                    newTroubles);
        }
    }

    /**
     * Reads a reproduction's folder.
     *
     * @throws IOException if it is none, or damaged: one line for people
     */
    public static Reproduction read(Path folder, ArticleReader articles) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new IOException(folder + ": no reproduction: there is no " + FILE + " in it");
        }
        Header header = Json.read(file, Header.class);
        if (header.format() != Header.FORMAT) {
            throw new IOException(
                    file + ": its format is " + header.format() + ", this version reads " + Header.FORMAT);
        }
        Article article = articles.read(folder.resolve(header.article() + ".yaml"));
        List<PublishedServer> servers = new ArrayList<>();
        Path published = folder.resolve("as-published");
        if (Files.isDirectory(published)) {
            List<Path> found;
            try (Stream<Path> folders = Files.list(published)) {
                found = folders.map(own -> own.resolve(PublishedServer.FILE))
                        .filter(Files::isRegularFile)
                        .sorted()
                        .toList();
            }
            for (Path one : found) {
                servers.add(Json.read(one, PublishedServer.class));
            }
        }
        Map<Leg, CampaignFolder> campaigns = new LinkedHashMap<>();
        for (Leg leg : Leg.all(article, header.treatments())) {
            Path campaign = folder.resolve(leg.folder());
            if (Files.isRegularFile(campaign.resolve("campaign.json"))) {
                campaigns.put(leg, CampaignFolder.read(campaign));
            }
        }
        return new Reproduction(header, article, List.copyOf(servers), campaigns);
    }

    /**
     * Of each article the newest reproduction.
     *
     * @param base holds reproductions
     * @param say gets a line for each one that cannot be read
     * @return in the order of the articles' ids
     * @throws IOException if the folder cannot be listed
     */
    public static List<Reproduction> newest(Path base, ArticleReader articles, Consumer<String> say)
            throws IOException {
        Map<String, Reproduction> newest = new TreeMap<>();
        for (Path folder : folders(base)) {
            try {
                Reproduction read = read(folder, articles);
                newest.merge(
                        read.article().id(),
                        read,
                        (a, b) -> a.header().created().compareTo(b.header().created()) > 0 ? a : b);
            } catch (IOException | UsageException e) {
                say.accept("left out of the index: " + e.getMessage());
            }
        }
        return List.copyOf(newest.values());
    }

    /** The reproductions in a folder, by name. */
    static List<Path> folders(Path base) throws IOException {
        if (!Files.isDirectory(base)) {
            return List.of();
        }
        try (Stream<Path> list = Files.list(base)) {
            return list.filter(one -> Files.isRegularFile(one.resolve(FILE)))
                    .sorted()
                    .toList();
        }
    }

    /** Whether everything was measured: every server as published, and every planned block of every campaign. */
    public boolean isComplete() {
        return servers.size() >= article.asPublished().arms().size()
                && legs().stream().allMatch(this::isComplete);
    }

    private List<Leg> legs() {
        return Leg.all(article, header.treatments());
    }

    private boolean isComplete(Leg leg) {
        CampaignFolder read = campaigns.get(leg);
        return read != null && read.completeBlocks() >= read.campaign().order().size();
    }

    /** For people: how much of it was measured. */
    public String progress() {
        List<String> parts = new ArrayList<>();
        parts.add(servers.size() + " of " + article.asPublished().arms().size() + " servers as published");
        for (Leg leg : legs()) {
            CampaignFolder read = campaigns.get(leg);
            parts.add(
                    read == null
                            ? leg.words() + " not begun"
                            : read.completeBlocks() + " of "
                                    + read.campaign().order().size() + " blocks with " + leg.words());
        }
        return String.join(", ", parts);
    }

    /** How much of the experiment was run. */
    public Scale scale() {
        return new Scale(header.scale());
    }

    /** What a campaign's verdicts are; empty where it has not begun. */
    public Optional<Judgement> judgement(Leg leg) {
        return Optional.ofNullable(campaigns.get(leg)).map(read -> Judgement.of(read.campaign(), read.invocations()));
    }

    /** Its claims with each choice of settings, the article's first. */
    public List<Tried> tried() {
        return header.treatments().stream().map(this::tried).toList();
    }

    /** Its claims with the settings of one campaign. */
    public Tried tried(Treatment treatment) {
        String why = header.troubles().stream().findFirst().orElse("was not measured");
        return Tried.of(
                article, treatment, judgement(new Leg(treatment, false)), judgement(new Leg(treatment, true)), why);
    }

    /** A verdict on every claim, with the settings of one campaign. */
    public List<ClaimVerdict> verdicts(Treatment treatment) {
        return tried(treatment).verdicts();
    }

    /** Our figures as published, errors as shares: of loads without a name, or with the first one's. */
    public Figures asPublished() {
        Map<Point, Map<Quantity, Double>> values = new LinkedHashMap<>();
        for (PublishedServer server : servers) {
            Map<Quantity, Double> startUp = Quantity.ofStart(server.startUp());
            if (!startUp.isEmpty()) {
                values.put(Point.atStartUp(server.arm()), startUp);
            }
            for (PublishedRun run : server.runs()) {
                Map<Quantity, Double> figures = new LinkedHashMap<>();
                for (Quantity metric : Quantity.values()) {
                    Double value = run.figures().get(metric.key());
                    if (value != null) {
                        figures.put(metric, value);
                    }
                }
                if (!figures.isEmpty()) {
                    values.putIfAbsent(run.cell(), figures);
                }
            }
        }
        return new Figures(values);
    }

    /** What the audit of the article's figures finds in ours, as published. */
    public List<AuditFinding> ownAudit() {
        RerunPlan plan = article.asPublished();
        RerunPlan.Stage first = scale().apply(plan.loads().get(0));
        Article.Method here = new Article.Method(
                first.rampUpSeconds() > 0 ? (double) first.rampUpSeconds() : null,
                first.durationSeconds() == null ? null : first.durationSeconds().doubleValue(),
                first.maxPauseSeconds(),
                0,
                plan.blocks(),
                plan.warmUp());
        return ArticleAudit.of(article.measured(asPublished(), here));
    }

    /** What is not the same here: computed, then what the article's file says. */
    public List<Difference> differences() {
        Map<String, String> versions = new TreeMap<>(header.versions());
        // Of a library that only the running server knows.
        servers.stream()
                .map(server -> server.proven().getOrDefault("native.version", ""))
                .filter(version -> !version.isEmpty())
                .forEach(version -> versions.put("tomcat-native", version));
        return Difference.of(
                article,
                campaigns.values().stream()
                        .flatMap(read -> read.campaign().arms().stream())
                        .toList(),
                versions,
                header.machine(),
                header.pinning());
    }
}
