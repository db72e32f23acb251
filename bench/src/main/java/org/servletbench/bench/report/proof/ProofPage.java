package org.servletbench.bench.report.proof;

import java.util.List;
import java.util.Map;
import org.servletbench.bench.proof.Finding;
import org.servletbench.bench.report.Shell;
import org.servletbench.bench.report.Template;

/** The page of {@code prove}: each experiment with truth, what was measured, interval, and how it ended. */
public final class ProofPage {

    public static final String INDEX = "index.html";

    private ProofPage() {}

    /** @param machine facts of the machine, by name */
    public static String html(List<Finding> findings, Map<String, String> machine) {
        Shell shell = new Shell("servlet-bench: proof");
        shell.body().append(Template.html("proof/head", Finding.tally(findings)));
        shell.section("findings", "Findings").append(Template.html("proof/findings", findings));
        shell.section("machine", "Machine").append(Template.html("proof/machine", machine));
        return shell.html();
    }
}
