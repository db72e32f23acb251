/** Gatling, with one process for all loads of a batch, and the reader of its binary log. */
package org.servletbench.bench.load.gatling;
