package org.servletbench.bench.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.reproduce.Wanted;
import org.servletbench.bench.server.Jdk;
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
final class ReproduceCommand extends BenchCommand implements Callable<Integer> {

    static final List<Planned> PLANNED = Planned.table("""
            What is run
              scale | F | factor for counts, times and blocks; below 0.1 only a trial; default: 1
              blocks | N | blocks of the campaigns; default: as in the article's file, of starts its startup.blocks or \
                  those of compare startup
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

    @Override
    public Integer call() {
        Map<String, String> given = Planned.given(spec, PLANNED);
        Reproductions all = new Reproductions(Repository.root(root), Wanted.of(given), console());
        // A plan that is only told asks no other host.
        Jdk servers = dryRun && all.useOtherHosts() ? null : all.servers();
        List<String> named = ids == null ? List.of() : ids;
        if (resume != null) {
            return all.goOn(resume, named, besidesLimit(given));
        }
        List<Article> articles = all.articles(named);
        if (dryRun) {
            articles.forEach(all::tell);
            return 0;
        }
        return all.run(articles, servers, out);
    }

    /** What cannot be given together with --resume. */
    private Map<String, Object> besidesLimit(Map<String, String> given) {
        Map<String, Object> others = new LinkedHashMap<>(given);
        others.remove("limit");
        if (out != null) {
            others.put("out", out);
        }
        if (dryRun) {
            others.put("dry-run", true);
        }
        return others;
    }
}
