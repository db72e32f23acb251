package org.servletbench.bench.report.run;

import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Hint.Where;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.report.Words;

/**
 * A warning on a run or a log, with all loads that it concerns.
 *
 * @param detail evidence in a few words; empty if the loads' own checks show it
 * @param loads names of the loads that it concerns; empty for all loads
 * @param where place where the warning is read
 */
public record RunWarning(WarningKind kind, String detail, List<String> loads, Where where) {

    /** Maximum number of loads that are named for people. If there are more, they are only counted. */
    private static final int MOST_NAMED = 50;

    boolean concerns(String load) {
        return loads.isEmpty() || loads.contains(load);
    }

    private String names() {
        String named = loads.stream().limit(MOST_NAMED).map(WindowResult::shown).collect(Collectors.joining(", "));
        return loads.size() <= MOST_NAMED ? named : named + " and " + (loads.size() - MOST_NAMED) + " others";
    }

    /** Returns the finding, and the loads it concerns. */
    public String text() {
        return kind.meaning() + (detail.isEmpty() ? "" : " (" + detail + ")") + (loads.isEmpty() ? "" : ": " + names());
    }

    /** Returns two sentences: the consequence and the hint. */
    public String advice() {
        return Words.sentence(kind.consequence()) + " To do: " + hint() + ".";
    }

    private String hint() {
        return kind.hint(where);
    }

    public String line() {
        return "WARNING: " + text() + ". Hint: " + hint() + ".";
    }
}
