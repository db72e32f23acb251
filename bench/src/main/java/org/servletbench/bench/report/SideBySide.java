package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.report.Table.Columns;

/** Campaigns side by side. They are described, not judged. */
final class SideBySide extends SeveralCampaigns {

    private final List<String> differences = new ArrayList<>();

    SideBySide(List<Analysis> campaigns, List<String> problems) {
        super(campaigns, problems, (group, load, metric, arm) -> Optional.empty());
        campaigns.stream().skip(1).forEach(other -> differences.addAll(new Differences(campaigns.get(0), other).all()));
    }

    @Override
    String title() {
        return Words.count(campaigns.size(), "campaign") + ", side by side";
    }

    @Override
    String answer() {
        return title() + ": nothing is judged";
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>(List.of(
                "Described, not judged: two campaigns do not show how much a ratio varies from campaign to campaign, and every"
                        + " interval holds during its own campaign only. Three or more of the same comparison can be pooled; to"
                        + " judge a change, measure before and after as two arms of one campaign",
                differences.isEmpty()
                        ? "Recorded as the same comparison: arms, jars, JDK, options, processors and load"
                        : "They differ in " + Text.list(differences)));
        baselines().ifPresent(notes::add);
        return notes;
    }

    @Override
    public List<String> words() {
        return List.of();
    }

    @Override
    public List<String> leftOut() {
        return List.of();
    }

    @Override
    public Optional<String> markdown() {
        return Optional.empty();
    }

    @Override
    void addTo(PageLayout shell, PageFiles files) {}

    @Override
    Columns<Single> with(Columns<Single> columns) {
        return columns;
    }
}
