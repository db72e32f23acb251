package org.servletbench.bench.server;

import java.io.IOException;
import java.util.Optional;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.WarmCode;

/** Samples the kinds of code that one server runs, during a warm-up or at the start of a load. */
public final class CodeWatch {

    private final Target target;
    private Optional<WarmCode> code = Optional.empty();
    private boolean sampling;

    public CodeWatch(Target target) {
        this.target = target;
    }

    /** Starts sampling. If the code cannot be sampled, {@link #look} is empty. */
    public synchronized void start() {
        try {
            target.startCode();
            sampling = true;
            code = Optional.of(new WarmCode(target.topTier()));
        } catch (IOException e) {
            code = Optional.empty();
        }
    }

    /** Returns the samples since the last look; empty if the code cannot be sampled, or no longer can. */
    public synchronized Optional<WarmCode> look() {
        try {
            if (code.isPresent()) {
                CodeTiers more = target.code();
                code.get().add(more);
            }
        } catch (IOException e) {
            code = Optional.empty();
        }
        return code;
    }

    /** Returns the result of the last look; empty if the code cannot be sampled. */
    public synchronized Optional<WarmCode> seen() {
        return code;
    }

    /**
     * Stops sampling while something is counted, and keeps the last result. Never disturbs a server that is not
     * sampled.
     */
    public synchronized void stop() {
        if (sampling) {
            sampling = false;
            target.stopCode();
        }
    }
}
