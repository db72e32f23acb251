/**
 * The results of one or several campaigns as pages that load nothing, Markdown, CSV, JSON and JUnit XML, and the gate
 * of a build. The same inputs give the same bytes. This package makes no statistical decisions; verdicts come from the
 * campaign's analysis.
 */
package org.servletbench.bench.report;
