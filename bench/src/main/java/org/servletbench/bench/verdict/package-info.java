/**
 * The verdict: is the difference between two arms real, and how large is it?
 *
 * <p>Estimating ({@link org.servletbench.bench.verdict.Estimate}, from the block model), deciding ({@link
 * org.servletbench.bench.verdict.Verdict#decide}) and wording ({@link org.servletbench.bench.verdict.Wording}) are separate; {@link
 * org.servletbench.bench.verdict.MultipleComparison} combines the first two for everything that is claimed together. Nothing here reads
 * a file or a clock, and the same values give the same verdicts.
 *
 * <h2>The method</h2>
 *
 * <p><b>One figure per server and block.</b> A block runs every arm once, each in a fresh server JVM. Thousands of
 * requests to one JVM are still one figure: the next JVM of the same jar may well be 5 % faster for all of them. The
 * number of blocks, and not of requests, says how sure we can be.
 *
 * <p><b>The block model.</b> In one group, load and metric {@code ln(value) = block + arm + noise}. A pair is estimated
 * by the mean of {@code ln(A) - ln(B)} over the blocks that have both. Its variance is its own, shrunk towards the
 * residual of all arms and the control with the weight of four degrees of freedom (after an idea of G. K. Smyth,
 * Statistical Applications in Genetics and Molecular Biology 3, 2004). Unshrunk, the variance of four blocks would have
 * only 3 degrees of freedom; fully pooled, one noisy arm would cause false alarms.
 *
 * <p><b>The baseline</b> of a block is the mean of the logarithms of its two copies, which are servers of one jar. A
 * difference to it has 1.5 times the variance of one server, while a difference of two other arms has twice that
 * variance. The difference of the copies is independent of their mean, so that it remains a valid A/A check
 * ({@link org.servletbench.bench.verdict.AaCheck}). If only one copy of a block is usable, the block counts with that
 * copy; see {@link org.servletbench.bench.verdict.BlockData}. Campaigns that began before this rule existed keep their
 * first copy ({@link org.servletbench.bench.verdict.Baseline}).
 *
 * <p><b>The intervals</b> of one group, load and metric are simultaneous over all pairs of arms (the critical value of
 * the largest |t|, see {@link org.servletbench.bench.verdict.Critical}), at alpha divided by the number of comparisons:
 * groups times loads times primary metrics (Bonferroni). If noise is about normal, this ensures that <b>all intervals
 * hold the ratios of the campaign's own time, on its machine, with a probability of at least 95 %</b>. All verdicts are
 * then right, because each follows from its interval alone. Ratios also vary from campaign to campaign, which no number
 * of blocks within one campaign shows: see {@link org.servletbench.bench.verdict.Pooled}. INCONCLUSIVE comes with the
 * true difference that would most likely have been found, see
 * {@link org.servletbench.bench.verdict.MultipleComparison#detectable}.
 *
 * <p><b>Floors.</b> If an arm ran at the generator's limit in any block, all its blocks count, because leaving out the
 * fast ones would bias the rest. Its throughput is "at least"; its response times are not judged; its CPU time per
 * request is.
 *
 * <p><b>A coarse clock</b> widens the intervals of percentiles, see {@code BlockData.clock}. The mean response time
 * needs no widening, because start and end of a request are rounded alike, and thousands of them are averaged.
 *
 * <h2>Simulations</h2>
 *
 * <p>Share of 40,000 campaigns in which any of the six intervals misses, in percent (standard error 0.1), for four
 * equal arms and a control in one comparison at 5 %. The first row and the one with one arm three times noisier are
 * promised and tested; the others show the limits of the method. If the baseline is noisier, both of its copies are.
 * {@code CoverageTableTest} prints these rows, next to those of the first copy alone.
 *
 * <table>
 *   <caption>Campaigns in which any interval misses, %</caption>
 *   <tr><th>blocks</th><th>2</th><th>3</th><th>4</th><th>5</th><th>10</th><th>30</th></tr>
 *   <tr><td>equal spreads</td><td>2.2</td><td>2.3</td><td>2.8</td><td>3.8</td><td>5.1</td><td>5.0</td></tr>
 *   <tr><td>one arm twice as noisy</td><td>3.8</td><td>4.0</td><td>4.5</td><td>5.3</td><td>5.1</td><td>4.5</td></tr>
 *   <tr><td>one arm three times noisier</td><td>6.2</td><td>6.1</td><td>6.0</td><td>6.3</td><td>4.5</td><td>3.6</td></tr>
 *   <tr><td>the baseline three times noisier</td><td>1.8</td><td>1.5</td><td>1.6</td><td>1.8</td><td>2.1</td><td>2.8</td></tr>
 *   <tr><td>two or three arms three times noisier, the
 *   larger</td><td>5.5</td><td>5.6</td><td>6.1</td><td>6.5</td><td>6.7</td><td>5.3</td></tr>
 *   <tr><td>one arm ten times noisier</td><td>14.6</td><td>9.9</td><td>7.5</td><td>6.8</td><td>3.5</td><td>1.8</td></tr>
 *   <tr><td>t with 5 degrees of freedom</td><td>1.8</td><td>1.7</td><td>2.1</td><td>3.0</td><td>4.0</td><td>4.5</td></tr>
 *   <tr><td>one outlier of 5 sd</td><td>0.4</td><td>0.6</td><td>0.8</td><td>1.2</td><td>3.1</td><td>4.5</td></tr>
 *   <tr><td>AR(1), r = 0.5 from block to block, each arm for
 *   itself</td><td>12</td><td>21</td><td>29</td><td>36</td><td>43</td><td>44</td></tr>
 *   <tr><td>half width to the baseline, % (residual 1.45
 *   %)</td><td>6.5</td><td>4.1</td><td>3.1</td><td>2.5</td><td>1.62</td><td>0.9</td></tr>
 *   <tr><td>half width of two other arms, %</td><td>7.6</td><td>4.7</td><td>3.6</td><td>2.9</td><td>1.87</td><td>1.0</td></tr>
 *   <tr><td>both with the first copy alone, %</td><td>7.3</td><td>4.5</td><td>3.5</td><td>2.9</td><td>1.87</td><td>1.0</td></tr>
 * </table>
 *
 * <p>With the first copy alone, misses with equal spreads were 2.5, 2.7, 3.4, 3.9, 5.1 and 4.8 %, and all others within
 * 0.3 points, except for three noisier arms and a quiet baseline: 0.5 points fewer with five blocks, and 0.7 with ten.
 * There, the two quiet copies make the residual smaller, and differences to their mean are no longer wider than
 * necessary.
 *
 * <p>If one arm is ten times noisier, the intervals hold from ten blocks on; at the small levels of many comparisons
 * they are worse (at 0.16 %, 1.5 % with three blocks and 0.6 % with five). Heavy tails and single outliers widen the
 * intervals and cost power, but cause no false claims. An autocorrelation of an arm's noise from block to block breaks
 * every method that treats blocks as independent. We assume that fresh JVMs and a random order make them independent,
 * and the A/A experiments test this.
 */
package org.servletbench.bench.verdict;
