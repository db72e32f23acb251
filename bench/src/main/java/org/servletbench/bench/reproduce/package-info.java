/** Runs an article's experiment again, as published and as it should be, and evaluates its claims with what was measured. */
package org.servletbench.bench.reproduce;
