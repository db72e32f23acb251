package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.util.List;
import java.util.Map;
import org.servletbench.bench.proof.Finding;

/** The page of {@code prove}: each experiment with truth, what was measured, interval, and how it ended. */
public final class ProofPage {

    /** Its file name. */
    public static final String INDEX = "index.html";

    private ProofPage() {}

    /**
     * @param findings in order
     * @param machine facts of the machine, by name
     * @return the whole page
     */
    public static String html(List<Finding> findings, Map<String, String> machine) {
        Shell shell = new Shell("servlet-bench: proof");
        shell.body()
                .append("<p class='kicker'>servlet-bench</p><h1>Experiments with a known answer</h1>\n")
                .append(text("<p>%s.</p>\n", escape(Finding.tally(findings))));
        StringBuilder html = shell.section("findings", "Findings");
        html.append(
                "<div class='scroll' tabindex='0' role='region' aria-label='Findings'><table class='findings'><thead><tr>"
                        + "<th scope='col'>Experiment</th><th scope='col'>About</th><th scope='col'>Truth</th>"
                        + "<th scope='col'>Measured</th><th scope='col'>Interval or bounds</th><th scope='col'>Outcome</th>"
                        + "</tr></thead><tbody>\n");
        for (Finding finding : findings) {
            html.append("<tr>");
            html.append(text("<th scope='row'>%s</th>", escape(finding.experiment())));
            for (String cell : List.of(finding.subject(), finding.truth(), finding.measured(), finding.interval())) {
                html.append(text("<td>%s</td>", escape(cell)));
            }
            html.append(text(
                    "<td><strong>%s</strong>%s</td></tr>\n",
                    escape(finding.outcome().words()),
                    finding.note().isEmpty() ? "" : "<br><small>" + escape(finding.note()) + "</small>"));
        }
        html.append("</tbody></table></div>\n");
        StringBuilder on = shell.section("machine", "Machine");
        on.append("<dl>");
        machine.forEach((name, value) -> on.append(text("<dt>%s</dt><dd>%s</dd>", escape(name), escape(value))));
        on.append("</dl>\n");
        return shell.html();
    }
}
