package org.servletbench.bench.measure;

import java.util.function.Supplier;

/** One load, second by second. */
final class LoadSeries {
    /** Name in the log. */
    String name;

    final int number;
    /** Start times of requests that are due at fixed times; null if requests count from when they were sent. */
    EvenStarts starts;

    Series<Tally> tallies;
    long firstStart = Long.MAX_VALUE;
    long lastEnd = Long.MIN_VALUE;
    long lastStart = Long.MIN_VALUE;
    Records.Role role = Records.Role.REQUEST;
    /** The tally that was used last, and its span. */
    Tally current;

    long currentFrom;
    long currentTo;

    LoadSeries(String name, int number, EvenStarts starts, Supplier<Tally> empty) {
        this.name = name;
        this.number = number;
        this.starts = starts;
        this.tallies = new Series<>(empty);
    }

    /** Returns its name in figures. It is quoted if leading or trailing blanks would not be visible. */
    String shown() {
        return (name.equals(name.strip()) ? name : '"' + name + '"') + role.suffix;
    }

    /** Frees memory, once its figures are known. */
    void forget() {
        forgetCurrent();
        tallies = new Series<>(Tally::new);
    }

    void forgetCurrent() {
        current = null;
        currentTo = currentFrom;
    }
}
