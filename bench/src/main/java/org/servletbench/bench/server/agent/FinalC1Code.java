package org.servletbench.bench.server.agent;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Lists the methods whose code of C1 is final, as {@code jcmd PID Compiler.codelist} shows them. HotSpot compiles a
 * method that only returns a field or a constant once, at level 1, because C2 could do no better.
 */
final class FinalC1Code {

    /** Key of {@link #methods} in an answer. */
    static final String METHODS = "compiler.final";

    /** Levels of C1's code that counts calls, so that C2 can replace it. */
    private static final Set<String> REPLACEABLE = Set.of("2", "3");

    private FinalC1Code() {}

    /**
     * Returns the methods in a list of compiled code, separated by blanks: {@code java/util/ArrayList.size}. A method is
     * left out if another one of its name may still be replaced.
     *
     * @param list a line for each compiled method: its number, level and state, its name and its addresses
     */
    static String methods(String list) {
        Set<String> simple = new LinkedHashSet<>();
        Set<String> others = new LinkedHashSet<>();
        list.lines().forEach(line -> {
            String[] parts = line.split(" ", 5);
            int end = parts.length < 4 ? -1 : parts[3].indexOf('(');
            int dot = end < 0 ? -1 : parts[3].lastIndexOf('.', end);
            if (dot > 0) {
                String name = parts[3].substring(0, dot).replace('.', '/') + parts[3].substring(dot, end);
                if (parts[1].equals("1")) {
                    simple.add(name);
                } else if (REPLACEABLE.contains(parts[1])) {
                    others.add(name);
                }
            }
        });
        simple.removeAll(others);
        return String.join(" ", simple);
    }
}
