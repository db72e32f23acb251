package org.servletbench.bench.measure;

/** One cell, second by second. */
final class CellSeries {
    final String name;
    /** Null where requests count from when they were sent. */
    final EvenStarts starts;

    final Series<Tally> tallies = new Series<>(Tally::new);
    long firstStart = Long.MAX_VALUE;
    long lastEnd = Long.MIN_VALUE;
    /** The tally that was last used, and its span. */
    Tally current;

    long currentFrom;
    long currentTo;

    CellSeries(String name, EvenStarts starts) {
        this.name = name;
        this.starts = starts;
    }

    /**
     * Adds the same cell of another log.
     *
     * @param kinds our number for each of its kinds of error
     * @param sampled whether the samples tell the users: those of both logs add up
     */
    void merge(CellSeries other, int[] kinds, boolean sampled) {
        firstStart = Math.min(firstStart, other.firstStart);
        lastEnd = Math.max(lastEnd, other.lastEnd);
        forgetCurrent();
        for (long bucket = 0; bucket < other.tallies.length(); bucket++) {
            Tally tally = other.tallies.get(other.tallies.first() + bucket);
            if (tally != null) {
                tally.renumber(kinds);
            }
        }
        if (sampled) {
            Users.addUp(tallies, other.tallies);
        }
        tallies.merge(other.tallies);
    }

    void forgetCurrent() {
        current = null;
        currentTo = currentFrom;
    }
}
