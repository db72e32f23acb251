package org.servletbench.bench.model;

/** The command that started servlet-bench, for messages. */
public final class OwnCommand {

    /** Set by {@code bin/servlet-bench}. */
    private static final String PROPERTY = "servlet-bench.command";

    /** Prefix of a command. */
    public static final String NAME = System.getProperty(PROPERTY, "java -jar bench/target/bench.jar");

    private OwnCommand() {}
}
