/** Programs of the system: wrk, ab and siege. A process for each window, and figures of their own. */
package org.servletbench.bench.load.tool;
