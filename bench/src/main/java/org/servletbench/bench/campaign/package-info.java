/**
 * A campaign: arms, blocks in seeded random order, fresh server JVMs, what each invocation gave, and the verdicts drawn
 * from them. What is written here is all that the report reads.
 */
package org.servletbench.bench.campaign;
