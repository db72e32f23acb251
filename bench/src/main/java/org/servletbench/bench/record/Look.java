package org.servletbench.bench.record;

import java.util.List;
import java.util.Optional;

/**
 * How often a campaign's verdicts have been drawn, and what that leaves of alpha.
 *
 * <p>Whoever looks and then measures more because of what was seen finds differences that are not there: with three extensions
 * in 12 % of campaigns at a nominal 5 %. So every look but the first is reserved in the plan, and of K &gt; 1 looks look k is
 * judged at {@code alpha * 2^-k} (Bonferroni; fixed beforehand, as in Lan and DeMets, Biometrika 70, 1983).
 *
 * <p>The first look is the planned end; each {@link CampaignEvent.What#EXTENDED extension} is one more. Completing a plan is
 * no look: neither after an interruption, which shows no verdicts, nor after the time limit, although its page was drawn
 * after fewer blocks than planned. The time limit does not depend on the outcome. Whoever goes on after it <em>because</em>
 * of the verdicts does look twice (9 % instead of 5 % when 4 blocks of 6 were measured), so the page tells that this
 * happened, and after {@link CampaignEvent.What#PRECISION} nothing goes on. To be free to do that, reserve two looks and
 * extend.
 *
 * @param number of the look, from 1
 * @param reserved number of looks in the plan
 * @param alpha level at which the family of this look is judged, in (0, 1)
 * @param withoutVerdicts why there are no verdicts; empty if there are
 */
public record Look(int number, int reserved, double alpha, Optional<WithoutVerdicts> withoutVerdicts) {
    /** The most looks that a plan can reserve. */
    public static final int MOST = 5;

    public enum WithoutVerdicts {
        /** It is running, or was interrupted: verdicts now would be an additional look. */
        NOT_ENDED,
        /** It was extended beyond the looks that its plan reserved. */
        EXTENSION_NOT_RESERVED
    }

    static Look of(Campaign campaign) {
        Plan plan = campaign.plan();
        List<CampaignEvent> history = campaign.history();
        int number = 1
                + (int) history.stream()
                        .filter(event -> event.what() == CampaignEvent.What.EXTENDED)
                        .count();
        boolean ended =
                !history.isEmpty() && history.get(history.size() - 1).what().ends();
        Optional<WithoutVerdicts> why = number > plan.looks()
                ? Optional.of(WithoutVerdicts.EXTENSION_NOT_RESERVED)
                : ended ? Optional.empty() : Optional.of(WithoutVerdicts.NOT_ENDED);
        return new Look(number, plan.looks(), alpha(plan.alpha(), plan.looks(), number), why);
    }

    /**
     * The level of one look, counted from 1; of one that was not reserved the whole alpha, for intervals from which nothing is
     * concluded.
     */
    public static double alpha(double alpha, int reserved, int number) {
        return reserved == 1 || number > reserved ? alpha : Math.scalb(alpha, -number);
    }
}
