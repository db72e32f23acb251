/** Page, figures, warnings and service-level report of one run, which is one log, or several, without a campaign. */
package org.servletbench.bench.report.run;
