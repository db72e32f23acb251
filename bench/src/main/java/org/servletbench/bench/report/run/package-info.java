/** The page and the figures of one run: one log, or several, without a campaign around them. */
package org.servletbench.bench.report.run;
