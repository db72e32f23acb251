package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.Prepared;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.report.ReproductionIndex;
import org.servletbench.bench.report.ReproductionPage;
import org.servletbench.bench.reproduce.ArticleRun;
import org.servletbench.bench.reproduce.Campaigns;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.DryRun;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Tried;
import org.servletbench.bench.reproduce.Unfinished;
import org.servletbench.bench.reproduce.Wanted;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.server.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The published experiments again: as they were, then as they should be, and which of their claims hold here. */
@Command(
        name = "reproduce",
        description =
                "Repeats published comparisons, as published and as campaigns, and gives a verdict for each claim.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Articles are the files in published/. Each gets its own folder with a page; index.html has all of them.",
            "Exit codes: 0 success, 1 failure (what was measured is kept), 2 invalid usage."
        })
final class ReproduceCommand implements Callable<Integer>, Campaigns {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "names of articles; default: all")
    private List<String> ids;

    @Option(
            names = "--scale",
            paramLabel = "F",
            description = "factor for counts, times and blocks; below 0.1 only a trial; default: 1")
    private String scale;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description =
                    "blocks of the campaigns; default: as in the article's file, of starts as in compare --startup")
    private String blocks;

    @Option(
            names = "--settings",
            paramLabel = "SET",
            description =
                    "as it should be only with defaults (the article's treatment), equalised or newest (the article's settings"
                            + " with the newest versions); all by default")
    private String settings;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description = "time limit for each article; each campaign has at least two blocks; 0s: none;"
                    + " default: 0s, for wrk-hello 30m")
    private String limit;

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            arity = "0..1",
            fallbackValue = "",
            description = "continue the reproduction in this folder; without a folder, the newest unfinished one of"
                    + " the article. Only --limit can be given with it")
    private String resume;

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "the JDK that every server runs on, 17 or newer; default: the rig's")
    private String jdk;

    @Option(
            names = "--target-host",
            paramLabel = "HOST",
            description = "run the servers on this machine, such as me@app1; ssh must get there without a question")
    private String targetHost;

    @Option(
            names = "--target-address",
            paramLabel = "ADDRESS",
            description = "where servers listen there; default: the host's in ssh's configuration")
    private String targetAddress;

    @Option(
            names = "--target-allow-remote",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "the other machine is yours to load")
    private String allowRemote;

    @Option(names = "--host-jdk", paramLabel = "HOME", description = "the JDK there; default: java on its path")
    private String hostJdk;

    @Option(names = "--ssh-config", paramLabel = "FILE", description = "configuration of ssh; default: ~/.ssh/config")
    private String sshConfig;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder of the results; must not exist; default: bench/target/reproductions")
    private Path out;

    @Option(names = "--dry-run", description = "print the plan and its duration")
    private boolean dryRun;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "the clone of servlet-bench; default: found from the jar or this folder")
    private Path root;

    private Path repository;
    private ProfilesFolder profiles;
    private ArticleReader reader;
    private Wanted wanted;
    private ConsoleProgress progress;

    @Override
    public Integer call() {
        repository = Repository.root(root);
        profiles = new ProfilesFolder(repository.resolve("profiles"));
        reader = new ArticleReader(profiles);
        wanted = Wanted.of(given());
        progress = new ConsoleProgress(spec.commandLine().getOut());
        // A plan that is only told asks no other host.
        Jdk servers = dryRun && !wanted.hosts().isEmpty() ? null : wanted.servers(preparation());
        if (resume != null) {
            return goOn();
        }
        List<Article> articles = articles();
        if (dryRun) {
            articles.forEach(article -> tell(article, progress::say));
            return 0;
        }
        return run(articles, servers);
    }

    private Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("scale", scale);
        given.put("blocks", blocks);
        given.put("jdk", jdk);
        given.put("settings", settings);
        given.put("limit", limit);
        given.put("target.host", targetHost);
        given.put("target.address", targetAddress);
        given.put("target.allow-remote", allowRemote);
        given.put("host.jdk", hostJdk);
        given.put("ssh.config", sshConfig);
        given.values().removeIf(Objects::isNull);
        return given;
    }

    private List<Article> articles() {
        Path folder = repository.resolve("published");
        if (ids != null && !ids.isEmpty()) {
            return new LinkedHashSet<>(ids)
                    .stream().map(id -> reader.read(folder, id)).toList();
        }
        List<Article> possible =
                reader.readAll(folder).stream().filter(this::isPossible).toList();
        if (possible.isEmpty()) {
            throw new UsageException("no article of " + folder + " can be run here");
        }
        return possible;
    }

    /** One that was not asked for by its name is left out, where this machine or the JDK cannot run it. */
    private boolean isPossible(Article article) {
        try {
            DryRun.of(article, wanted, profiles, line -> {});
            return true;
        } catch (UsageException e) {
            progress.say("left out: " + article.id() + ": " + e.getMessage());
            return false;
        }
    }

    private int run(List<Article> articles, Jdk servers) {
        Path base = out == null ? base() : out.toAbsolutePath().normalize();
        if (out != null && Files.exists(base)) {
            throw new UsageException("--out " + out + " already exists: nothing measured is ever overwritten");
        }
        int code = 0;
        try (CampaignLock lock = CampaignLock.take(base)) {
            Files.createDirectories(base);
            for (Article article : articles) {
                Path folder =
                        base.resolve(article.id() + "-" + LocalDateTime.now().format(TIME));
                Files.createDirectory(folder);
                tell(article, line -> {});
                ArticleRun run = ArticleRun.begin(article, folder, wanted, servers, this);
                code = Math.max(code, finish(run, article.id(), folder));
            }
            spec.commandLine()
                    .getOut()
                    .println("all articles: "
                            + base.resolve(ReproductionIndex.INDEX).toUri());
        } catch (IOException e) {
            throw new TargetException("cannot write to " + base + " (" + e.getMessage() + ")");
        }
        return code;
    }

    private Path base() {
        return repository.resolve("bench/target/reproductions");
    }

    /** Goes on with a reproduction where it stopped: what is on disk is kept. */
    private int goOn() {
        Map<String, Object> others = new LinkedHashMap<>(given());
        others.remove("limit");
        if (out != null) {
            others.put("out", out);
        }
        if (dryRun) {
            others.put("dry-run", true);
        }
        List<String> named = ids == null ? List.of() : ids;
        Unfinished.Found found = resume.isEmpty()
                ? Unfinished.newest(base(), named, others, reader)
                : Unfinished.in(Path.of(resume), named, others, reader);
        Jdk servers = found.began().servers(preparation());
        progress.say("going on with " + found.folder() + ": " + found.read().progress());
        try (CampaignLock lock = CampaignLock.take(found.folder())) {
            ArticleRun run = ArticleRun.goOn(found, wanted, servers, this);
            return finish(run, found.read().header().article(), found.folder());
        } catch (IOException e) {
            throw new TargetException("cannot write to " + found.folder() + " (" + e.getMessage() + ")");
        }
    }

    @Override
    public Preparation preparation() {
        return new Preparation(repository, Main::version, this::commit, progress::say);
    }

    @Override
    public String commit() {
        return Repository.commit(repository);
    }

    @Override
    public void run(Prepared ready, String goOn) {
        try (ConsoleProgress shown = progress) {
            shown.begin(ready.campaign(), ready.seconds());
            ready.run(shown, goOn);
        } finally {
            CompareCommand.render(ready.store().folder(), progress);
        }
    }

    /** Measures, writes its page and the page over all, and says what came out. */
    private int finish(ArticleRun run, String article, Path folder) throws IOException {
        String goOn = ArticleRun.resumeCommand(article, folder);
        try (OnInterrupt interrupted = new OnInterrupt(
                spec.commandLine().getOut(), "interrupted: what was measured is kept; go on with " + goOn)) {
            run.run();
        }
        Reproduction done = Reproduction.read(folder, reader);
        new ReproductionPage(done).write(folder);
        new ReproductionIndex(Reproduction.newest(folder.getParent(), reader, progress::say)).write(folder.getParent());
        print(done, folder, goOn);
        return done.header().troubles().isEmpty() ? 0 : Main.FAILED;
    }

    private void print(Reproduction done, Path folder, String goOn) {
        PrintWriter console = spec.commandLine().getOut();
        console.println(done.article().id() + ": " + done.article().title());
        for (Treatment treatment : done.header().treatments()) {
            Tried tried = done.tried(treatment);
            console.println("  " + tried.words() + ":");
            if (!tried.servedAtOnce().isEmpty()) {
                console.println("    requests served at once: " + tried.servedAtOnce());
            }
            for (ClaimVerdict verdict : tried.verdicts()) {
                console.println(String.format(
                        Locale.ROOT,
                        "    %-19s %-18s %s",
                        verdict.outcome().words(),
                        verdict.claim().id(),
                        Main.oneLine(verdict.reason())));
            }
        }
        done.header().troubles().forEach(trouble -> console.println("  failed: " + Main.oneLine(trouble)));
        if (!done.isComplete()) {
            console.println("  " + done.progress() + ": go on with " + goOn);
        }
        console.println("  page: " + folder.resolve(ReproductionPage.INDEX).toUri());
        console.flush();
    }

    private void tell(Article article, Consumer<String> leftOut) {
        PrintWriter console = spec.commandLine().getOut();
        DryRun.of(article, wanted, profiles, leftOut).forEach(console::println);
        console.flush();
    }
}
