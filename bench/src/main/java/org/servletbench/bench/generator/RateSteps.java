package org.servletbench.bench.generator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Slo;

/**
 * Schedules the requests of a search for a generator's users. The search consists of steps, one after the other, each
 * at a rate that {@link RateSearch} chooses. A step begins with a ramp that is not judged, and ends as soon as its
 * objective is missed for certain. The next step begins a second after the last answer, so the server's queue is empty.
 *
 * <p>The model is open: a request is due at its time, whatever was answered before, and its response time counts from
 * then. Any free user sends it. There are more users than requests that can be in flight without missing the objective,
 * so a server's delay never holds a request back.
 */
public final class RateSteps {

    /** Time between two steps, ms. Waiting users check again meanwhile. */
    private static final long REST_MS = 1000;

    private static final long LOOK_MS = 500;

    /**
     * Minimum share of missing answers with which a server does not keep up. It is less than the audit of a rate
     * allows.
     */
    private static final double BEHIND = 0.015;

    /**
     * The task of a user.
     *
     * @param name name of the request; empty if none is due now
     * @param dueNanos time to send it
     */
    public record Ticket(String name, long dueNanos, boolean judged, int step) {}

    private final Schedule.Search plan;
    private final LongSupplier nanos;
    private final Consumer<String> say;
    private final Path file;
    private final List<RateSearch.Tried> tried = new ArrayList<>();
    private Step step;
    private boolean over;

    /**
     * @param folder folder for the trials, see {@link #read}
     * @param say receives a line when a step begins and when it ends
     */
    public RateSteps(Schedule.Search plan, Path folder, Consumer<String> say) {
        this(plan, folder, System::nanoTime, say);
    }

    RateSteps(Schedule.Search plan, Path folder, LongSupplier nanos, Consumer<String> say) {
        this.plan = plan;
        this.file = file(folder, plan.endpoint().name());
        this.nanos = nanos;
        this.say = say;
    }

    private static Path file(Path folder, String server) {
        return folder.resolve(name(server));
    }

    /** Returns the name of the file with the trials of a server. */
    public static String name(String server) {
        return "steps-" + server + ".json";
    }

    /**
     * Reads the rates that were tried at a server, in order.
     *
     * @throws IOException if the server's file is missing or damaged
     */
    public static List<RateSearch.Tried> read(Path folder, String server) throws IOException {
        return List.of(Json.read(file(folder, server), RateSearch.Tried[].class));
    }

    /** The rate that is being tried. */
    private final class Step {
        final String name;
        final double rate;
        final long fromNanos;
        final long judgedFromNanos;
        final long endNanos;
        final double perNano;
        final long[] slow = new long[plan.slo().limits().size()];
        long taken;
        long underWay;
        long judgedUnderWay;
        long failed;
        /**
         * Number of requests sent in the second half of the hold, when the fewer requests of the ramp have been
         * answered.
         */
        long sent;
        /** Number of answers in the same time. It equals the number of sent requests, unless a queue builds up. */
        long answered;

        boolean lost;

        Step(double rate, long fromNanos) {
            this.rate = rate;
            this.fromNanos = fromNanos;
            judgedFromNanos = fromNanos + plan.rampUpMs() * 1_000_000;
            endNanos = judgedFromNanos + plan.holdMs() * 1_000_000;
            perNano = rate / 1e9;
            name = plan.endpoint().name() + " step " + (tried.size() + 1) + " "
                    + new Load(plan.workload(), 0, rate).name();
        }

        /** Returns when a request is due. In the ramp, the rate rises evenly. */
        long due(long number) {
            double ramp = judgedFromNanos - fromNanos;
            double inRamp = perNano * ramp / 2;
            return number < inRamp
                    ? fromNanos + (long) Math.sqrt(2 * ramp * number / perNano)
                    : judgedFromNanos + (long) ((number - inRamp) / perNano);
        }

        boolean isOpen(long now) {
            return !lost && now < endNanos;
        }

        private long halfNanos() {
            return judgedFromNanos + (endNanos - judgedFromNanos) / 2;
        }

        boolean isInSecondHalf(long now) {
            return now >= halfNanos() && now < endNanos;
        }

        /** True if all requests were sent in time, but fewer were answered. An answer at each end may be missing. */
        boolean isBehind() {
            double due = perNano * (endNanos - halfNanos());
            return sent >= (1 - BEHIND) * due && answered < sent - Math.max(2, BEHIND * sent);
        }

        /**
         * Judges a step as lost once the number of requests that took too long or certainly will, or that failed,
         * exceeds what is allowed for the whole hold.
         */
        void judge() {
            double all = rate * plan.holdMs() / 1e3;
            lost |= failed > 0 && failed >= plan.slo().errors() * all;
            for (int i = 0; i < slow.length; i++) {
                Slo.Limit limit = plan.slo().limits().get(i);
                double bound = Math.max(0, judgedUnderWay - rate * limit.ms() / 1e3);
                lost |= slow[i] + bound > limit.share() * all;
            }
        }
    }

    public synchronized boolean isRunning() {
        return !over;
    }

    /** Returns the next request, or the time until the next check if none is due. */
    public synchronized Ticket take() {
        long now = nanos.getAsLong();
        if (step != null && !step.isOpen(now) && step.underWay == 0) {
            boolean behind = !step.lost && step.isBehind();
            tried.add(new RateSearch.Tried(step.name, step.rate, !step.lost && !behind, behind));
            say.accept(Schedule.STEP_END + step.name);
            write();
            step = null;
        }
        if (step == null && !over) {
            OptionalDouble rate = plan.rates().next(tried);
            over = rate.isEmpty();
            if (!over) {
                step = new Step(rate.getAsDouble(), now + REST_MS * 1_000_000);
                say.accept(Schedule.STEP + step.name);
            }
        }
        if (over) {
            return new Ticket("", now, false, tried.size());
        }
        long due = step.due(step.taken);
        if (!step.isOpen(now) || due >= step.endNanos) {
            return new Ticket("", Math.max(step.lost ? now : step.endNanos, now) + LOOK_MS * 1_000_000, false, 0);
        }
        step.taken++;
        return new Ticket(step.name, due, due >= step.judgedFromNanos, tried.size());
    }

    /** Returns the time to wait before the request is sent, ms. It is never sent before its time. */
    public long waitMs(Ticket ticket) {
        return Math.max(0, -Math.floorDiv(nanos.getAsLong() - ticket.dueNanos, 1_000_000));
    }

    /** True if the ticket must still be sent; it then counts as in flight. */
    public synchronized boolean sends(Ticket ticket) {
        if (ticket.name.isEmpty() || step == null || ticket.step != tried.size() || step.lost) {
            return false;
        }
        step.underWay++;
        if (ticket.judged) {
            step.sent += step.isInSecondHalf(nanos.getAsLong()) ? 1 : 0;
            step.judgedUnderWay++;
            step.judge();
        }
        return true;
    }

    /** Counts a request that was answered or failed. */
    public synchronized void ended(Ticket ticket, boolean failed) {
        step.underWay--;
        long now = nanos.getAsLong();
        step.answered += step.isInSecondHalf(now) ? 1 : 0;
        if (ticket.judged) {
            step.judgedUnderWay--;
            step.failed += failed ? 1 : 0;
            long ms = (now - ticket.dueNanos) / 1_000_000;
            for (int i = 0; i < step.slow.length; i++) {
                step.slow[i] += ms >= plan.slo().limits().get(i).ms() ? 1 : 0;
            }
            step.judge();
        }
    }

    private void write() {
        try {
            Json.MAPPER.writeValue(file.toFile(), tried);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
