/** The commands of the command line. Each combines packages that do not depend on each other. */
package org.servletbench.bench.cli;
