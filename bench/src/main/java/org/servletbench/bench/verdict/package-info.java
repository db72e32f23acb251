/**
 * The verdict: is the difference between two arms real, and how large is it?
 *
 * <p>Estimating ({@link org.servletbench.bench.verdict.Estimate}), deciding
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
 * <p><b>Differences within a block.</b> What slows a whole block down slows all its arms down. So arms are compared
 * block by block: {@code d = ln(A) - ln(B)}. The logarithm makes differences relative, and A against B the exact mirror
 * of B against A. {@code exp(mean d)} is the ratio of A to B; that d varies from block to block is the noise it is held
 * against. A block that lacks one of the two arms says nothing about this pair, and something about others.
 *
 * <p><b>Is there a difference?</b> The paired t-test (Student, 1908) asks how often blocks would differ this much if
 * A and B were the same: p. Among many pairs, metrics and cells some p are small by chance. Holm's procedure (S. Holm, A
 * simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979) raises them so that
 * all differences named together are right in 95 of 100 campaigns. All pairs of arms of one group are tested, by every
 * primary metric, in every cell.
 *
 * <p><b>How large is it?</b> The interval of the ratio comes from the t distribution with n-1 degrees of freedom, at the
 * level {@code alpha / claims} (Bonferroni): all intervals of a campaign hold the truth together in 95 of 100 campaigns.
 * Holm's procedure finds a little more than these intervals show, so an interval may just reach beyond 1 although the
 * difference is certain.
 *
 * <p><b>Does it matter?</b> The margin, 3 % unless another was chosen beforehand, is what counts as equal: ratios from
 * 1/1.03 to 1.03. With it:
 *
 * <ul>
 *   <li>FASTER, SLOWER: a difference is certain, and the whole interval lies beyond the margin. FASTER means better, also
 *       where lower is better.
 *   <li>DIFFERENT-BUT-SMALL: a difference is certain, but not that it is larger than the margin.
 *   <li>EQUIVALENT: no difference was found, and two one-sided tests (D. J. Schuirmann, A comparison of the two
 *       one-sided tests procedure and the power approach, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987),
 *       with Holm's procedure over them, rule out one as large as the margin; the interval lies wholly inside it.
 *   <li>INCONCLUSIVE: none of these. That is no verdict of equality: beside it stands the smallest difference that so
 *       many blocks would have found.
 * </ul>
 *
 * <p><b>What could have been found?</b> From the spread of d, the number of blocks and the level of one claim, the
 * non-central t distribution gives the difference that is found in four of five campaigns (power 80 %). See R. V. Lenth,
 * Algorithm AS 243: cumulative distribution function of the non-central t distribution, Applied Statistics 38, 1989, and
 * J. Cohen, Statistical power analysis for the behavioral sciences, 1988. The spread seen is itself an estimate: of five
 * blocks it may be wrong by half. For six arms, one metric, one cell and runs that spread by 2 %, the formula gives a
 * pair that differs by 5 % a chance of 88 % to be found with ten blocks, and of 20 % with five. It takes the level as
 * Bonferroni does; with Holm's procedure it was 91 % and 21 % of 20,000 simulated campaigns.
 *
 * <p><b>Does the rig find what is not there?</b> The control is a second copy of the baseline. It is judged against the
 * baseline by the same rule, in a family of its own. If it comes out FASTER or SLOWER, the rig sees differences where
 * there are none, and the whole family is void.
 *
 * <p><b>A second opinion.</b> The t-test takes d as normally distributed. The signed-rank test (F. Wilcoxon, Individual
 * comparisons by ranking methods, 1945) does not, and is shown beside it. It decides nothing: with ten blocks its smallest
 * p is 0.002, too coarse for many claims. Where the two disagree, look at the blocks.
 *
 * <p><b>Letters.</b> Arms that share a letter could not be told apart, by the insert-and-absorb algorithm (H.-P. Piepho,
 * An algorithm for a letter-based representation of all-pairwise comparisons, Journal of Computational and Graphical
 * Statistics 13, 2004).
 *
 * <p><b>Values that do not spread</b>, because they were recorded in whole milliseconds, say, leave the t-test without
 * noise to hold the difference against. Then n equal signs decide ({@code p = 2^(1-n)}), and the verdict says so. How
 * coarsely a value was recorded is not known here: a difference of one step of the clock may be a smaller one.
 */
package org.servletbench.bench.verdict;
