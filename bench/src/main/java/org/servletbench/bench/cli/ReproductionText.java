package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.report.ReproductionPage;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Tried;

/** What became of an article's claims, for the console. */
final class ReproductionText {

    private ReproductionText() {}

    /** @param goOn the command that goes on with it, where it is not complete */
    static void print(Reproduction done, Path folder, String goOn, PrintWriter console) {
        console.println(done.article().id() + ": " + done.article().title());
        for (Treatment treatment : done.header().treatments()) {
            Tried tried = done.tried(treatment);
            console.println("  " + tried.words() + ":");
            if (!tried.servedAtOnce().isEmpty()) {
                console.println("    requests served at once: " + tried.servedAtOnce());
            }
            tried.disturbed().ifPresent(line -> console.println("    warning: " + line));
            for (ClaimVerdict verdict : tried.verdicts()) {
                console.println(text(
                        "    %-19s %-18s %s",
                        verdict.outcome().words(), verdict.claim().id(), Main.oneLine(verdict.reason())));
            }
        }
        done.header().troubles().forEach(trouble -> console.println("  failed: " + Main.oneLine(trouble)));
        if (!done.isComplete()) {
            console.println("  " + done.progress() + ": go on with " + goOn);
        }
        console.println("  page: " + folder.resolve(ReproductionPage.INDEX).toUri());
        console.flush();
    }
}
