/** What is the same and what contradicts across two campaigns or two generators: figures, without a page. */
package org.servletbench.bench.report.across;
