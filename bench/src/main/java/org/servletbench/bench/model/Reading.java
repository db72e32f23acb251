package org.servletbench.bench.model;

/**
 * How a figure of the server is read from the rows of its monitor, and merged over windows.
 *
 * @param column of {@code monitor.csv}
 * @param factor by which the rows' unit is multiplied
 */
public record Reading(How how, String column, double factor) {

    /** What is made of a column's rows within a window, and of windows within a cell. */
    public enum How {
        /** Growth of a total for each request; the mean over requests. */
        PER_REQUEST,
        /**
         * The same of a part of the CPU time: in turns it is the part that was seen over the whole load, of the CPU time in the turns. So the
         * parts add up to the whole. The mean over requests.
         */
        PART_OF_CPU,
        /** Growth of a total for each ms of the window, caused by the server's own load; the mean over time. */
        PER_TIME_OF_LOAD,
        /** Growth of a total for each ms of the server's CPU time; the mean over CPU time. */
        PER_CPU_TIME,
        /** The mean of what was seen; the mean over time. */
        MEAN,
        /** The most that was seen. */
        MOST,
        /** The least above 0 that was seen. */
        LEAST,
        /** Growth of a total for each ms, of the generator that is busiest; the mean over time. */
        OF_BUSIEST_GENERATOR,
        /** Growth of a total for each ms, of the machine from which most was taken; the mean over time. */
        OF_WORST_MACHINE,
        /** The same of the processors of the server, or of the generator. */
        OF_WORST_PROCESSORS
    }
}
