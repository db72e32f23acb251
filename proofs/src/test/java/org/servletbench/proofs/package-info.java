/**
 * Shows that servlet-bench is right, by experiments whose answer is known beforehand: injected costs, delays, errors
 * and stalls, identical arms, a throttled generator, sabotage. They are tests, and use only what campaigns use, too.
 */
package org.servletbench.proofs;
