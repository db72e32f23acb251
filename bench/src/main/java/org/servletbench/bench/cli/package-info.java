/** The commands of people: each brings rooms together that know nothing of each other. */
package org.servletbench.bench.cli;
