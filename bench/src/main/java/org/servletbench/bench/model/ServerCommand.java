package org.servletbench.bench.model;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A user's own command that starts a server: at least one word, with placeholders for the port and the address on which
 * it must listen.
 */
public record ServerCommand(List<String> words) implements Serializable {

    /** Placeholder for the server's port. */
    public static final String PORT = "${port}";

    /** Placeholder for the server's address, a loopback address of its own. */
    public static final String ADDRESS = "${address}";

    /** First word of a command that runs on the arm's JDK, with its JVM options. */
    private static final String JAVA = "java";

    private static final String JAR = "-jar";

    /** Options after which a program follows, with its own arguments. */
    private static final Pattern BEFORE_PROGRAM = Pattern.compile(JAR + "|-m|--module(=.*)?");

    /** Options of the java command whose value is the next word. */
    private static final Pattern WITH_VALUE = Pattern.compile("-cp|-classpath|--class-path|-p|--(upgrade-)?module-path"
            + "|--add-(modules|exports|opens|reads)|--(limit|patch)-modules?|--enable-native-access|--source");

    /**
     * JVM options, or files of them, that change a JVM as the keys of an arm do. System properties and class paths do
     * not.
     */
    private static final Pattern OF_JVM =
            Pattern.compile("-X.*|-(javaagent|agentlib|agentpath):.*|-verbose(:.*)?|@.*|-(esa|dsa)|-(ea|da)(:.*)?"
                    + "|-(en|dis)able(assertions(:.*)?|systemassertions)");

    public ServerCommand {
        words = List.copyOf(words);
    }

    /** True if it runs on the arm's JDK, with its JVM options. */
    public boolean isJava() {
        return words.get(0).equals(JAVA);
    }

    /** Returns the words after {@code java}, or all words of another command. */
    public List<String> afterJava() {
        return words.subList(isJava() ? 1 : 0, words.size());
    }

    /**
     * Returns the position of the jar after {@code java -jar}, or of the program's own file; empty if the command names
     * none.
     */
    public Optional<Integer> file() {
        if (!isJava()) {
            return words.get(0).contains("/") ? Optional.of(0) : Optional.empty();
        }
        int at = words.indexOf(JAR) + 1;
        return at > 0 && at < words.size() ? Optional.of(at) : Optional.empty();
    }

    /**
     * Returns a JVM option before its jar or class, which the record would not show among the JVM options; empty if
     * there is none.
     */
    public Optional<String> ownJvmOption() {
        Iterator<String> left = (isJava() ? afterJava() : List.<String>of()).iterator();
        while (left.hasNext()) {
            String word = left.next();
            if (OF_JVM.matcher(word).matches()) {
                return Optional.of(word);
            }
            if (!word.startsWith("-") || BEFORE_PROGRAM.matcher(word).matches()) {
                break;
            }
            if (WITH_VALUE.matcher(word).matches() && left.hasNext()) {
                left.next();
            }
        }
        return Optional.empty();
    }

    /** Returns a placeholder for the port or the address in one of these texts; empty if there is none. */
    public static Optional<String> placeholder(List<String> texts) {
        return Stream.of(PORT, ADDRESS)
                .filter(one -> texts.stream().anyMatch(text -> text.contains(one)))
                .findFirst();
    }

    /** Returns a text of the command, or of its environment, with port and address filled in. */
    public static String filled(String text, String address, int port) {
        return text.replace(PORT, Integer.toString(port)).replace(ADDRESS, address);
    }
}
