package org.servletbench.bench.report.run;

import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Remedy.Where;
import org.servletbench.bench.report.Words;

/**
 * A warning on a run or a log, with all loads that it concerns.
 *
 * @param detail evidence in a few words; empty if the loads' own checks show it
 * @param cells names of the loads that it concerns; none: all
 * @param where where the reader is
 */
public record RunMark(MarkKind kind, String detail, List<String> cells, Where where) {

    /** Most loads that are named for people; more are only counted. */
    private static final int MOST_NAMED = 50;

    boolean concerns(String cell) {
        return cells.isEmpty() || cells.contains(cell);
    }

    private String names() {
        String named = cells.stream().limit(MOST_NAMED).map(WindowResult::shown).collect(Collectors.joining(", "));
        return cells.size() <= MOST_NAMED ? named : named + " and " + (cells.size() - MOST_NAMED) + " others";
    }

    /** Returns the finding, and the loads concerned. */
    public String text() {
        return kind.meaning() + (detail.isEmpty() ? "" : " (" + detail + ")") + (cells.isEmpty() ? "" : ": " + names());
    }

    /** Returns the consequence and the hint: two sentences. */
    public String advice() {
        return Words.sentence(kind.consequence()) + " To do: " + remedy() + ".";
    }

    private String remedy() {
        return kind.remedy(where);
    }

    public String line() {
        return "MARKED: " + text() + ". Remedy: " + remedy() + ".";
    }
}
