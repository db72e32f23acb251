/** What servers of continuous integration read. */
package org.servletbench.bench.report.ci;
