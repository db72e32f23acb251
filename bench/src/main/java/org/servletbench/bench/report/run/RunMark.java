package org.servletbench.bench.report.run;

import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Remedy.Where;
import org.servletbench.bench.report.Words;

/**
 * A mark of a run or of a log, with all cells that it concerns.
 *
 * @param detail how we know, in a few words; empty where the cells' own checks say it
 * @param cells names of the workloads and tiers that it concerns; none: all
 * @param where the reader is
 */
public record RunMark(MarkKind kind, String detail, List<String> cells, Where where) {

    /** More cells are only counted where they are for people. */
    private static final int MOST_NAMED = 50;

    boolean concerns(String cell) {
        return cells.isEmpty() || cells.contains(cell);
    }

    private String names() {
        String named = cells.stream().limit(MOST_NAMED).map(WindowResult::shown).collect(Collectors.joining(", "));
        return cells.size() <= MOST_NAMED ? named : named + " and " + (cells.size() - MOST_NAMED) + " others";
    }

    /** What was found, and in which cells. */
    public String text() {
        return kind.meaning() + (detail.isEmpty() ? "" : " (" + detail + ")") + (cells.isEmpty() ? "" : ": " + names());
    }

    /** What follows, and what to do: two sentences. */
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
