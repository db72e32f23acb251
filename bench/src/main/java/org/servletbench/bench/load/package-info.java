/** The generators' raw logs, read in one pass, in constant memory and without an object per request. */
package org.servletbench.bench.load;
