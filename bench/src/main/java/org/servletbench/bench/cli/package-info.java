/** The commands. */
package org.servletbench.bench.cli;
