package org.servletbench.bench.model;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Command of the user's own that starts a server: words, at least one, with placeholders for the port and the address on which it must
 * listen.
 */
public record ServerCommand(List<String> words) implements Serializable {

    /** Placeholder: the port of the server. */
    public static final String PORT = "${port}";

    /** Placeholder: the address of the server, a loopback address of its own. */
    public static final String ADDRESS = "${address}";

    /** First word of a command that runs on the arm's JDK, with its JVM options. */
    private static final String JAVA = "java";

    private static final String JAR = "-jar";

    /** Options of a JVM, or files with some, that change it as the keys of an arm do; system properties and class paths do not. */
    private static final Pattern OF_JVM = Pattern.compile("-X.*|-(javaagent|agentlib|agentpath):.*|@.*");

    /** Copies the list. */
    public ServerCommand {
        words = List.copyOf(words);
    }

    /** True if it runs on the arm's JDK, with its JVM options. */
    public boolean isJava() {
        return words.get(0).equals(JAVA);
    }

    /** Returns the words after {@code java}; all words of another command. */
    public List<String> afterJava() {
        return words.subList(isJava() ? 1 : 0, words.size());
    }

    /** Returns the position of the jar that it starts with {@code java -jar}, or of the program's own file; empty if it names none. */
    public Optional<Integer> file() {
        if (!isJava()) {
            return words.get(0).contains("/") ? Optional.of(0) : Optional.empty();
        }
        int at = words.indexOf(JAR) + 1;
        return at > 0 && at < words.size() ? Optional.of(at) : Optional.empty();
    }

    /** Returns an option of the JVM before its jar or class, which the record would not show among the JVM's options; empty if none. */
    public Optional<String> ownJvmOption() {
        return !isJava()
                ? Optional.empty()
                : afterJava().stream()
                        .takeWhile(word -> word.startsWith("-") && !word.equals(JAR) || word.startsWith("@"))
                        .filter(word -> OF_JVM.matcher(word).matches())
                        .findFirst();
    }

    /** Returns a text of the command, or of its environment, with the port and the address instead of their placeholders. */
    public static String filled(String text, String address, int port) {
        return text.replace(PORT, Integer.toString(port)).replace(ADDRESS, address);
    }
}
