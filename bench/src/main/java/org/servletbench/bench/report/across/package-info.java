/** By what several campaigns may differ: figures, without a page. */
package org.servletbench.bench.report.across;
