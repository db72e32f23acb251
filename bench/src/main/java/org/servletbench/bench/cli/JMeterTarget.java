package org.servletbench.bench.cli;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;

/** A target as JMeter sees it. */
record JMeterTarget(Target target) implements JMeterRun.Server {

    @Override
    public URI url() {
        return target.url();
    }

    @Override
    public String description() {
        return target.description();
    }

    @Override
    public Optional<String> death() {
        return target.death();
    }

    @Override
    public OptionalLong jitMillis() {
        return target.jitMillis();
    }

    @Override
    public void loadedBy(ProcessHandle generator) {
        target.watchGenerator(generator);
    }

    /** Notes how the warm-up went that JMeter ran. */
    void warmedUp(JMeterRun.WarmUp seen, WarmUpPlan plan) {
        if (!plan.isWanted()) {
            target.warmedUp(new WarmUp.Outcome(false, WarmUp.NOT_WANTED, 0, List.of()));
            return;
        }
        target.warmedUp(new WarmUp.Outcome(
                seen.settled(),
                seen.settled() ? WarmUp.SETTLED : WarmUp.notSettled(plan),
                seen.seconds(),
                seen.bursts().stream()
                        .map(burst -> new WarmUp.Burst(burst.requestsPerSecond(), burst.jitPercent()))
                        .toList()));
    }
}
