/**
 * Shows that the rig is right, by experiments whose answer is known beforehand: injected costs, delays, errors and stalls,
 * identical arms, a throttled generator, sabotage. It stands above {@code campaign} and uses nothing that campaigns do not.
 */
package org.servletbench.bench.proof;
