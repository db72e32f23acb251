package org.servletbench.bench.server;

import java.io.IOException;
import java.util.Optional;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.WarmCode;

/** Samples which kinds of code one server runs, as long as that can be seen: during a warm-up, or as a load begins. */
public final class CodeWatch {

    private final Target target;
    private Optional<WarmCode> code = Optional.empty();

    public CodeWatch(Target target) {
        this.target = target;
    }

    /** Begins; where the code cannot be seen, {@link #look} is empty. */
    public synchronized void start() {
        try {
            target.startCode();
            code = Optional.of(new WarmCode(target.topTier()));
        } catch (IOException e) {
            code = Optional.empty();
        }
    }

    /** Looks at the samples since the last look; empty where the code cannot be seen, or not any more. */
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

    /** Returns what the last look has shown; empty where the code cannot be seen. */
    public synchronized Optional<WarmCode> seen() {
        return code;
    }

    /** Ends it, for as long as something is counted; what was seen stays. */
    public synchronized void stop() {
        target.stopCode();
    }
}
