package org.servletbench.bench.report;

import java.util.List;
import java.util.function.Predicate;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;

/**
 * What a reader must know of a campaign before believing its answers.
 *
 * @param problems how many files could not be read
 */
record Caveats(Judgement judgement, int problems) {
    Campaign campaign() {
        return judgement.campaign();
    }

    long unsettled() {
        return judgement.chosen().stream()
                .map(Invocation::warmUp)
                .filter(warmUp -> warmUp != null && !warmUp.settled())
                .count();
    }

    long failed() {
        return judgement.invocations().stream()
                .filter(Predicate.not(Invocation::measured))
                .count();
    }

    /** Verdicts that would be others without servers that were not warm. */
    long changed() {
        return judgement.family().pairs().stream()
                .filter(pair -> judgement.changedWithoutRising(pair).isPresent())
                .count();
    }

    /** Keys of the plan's metrics that this version does not know. */
    List<String> unknown() {
        return campaign().plan().primary().stream()
                .filter(key -> Metric.of(key).isEmpty())
                .toList();
    }

    /** Loads in which an arm ran at the generator's limit, for each arm. */
    long floors() {
        return judgement.groups().stream()
                .flatMap(group -> group.all().stream())
                .mapToLong(arm -> judgement.cells().stream()
                        .filter(cell -> judgement.hasFloor(arm, cell))
                        .count())
                .sum();
    }

    /** The largest value in any cell. */
    double most(Metric metric) {
        return judgement.chosen().stream()
                .flatMap(invocation -> invocation.cells().stream())
                .flatMapToDouble(result -> result.figure(metric).stream())
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }
}
