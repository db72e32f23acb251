/**
 * The comparison page: what a campaign found, in words, plots and tables, as files that need nothing but themselves. The
 * same inputs give the same bytes. Nothing is decided here: verdicts come from the campaign's judgement.
 */
package org.servletbench.bench.report;
