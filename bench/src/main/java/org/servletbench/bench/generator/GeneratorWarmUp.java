package org.servletbench.bench.generator;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.servletbench.bench.model.WarmUpPlan;

/**
 * The generator's own warm-up, with bursts to one server after the other, until the bursts stop rising. Its users call
 * it in their loops, from several threads.
 */
public final class GeneratorWarmUp {

    private final Schedule.WarmUp plan;
    private final int servers;
    private final LongSupplier nanos;
    private final Consumer<String> say;
    private final AtomicInteger burst = new AtomicInteger();
    private final LongAdder answers = new LongAdder();
    private final List<Double> rates = new ArrayList<>();
    private boolean began;
    private boolean warm;
    private long endNanos;
    private long burstEndNanos;

    /**
     * @param servers number of servers, which receive bursts in turn, at least 1
     * @param say receives a line after each burst
     */
    public GeneratorWarmUp(Schedule.WarmUp plan, int servers, Consumer<String> say) {
        this(plan, servers, System::nanoTime, say);
    }

    /**
     * @param nanos a clock that never goes back, ns
     */
    GeneratorWarmUp(Schedule.WarmUp plan, int servers, LongSupplier nanos, Consumer<String> say) {
        this.plan = plan;
        this.servers = servers;
        this.nanos = nanos;
        this.say = say;
    }

    /**
     * True if the warm-up continues. The first call begins the first burst; a call after the end of a burst counts it.
     */
    public synchronized boolean isRunning() {
        long now = nanos.getAsLong();
        if (!began) {
            began = true;
            endNanos = now + plan.limitMs() * 1_000_000;
            burstEndNanos = now + plan.burstMs() * 1_000_000;
        } else if (!warm && now >= burstEndNanos) {
            rates.add(answers.sumThenReset() / (plan.burstMs() / 1000.0));
            say.accept(text(
                    "servlet-bench: generator warm-up burst %d: %.0f requests/s",
                    rates.size(), rates.get(rates.size() - 1)));
            burst.incrementAndGet();
            burstEndNanos = now + plan.burstMs() * 1_000_000;
            warm = WarmUpPlan.isFlat(rates, plan.flatBursts(), plan.risePercent()) || now >= endNanos;
        }
        return !warm;
    }

    /** Returns the index of the server that receives this burst. */
    public int server() {
        return burst.get() % servers;
    }

    public void answered() {
        answers.increment();
    }
}
