package org.servletbench.bench.model;

/**
 * How a figure of the server is read from the rows of its monitor, and merged over windows.
 *
 * @param column of {@code monitor.csv}
 * @param factor by which the rows' unit is multiplied
 */
public record Reading(How how, String column, double factor) {

    /** How a column's rows are combined within a window, and windows within a load. */
    public enum How {
        /** Growth of a total for each request; the mean over requests. */
        PER_REQUEST,
        /**
         * Growth of a part of the CPU time for each request; the mean over requests. With time slices: the CPU time in the slices,
         * times the part's share over the whole load, so that the parts add up to the whole.
         */
        PART_OF_CPU,
        /** Growth of a total for each ms of the window, caused by the server's own load; the mean over time. */
        PER_TIME_OF_LOAD,
        /** Growth of a total for each ms of the server's CPU time; the mean over CPU time. */
        PER_CPU_TIME,
        /** Growth of a total for each connection that was taken from a database pool; the mean over requests. */
        PER_CONNECTION,
        /** The mean of the samples; the mean over time. */
        MEAN,
        /** The largest sample. */
        MOST,
        /** The smallest sample above 0. */
        LEAST,
        /** Growth of a total for each ms, of the busiest generator; the mean over time. */
        OF_BUSIEST_GENERATOR,
        /** Growth of a total for each ms, of the machine that lost most; the mean over time. */
        OF_WORST_MACHINE,
        /** Growth of a total for each ms, on the processors of the server or of a generator, whichever grew most; the mean over time. */
        OF_WORST_PROCESSORS
    }
}
