/**
 * From the records of raw logs to figures: samples, histograms, the steady window, time slices and the audit; also the monitor's
 * series, warmth and trends of the server.
 *
 * <p>A reader of {@code org.servletbench.bench.load} passes records to {@link org.servletbench.bench.measure.Records}. Single runs
 * and windows use a {@link org.servletbench.bench.measure.Recorder}, in one pass. It keeps one {@link
 * org.servletbench.bench.measure.Tally} per load and second: whole numbers that add up, so neither the order of the records nor the
 * grouping of additions changes a figure. The steady seconds are chosen after the pass, when every second's users are known, and
 * the figures of the window are then the merged tallies of its seconds. The cut is therefore as fine as a second (coarser only for
 * logs of many hours), and the window a whole number of seconds: rates are not blurred, the window is. Time slices of campaigns (a
 * {@link org.servletbench.bench.measure.Interleaving}) are measured by a {@link org.servletbench.bench.measure.SliceReader}, in two
 * passes: the first finds when each server had the users for itself, the second counts its answers. Tools that log no requests
 * report figures, which become a {@link org.servletbench.bench.measure.WindowResult} directly.
 *
 * <p>A request belongs to the second in which it ended. Windows are half open: {@code [from, to)}.
 */
package org.servletbench.bench.measure;
