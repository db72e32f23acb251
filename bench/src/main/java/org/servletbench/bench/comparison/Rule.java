package org.servletbench.bench.comparison;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A rule that involves several keys.
 *
 * @param key the wrong key, below the checked path; empty if it is that path itself
 * @param broken returns true for a violation
 * @param message text after the path
 */
record Rule<T>(String key, Predicate<T> broken, Function<T, String> message) {

    static <T> Rule<T> of(String key, Predicate<T> broken, String message) {
        return new Rule<>(key, broken, what -> message);
    }

    static <T> Rule<T> of(String key, Predicate<T> broken, Function<T, String> message) {
        return new Rule<>(key, broken, message);
    }

    /** Returns a rule for each of these keys: where the key is given, the condition must not hold. */
    static <T extends Record> Stream<Rule<T>> ofEach(List<String> keys, Predicate<T> broken, String message) {
        return keys.stream()
                .map(key -> of(key, what -> Keys.texts(what, " ").containsKey(key) && broken.test(what), message));
    }

    /** Checks a whole file. */
    static <T> void check(List<Rule<T>> rules, T what, Tree tree) {
        check(rules, what, tree, "");
    }

    /** @throws org.servletbench.bench.model.UsageException for the first rule that is broken */
    static <T> void check(List<Rule<T>> rules, T what, Tree tree, String path) {
        for (Rule<T> rule : rules) {
            if (rule.broken.test(what)) {
                String full = rule.key.isEmpty() ? path : Tree.join(path, rule.key);
                throw tree.wrong(full, "'" + full + "'" + rule.message.apply(what));
            }
        }
    }
}
