/**
 * Samples, histograms, the steady window and the audit: every later number comes from here.
 *
 * <p>A reader of {@code org.servletbench.bench.load} feeds a {@link org.servletbench.bench.measure.Recorder} in one
 * pass. The recorder keeps one {@link org.servletbench.bench.measure.Tally} per cell and second: whole numbers that
 * add up, so neither the order of the records nor the grouping of additions changes a figure. Which seconds are steady
 * is decided when the pass is over and every second's users are known, and the figures of the window are then the
 * merged tallies of its seconds. The cut is therefore as fine as a second (coarser only for logs of many hours), and
 * the window a whole number of seconds: rates are not blurred, the window is.
 *
 * <p>A request belongs to the second in which it ended. Windows are half open: {@code [from, to)}.
 */
package org.servletbench.bench.measure;
