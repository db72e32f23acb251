package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

/** Articles that are reproduced one after the other, each with a folder and a page, and the page over all. */
final class Reproductions implements Campaigns {

    private final Path repository;
    private final ProfilesFolder profiles;
    private final ArticleReader reader;
    private final Wanted wanted;
    private final PrintWriter console;
    private final ConsoleProgress progress;

    Reproductions(Path repository, Wanted wanted, PrintWriter console) {
        this.repository = repository;
        profiles = new ProfilesFolder(repository.resolve("profiles"));
        reader = new ArticleReader(profiles);
        this.wanted = wanted;
        this.console = console;
        progress = new ConsoleProgress(console);
    }

    boolean useOtherHosts() {
        return !wanted.hosts().isEmpty();
    }

    /** The JDK that servers run on. */
    Jdk servers() {
        return wanted.servers(preparation());
    }

    /** @param ids their names; empty: all that can be run here */
    List<Article> articles(List<String> ids) {
        Path folder = repository.resolve("published");
        if (!ids.isEmpty()) {
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

    /**
     * @param out folder of the results; null: a usual one
     * @return the command's exit code
     */
    int run(List<Article> articles, Jdk servers, Path out) {
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
            console.println(
                    "all articles: " + base.resolve(ReproductionIndex.INDEX).toUri());
        } catch (IOException e) {
            throw new TargetException("cannot write to " + base + " (" + e.getMessage() + ")");
        }
        return code;
    }

    private Path base() {
        return repository.resolve("bench/target/reproductions");
    }

    /**
     * Goes on with a reproduction where it stopped: what is on disk is kept.
     *
     * @param resume its folder; empty: the newest unfinished one
     * @param others what else was given
     * @return the command's exit code
     */
    int goOn(String resume, List<String> named, Map<String, Object> others) {
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
            shown.begin(ready.campaign(), ready.seconds(), ready.store().folder());
            ready.run(shown, goOn);
        } finally {
            CompareCommand.render(ready.store().folder(), progress);
        }
    }

    /** Measures, writes its page and the page over all, and says what came out. */
    private int finish(ArticleRun run, String article, Path folder) throws IOException {
        String goOn = ArticleRun.resumeCommand(article, folder);
        try (OnInterrupt interrupted =
                new OnInterrupt(console, "interrupted: what was measured is kept; go on with " + goOn)) {
            run.run();
        }
        Reproduction done = Reproduction.read(folder, reader);
        new ReproductionPage(done).write(folder);
        new ReproductionIndex(Reproduction.newest(folder.getParent(), reader, progress::say)).write(folder.getParent());
        ReproductionText.print(done, folder, goOn, console);
        return done.header().troubles().isEmpty() ? 0 : Main.FAILED;
    }

    /** Prints the plan of an article. */
    void tell(Article article) {
        tell(article, progress::say);
    }

    private void tell(Article article, Consumer<String> leftOut) {
        DryRun.of(article, wanted, profiles, leftOut).forEach(console::println);
        console.flush();
    }
}
