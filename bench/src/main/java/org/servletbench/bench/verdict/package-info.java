/**
 * The verdict: is the difference between two arms real, and how large is it?
 *
 * <p>Estimating ({@link org.servletbench.bench.verdict.Estimate}, from the block model), deciding
 * ({@link org.servletbench.bench.verdict.Verdict#decide}) and wording
 * ({@link org.servletbench.bench.verdict.Wording}) are three places;
 * {@link org.servletbench.bench.verdict.Family} joins the first two for all that is claimed together. Nothing here
 * reads a file or a clock, and the same values give the same verdicts.
 *
 * <h2>The method</h2>
 *
 * <p><b>One figure per server and block.</b> A block runs every arm once, each in a fresh server JVM. Thousands of
 * requests to one JVM are still one figure: the next JVM of the same jar may well be 5 % faster for all of them. The
 * number of blocks, and not of requests, says how sure we can be.
 *
 * <p><b>The block model.</b> In one group, cell and metric {@code ln(value) = block + arm + noise}. A pair is estimated by the
 * mean of {@code ln(A) - ln(B)} over the blocks that have both. Its variance is its own, shrunk towards the residual of all arms
 * and the control with the weight of four degrees of freedom (the idea: G. K. Smyth, Statistical Applications in Genetics and
 * Molecular Biology 3, 2004): alone, four blocks have 3 degrees of freedom, and pooled, one noisy arm gives false alarms.
 *
 * <p><b>The intervals</b> of one group, cell and metric are simultaneous over all pairs of arms (the critical value of the
 * largest |t|, see {@link org.servletbench.bench.verdict.Critical}), at alpha divided by the number of comparisons, groups times
 * cells times primary metrics (Bonferroni). What that controls, with noise that is about normal: <b>all intervals hold the
 * ratios of the campaign's own time, on its machine, with a chance of at least 95 %</b>, and then all verdicts are right, because a
 * verdict follows from its interval alone. Ratios also vary from campaign to campaign, by some 2.5 %, which no number of blocks
 * within one shows: see {@link org.servletbench.bench.verdict.Pooled}. Beside INCONCLUSIVE stands the true difference that most
 * likely would have been found, see {@link org.servletbench.bench.verdict.Family#detectable}.
 *
 * <p><b>Floors.</b> Of an arm that ran at the generator's limit in any block all blocks count, because leaving out the fast ones
 * biases the rest. Its throughput is "at least"; its response times are not judged; CPU time per request is.
 *
 * <p><b>A coarse clock</b> widens the intervals of percentiles, see {@code BlockData.clock}. The mean response time is left
 * alone: start and end of a request are rounded alike, and thousands of them are averaged.
 *
 * <h2>What was simulated</h2>
 *
 * <p>Four arms and a control, all equal, one comparison at 5 %; the share of 40,000 campaigns in which any of the six
 * intervals misses, in percent (standard error 0.1). Promised, and tested, are equal spreads and one arm three times
 * noisier; the others show the limits of the method.
 *
 * <table>
 *   <caption>Campaigns in which any interval misses, %</caption>
 *   <tr><th>blocks</th><th>2</th><th>3</th><th>4</th><th>5</th><th>10</th><th>30</th></tr>
 *   <tr><td>equal spreads</td><td>2.4</td><td>2.5</td><td>3.4</td><td>4.0</td><td>5.0</td><td>5.2</td></tr>
 *   <tr><td>one arm twice as noisy</td><td>3.8</td><td>4.2</td><td>4.7</td><td>5.2</td><td>4.8</td><td>4.5</td></tr>
 *   <tr><td>one arm three times noisier</td><td>5.9</td><td>6.3</td><td>6.2</td><td>6.0</td><td>4.2</td><td>3.6</td></tr>
 *   <tr><td>two or three arms three times noisier, the larger</td><td>5.8</td><td>5.5</td><td>5.9</td><td>6.3</td><td>5.9</td><td>5.1</td></tr>
 *   <tr><td>one arm ten times noisier</td><td>14.2</td><td>9.9</td><td>7.6</td><td>6.3</td><td>3.2</td><td>1.8</td></tr>
 *   <tr><td>t with 5 degrees of freedom</td><td>2.2</td><td>2.3</td><td>2.5</td><td>3.2</td><td>4.0</td><td>4.4</td></tr>
 *   <tr><td>one outlier of 5 sd</td><td>0.5</td><td>0.6</td><td>1.0</td><td>1.5</td><td>3.1</td><td>4.6</td></tr>
 *   <tr><td>AR(1), r = 0.5 from block to block, each arm for itself</td><td>13</td><td>23</td><td>31</td><td>36</td><td>43</td><td>44</td></tr>
 *   <tr><td>half width, % (residual 1.45 %)</td><td>7.3</td><td>4.5</td><td>3.5</td><td>2.9</td><td>1.87</td><td>1.0</td></tr>
 * </table>
 *
 * <p>One arm that is ten times noisier is protected from five blocks on, and worse at the small levels of many comparisons
 * (at 0.16 %, 1.6 % with three blocks and 0.5 % with five). Heavy tails and single outliers widen the intervals and cost power, not truth. An autocorrelation of an arm's noise
 * from block to block breaks every method that takes blocks as independent; that fresh JVMs and a random order make them
 * so is an assumption, which the A/A experiments test.
 */
package org.servletbench.bench.verdict;
