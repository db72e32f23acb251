package org.servletbench.bench.cli;

/** Exit codes of bench.jar. Maven knows 0, 1 and 2 of them ({@link FromMaven}). */
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
