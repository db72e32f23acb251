/**
 * From the records of raw logs to figures: samples, histograms, the steady window, time slices and the audit. Also the
 * monitor's series, and the warmth and trends of servers.
 *
 * <p>A reader in {@code org.servletbench.bench.load} passes records to {@link org.servletbench.bench.measure.Records}.
 * Single runs and windows use a {@link org.servletbench.bench.measure.Recorder}, in one pass. It keeps one
 * {@link org.servletbench.bench.measure.Tally} per load and second. Tallies are whole numbers that add up, so that
 * neither the order of the records nor the grouping of additions changes a figure. The steady seconds are chosen after
 * the pass, when the users of every second are known; the figures of the window are then the merged tallies of its
 * seconds. The cut is therefore accurate to a second (less only for logs of many hours), and the window is a whole
 * number of seconds: the window is approximate, the rates are not. Time slices of campaigns (a
 * {@link org.servletbench.bench.measure.Interleaving}) are measured by a
 * {@link org.servletbench.bench.measure.SliceReader}, in two passes. The first one determines when each server had the
 * users for itself, the second one counts its answers. Tools that log no requests report figures, which directly become
 * a {@link org.servletbench.bench.measure.WindowResult}.
 *
 * <p>A request belongs to the second in which it ended. Windows are half open: {@code [from, to)}.
 */
package org.servletbench.bench.measure;
