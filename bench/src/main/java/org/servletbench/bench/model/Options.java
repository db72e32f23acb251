package org.servletbench.bench.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options given as {@code -Dname=value}, with defaults from {@code profiles/load.properties}. Every getter checks
 * its value. It throws a {@link UsageException} with the option's name, the wrong value and an example of a right one.
 */
public final class Options {

    /** Load options without a default in {@code profiles/load.properties}. */
    private static final List<String> WITHOUT_DEFAULT =
            List.of("workloads", "loops", "model", "rate", "settings", "slo");

    private final String prefix;
    private final Map<String, String> given;
    private final Map<String, String> defaults;

    /** Creates options that messages show with {@code -D}; see the other constructor. */
    public Options(Map<String, String> given, Map<String, String> defaults) {
        this("-D", given, defaults);
    }

    /**
     * @param prefix prefix of options in messages: {@code -D} or {@code --}
     *
     * @param given values from the user; blank ones count as not given, like a Maven property that was left empty
     * @param defaults values of options that were not given
     */
    public Options(String prefix, Map<String, String> given, Map<String, String> defaults) {
        this.prefix = prefix;
        this.given = given.entrySet().stream()
                .filter(entry -> !entry.getValue().isBlank())
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().strip()));
        this.defaults = Map.copyOf(defaults);
    }

    /**
     * Returns the JVM's system properties as options, with the defaults of {@code folder}.
     *
     * @param others properties that are not options here
     * @throws UsageException if an option of the load is empty, as with an unset variable of a shell; the default would
     *     mislead
     */
    public static Options ofSystemProperties(ProfilesFolder folder, Set<String> others) {
        Map<String, String> given = ProfilesFolder.asMap(System.getProperties());
        given.keySet().removeAll(others);
        Stream.concat(folder.loadDefaults().keySet().stream(), WITHOUT_DEFAULT.stream())
                .filter(name -> given.getOrDefault(name, "none").isBlank())
                .findFirst()
                .map(name -> "-D" + name + " has an empty value")
                .ifPresent(UsageException::raise);
        return new Options(given, folder.loadDefaults());
    }

    /** Returns these options, with these values for options that were not given. */
    public Options orElse(Map<String, String> values) {
        Map<String, String> all = new TreeMap<>(values);
        all.putAll(given);
        return new Options(prefix, all, defaults);
    }

    /** Returns all values in force, sorted by name. */
    public Map<String, String> all() {
        Map<String, String> all = new TreeMap<>(defaults);
        all.putAll(given);
        return all;
    }

    /** True if the user gave this option. A default does not count. */
    public boolean isGiven(String name) {
        return given.containsKey(name);
    }

    /** Returns the given value, or the default. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(given.getOrDefault(name, defaults.get(name)));
    }

    /** Returns the given value, or the default. Throws a UsageException if there is neither. */
    public String required(String name) {
        return text(name).orElseThrow(() -> new UsageException(prefix + name + "=… is needed here"));
    }

    /** Returns a duration such as {@code 500ms}, {@code 10s} or {@code 2m}. Zero is allowed. */
    public Duration duration(String name) {
        return parse(name, "a time with its unit, such as 10s, 500ms or 2m", value -> new Time(value).duration());
    }

    /** Returns a duration longer than zero. */
    public Duration positive(String name) {
        Duration duration = duration(name);
        if (duration.isZero()) {
            throw new UsageException(prefix + name + " must be longer than zero");
        }
        return duration;
    }

    /** Returns a duration as it was written. */
    public Time time(String name) {
        duration(name);
        return new Time(required(name));
    }

    /** Returns a whole number from {@code low} to {@code high}, inclusive. */
    public int integer(String name, int low, int high) {
        return parse(name, Bounds.wholes(low, high), value -> inRange(value, low, high));
    }

    /** Returns at least one whole number from {@code low} to {@code high}, inclusive, from a comma-separated list. */
    public List<Integer> integers(String name, int low, int high) {
        return parse(
                name,
                "whole numbers from " + low + " to " + high + " with commas between, such as 5,10",
                value -> names0(value).stream()
                        .map(part -> inRange(part, low, high))
                        .toList());
    }

    private static int inRange(String value, int low, int high) {
        int number = Integer.parseInt(value);
        if (number < low || number > high) {
            throw new IllegalArgumentException(value);
        }
        return number;
    }

    /** Returns a finite decimal number from {@code low} to {@code high}, inclusive. */
    public double decimal(String name, double low, double high) {
        return parse(name, Bounds.decimals(low, high), value -> {
            double number = Double.parseDouble(value);
            if (!(number >= low && number <= high)) {
                throw new IllegalArgumentException(value);
            }
            return number;
        });
    }

    /** Returns a switch. It is false if it was not given, and true if it was given without a value. */
    public boolean flag(String name) {
        return text(name).isPresent()
                && parse(name, "true or false", value -> switch (value) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException(value);
                });
    }

    /** Returns at least one name from a comma-separated list. */
    public List<String> names(String name) {
        return parse(name, "names with commas between", Options::names0);
    }

    /**
     * Returns a list after checking it for duplicates. A value named twice is a mistake, or would be measured twice.
     */
    public <T> List<T> requireDistinct(String name, List<T> values) {
        return Bounds.distinct(prefix + name, values);
    }

    private static List<String> names0(String value) {
        List<String> parts =
                Arrays.stream(value.split(",", -1)).map(String::strip).toList();
        if (parts.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException(value);
        }
        return parts;
    }

    private <T> T parse(String name, String wanted, Function<String, T> parser) {
        String value = required(name);
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw Bounds.wrong(prefix + name, value, wanted);
        }
    }
}
