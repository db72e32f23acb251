package org.servletbench.bench.measure;

import java.util.Arrays;

/**
 * The best code into which a JVM compiles a method under its options. A server is warm when its threads run hardly
 * anything else.
 */
public enum TopTier {
    /** With {@code -Xint}, nothing is compiled. */
    INTERPRETER("the interpreter"),
    /** {@code -XX:TieredStopAtLevel=1} to {@code 3}, or {@code -XX:CompilationMode=quick-only}. */
    C1("C1"),
    C2("C2"),
    /** Graal, or another compiler behind the JVM compiler interface, instead of C2. */
    JVMCI("the JVMCI compiler");

    /** Key in a server's facts. */
    public static final String FACT = "jvm.top-tier";

    private final String title;

    TopTier(String title) {
        this.title = title;
    }

    /** Returns the name for use in a sentence. */
    public String title() {
        return title;
    }

    /** True if the JVM's options keep it below the usual tier of servers. */
    public boolean isLimited() {
        return this == INTERPRETER || this == C1;
    }

    /** Returns the tier with this name; {@link #C2} if none was reported. */
    public static TopTier named(String name) {
        return Arrays.stream(values())
                .filter(tier -> tier.name().equals(name))
                .findFirst()
                .orElse(C2);
    }
}
