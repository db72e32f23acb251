package org.servletbench.bench.verdict;

/**
 * The noise of one arm in one block, without the block's own level. It is estimated by pooling, and used by forecasts.
 *
 * @param sd residual standard deviation of ln(value), 0.02 for 2 %; NaN without degrees of freedom
 * @param df degrees of freedom, 0 or more
 */
public record Residual(double sd, int df) {}
