package org.servletbench.bench.cli;

/** Exit codes of bench.jar. Builds by Maven end with 0, 1 or 2 only ({@link FromMaven}). */
enum Exit {
    DONE("done"),
    FAILED("could not be done"),
    USAGE("bad usage"),
    NOT_AS_CLAIMED("a claim does not hold"),
    CONTROL_BROKEN("the A/A check failed: two copies of one server came out different");

    private final String words;

    Exit(String words) {
        this.words = words;
    }

    int code() {
        return ordinal();
    }

    String words() {
        return words;
    }
}
