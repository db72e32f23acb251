/**
 * The results of a campaign, or of several, as pages that load nothing, Markdown, CSV, JSON and JUnit XML, and the gate of a build. The
 * same inputs give the same bytes. Nothing is decided statistically here: verdicts come from the campaign's analysis.
 */
package org.servletbench.bench.report;
