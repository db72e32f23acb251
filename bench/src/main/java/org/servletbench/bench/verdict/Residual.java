package org.servletbench.bench.verdict;

/**
 * The noise of one arm in one block, after the block's own level was taken out: estimated by pooling, and used by forecasts.
 *
 * @param sd residual standard deviation of ln(value), 0.02 for 2 %; NaN without degrees of freedom
 * @param df its degrees of freedom, 0 or more
 */
public record Residual(double sd, int df) {}
