package org.servletbench.bench.measure;

/** One cell, second by second. */
final class CellSeries {
    final String name;
    /** Null where requests count from when they were sent. */
    EvenStarts starts;

    final Series<Tally> tallies = new Series<>(Tally::new);
    long firstStart = Long.MAX_VALUE;
    long lastEnd = Long.MIN_VALUE;
    long lastStart = Long.MIN_VALUE;
    Records.Role role = Records.Role.REQUEST;
    /** The tally that was last used, and its span. */
    Tally current;

    long currentFrom;
    long currentTo;

    CellSeries(String name, EvenStarts starts) {
        this.name = name;
        this.starts = starts;
    }

    /** Its name in figures; in quotes where blanks around it would not be seen. */
    String shown() {
        return (name.equals(name.strip()) ? name : '"' + name + '"') + role.suffix;
    }

    void forgetCurrent() {
        current = null;
        currentTo = currentFrom;
    }
}
