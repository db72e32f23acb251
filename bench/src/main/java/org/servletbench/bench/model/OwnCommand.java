package org.servletbench.bench.model;

/** How people call servlet-bench: as it was called. */
public final class OwnCommand {

    /** Set by {@code bin/servlet-bench}. */
    private static final String PROPERTY = "servlet-bench.command";

    /** Before the words of a command. */
    public static final String NAME = System.getProperty(PROPERTY, "java -jar bench/target/bench.jar");

    private OwnCommand() {}
}
