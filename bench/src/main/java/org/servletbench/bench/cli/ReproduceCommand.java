package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.Prepared;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.report.ReproductionIndex;
import org.servletbench.bench.report.ReproductionPage;
import org.servletbench.bench.reproduce.ArticleRun;
import org.servletbench.bench.reproduce.Campaigns;
import org.servletbench.bench.reproduce.DryRun;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Unfinished;
import org.servletbench.bench.reproduce.Wanted;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.server.RunFolder;
import org.servletbench.bench.server.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The published experiments again: as they were, then as they should be, and which of their claims hold here. */
@Command(
        name = "reproduce",
        description =
                "Repeats published comparisons, as published and as campaigns, and gives a verdict for each claim.",
        sortOptions = false,
        modelTransformer = ReproduceCommand.Options.class,
        footer = {
            "",
            "Articles are the files in published/. Each gets its own folder with a page; index.html has all of them.",
            "Exit codes: 0 success, 1 failure (what was measured is kept), 2 invalid usage."
        })
final class ReproduceCommand extends BenchCommand implements Callable<Integer>, Campaigns {

    static final List<Planned> PLANNED = Planned.table("""
            What is run
              scale | F | factor for counts, times and blocks; below 0.1 only a trial; default: 1
              blocks | N | blocks of the campaigns; default: as in the article's file, of starts its startup.blocks or \
                  those of compare --startup
              settings | SET | as it should be only with defaults (the article's treatment), equalised, or newest (the \
                  article's settings with the newest versions). Default: the first two
              limit | TIME | time limit for each article; each campaign has at least two blocks; 0s: none; default: \
                  reproduce.limit in profiles/campaign.properties
              jdk | HOME | the JDK that every server runs on, 17 or newer; default: the rig's
            Other machines
              target.host | HOST | run the servers on this machine, such as me@app1; ssh must get there without a question
              target.address | ADDRESS | where servers listen there; default: the host's in ssh's configuration
              target.allow-remote | true|false | the other machine is yours to load
              host.jdk | HOME | the JDK there; default: java on its path
              ssh.config | FILE | configuration of ssh; default: ~/.ssh/config
            """);

    /** Adds them to the command. */
    static final class Options implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec command) {
            PLANNED.forEach(one -> command.addOption(one.builder().build()));
            return command;
        }
    }

    @Parameters(paramLabel = "ID", arity = "0..*", description = "names of articles; default: all")
    private List<String> ids;

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            arity = "0..1",
            fallbackValue = "",
            description = "continue the reproduction in this folder; without a folder, the newest unfinished one of"
                    + " the article. Only --limit can be given with it")
    private String resume;

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
        wanted = Wanted.of(Planned.given(spec, PLANNED));
        progress = new ConsoleProgress(console());
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
                Path folder = Files.createDirectory(base.resolve(RunFolder.name(article.id())));
                tell(article, line -> {});
                ArticleRun run = ArticleRun.begin(article, folder, wanted, servers, this);
                code = Math.max(code, finish(run, article.id(), folder));
            }
            console()
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
        Map<String, Object> others = new LinkedHashMap<>(Planned.given(spec, PLANNED));
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
        try (OnInterrupt interrupted =
                new OnInterrupt(console(), "interrupted: what was measured is kept; go on with " + goOn)) {
            run.run();
        }
        Reproduction done = Reproduction.read(folder, reader);
        new ReproductionPage(done).write(folder);
        new ReproductionIndex(Reproduction.newest(folder.getParent(), reader, progress::say)).write(folder.getParent());
        ReproductionText.print(done, folder, goOn, console());
        return done.header().troubles().isEmpty() ? 0 : Main.FAILED;
    }

    private void tell(Article article, Consumer<String> leftOut) {
        PrintWriter console = console();
        DryRun.of(article, wanted, profiles, leftOut).forEach(console::println);
        console.flush();
    }
}
