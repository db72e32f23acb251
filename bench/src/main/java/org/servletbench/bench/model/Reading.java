package org.servletbench.bench.model;

/**
 * How a figure of the server is read from the rows of its monitor, and merged over windows.
 *
 * @param column column of {@code monitor.csv}
 * @param factor factor from the rows' unit to the figure's
 */
public record Reading(How how, String column, double factor) {

    /** How rows are combined within a window, and then windows within a load. */
    public enum How {
        /** Growth of a total per request; then the mean over requests. */
        PER_REQUEST,
        /**
         * Growth of a part of the CPU time per request; then the mean over requests. With time slices, it is the CPU
         * time in the slices times the part's share over the whole load, so that the parts add up to the whole.
         */
        PART_OF_CPU,
        /** Growth of a total per ms of the window, as caused by the server's own load; then the mean over time. */
        PER_TIME_OF_LOAD,
        /** Growth of a total per ms of the server's CPU time; then the mean over CPU time. */
        PER_CPU_TIME,
        /** Growth of a total per connection taken from a database pool; then the mean over requests. */
        PER_CONNECTION,
        /** Mean of the samples; then the mean over time. */
        MEAN,
        /** The largest sample. */
        MOST,
        /** The smallest sample above 0. */
        LEAST,
        /** Growth of a total per ms, on the busiest generator; then the mean over time. */
        OF_BUSIEST_GENERATOR,
        /** Growth of a total per ms, on the machine that lost most; then the mean over time. */
        OF_WORST_MACHINE,
        /**
         * Growth of a total per ms, on the processors of the server or of a generator, whichever grew most; then the
         * mean over time.
         */
        OF_WORST_PROCESSORS
    }
}
