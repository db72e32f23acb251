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
 * <p><b>The block model.</b> In one group, cell and metric {@code ln(value) = block + arm + noise}. What slows a whole
 * block down slows all its arms down, and is taken out. The logarithm makes differences relative, and A against B the
 * exact mirror of B against A. A pair is estimated by the mean of {@code ln(A) - ln(B)} over the blocks that have both;
 * a block that lacks one of them says nothing about this pair, and something about others.
 *
 * <p><b>The noise.</b> A pair's own differences have n - 1 degrees of freedom, 3 in four blocks, which makes small
 * campaigns blind. The residual of the block model, over all arms and the control, has four times as many, but is wrong
 * for an arm that is noisier than the others. So the variance of a pair is its own, shrunk towards the pooled one with
 * the weight of four degrees of freedom (the idea: G. K. Smyth, Linear models and empirical Bayes methods for assessing
 * differential expression, Statistical Applications in Genetics and Molecular Biology 3, 2004). With many blocks each
 * pair speaks for itself.
 *
 * <p><b>The intervals</b> of one group, cell and metric are simultaneous over all pairs of arms: mean ± c standard
 * errors, where c is the critical value of the largest |t| (J. W. Tukey's idea; T. Hothorn, F. Bretz, P. Westfall,
 * Simultaneous inference in general parametric models, Biometrical Journal 50, 2008). It is simulated on the very pattern
 * of blocks and arms, once with equal spreads and once with one arm three times noisier, and the larger value counts; the
 * noisier case is allowed 1.2 times the level, because otherwise every campaign pays for a rare one. The level is alpha divided by the number of comparisons, groups times cells times primary metrics (Bonferroni). What that
 * controls, with noise that is about normal: <b>in at least 95 of 100 campaigns all intervals hold the true ratio</b>.
 *
 * <p><b>The verdict</b> follows from the interval alone, so it cannot contradict it, and in those 95 campaigns all
 * verdicts are right. The margin, 3 % unless another was chosen beforehand, is what counts as equal: ratios from 1/1.03
 * to 1.03.
 *
 * <ul>
 *   <li>FASTER, SLOWER: the whole interval lies beyond the margin. FASTER means better, also where lower is better.
 *   <li>EQUIVALENT: the whole interval lies inside the margin, even where it excludes 1: such a difference was declared
 *       beforehand not to matter.
 *   <li>DIFFERENT: the interval excludes 1, but not the margin.
 *   <li>INCONCLUSIVE: none of these, with a {@link org.servletbench.bench.verdict.Reason}. That is no verdict of
 *       equality: beside it stands the smallest true difference whose interval would have excluded 1 four times in five.
 * </ul>
 *
 * <p><b>Letters.</b> Arms share a letter unless their pair is FASTER, SLOWER or DIFFERENT, by the insert-and-absorb
 * algorithm (H.-P. Piepho, Journal of Computational and Graphical Statistics 13, 2004). Arms that are EQUIVALENT share
 * one, even where 1 is excluded.
 *
 * <p><b>Does the rig find what is not there?</b> The control is a second copy of the baseline. It HELD if its own 90 %
 * interval lies inside the margin: two one-sided tests at 5 % (D. J. Schuirmann, A comparison of the two one-sided tests
 * procedure and the power approach, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). It is BROKEN if it lies
 * outside, and then the whole family is void. Else it is UNPROVEN, and the bias that could not have been seen is named:
 * the farthest end of that interval. BROKEN must hold at the level alpha over all controls too, else a noisy campaign
 * with ten controls and no bias would more often be void than not.
 *
 * <p><b>Floors.</b> An arm that ran at the generator's limit in any block has a floor in that cell. All its blocks count,
 * because leaving out the fast ones biases the rest. Its ratio to another arm is "at least", so its interval has no upper
 * end; it can be FASTER, or DIFFERENT in that direction, and nothing else. Its response times include waiting at the
 * generator and are not judged; CPU time per request is.
 *
 * <p><b>A coarse clock.</b> A percentile v timed by a clock with step r stands for anything from v - r to v + r, and that
 * error does not average out over blocks: intervals are wider by it (see {@code Comparison.clock}). The mean response
 * time is left alone, because start and end of a request are rounded alike and thousands of them are averaged.
 *
 * <p><b>Stopping</b> when all intervals are narrow enough costs a part of alpha: see
 * {@link org.servletbench.bench.verdict.Stopping}.
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
 *
 * <p><b>What could have been found?</b> The power is that of a t-test with the simulated critical value and the
 * effective degrees of freedom of the shrunken variance (F. E. Satterthwaite, Biometrics Bulletin 2, 1946); it agrees
 * with simulated campaigns within 3 points. The non-central t is integrated from its definition (see R. V. Lenth,
 * Algorithm AS 243, Applied Statistics 38, 1989). The spread that was seen is itself an estimate.
 */
package org.servletbench.bench.verdict;
