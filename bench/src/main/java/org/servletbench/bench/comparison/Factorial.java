package org.servletbench.bench.comparison;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The design of a comparison with factors.
 *
 * @param combinations level of each factor, in the factors' order, by the id of the arm. These are all combinations, or
 *     half of them
 * @param beside ids of arms that no factor makes. Each is compared with the first combination, from which it differs
 *     only by its own keys
 */
public record Factorial(List<Factor> factors, Map<String, List<String>> combinations, List<String> beside) {

    /**
     * Minimum number of factors, all with two levels, for running only half of the combinations. From here on, half of
     * them still distinguish each factor and each pair from all others.
     */
    static final int HALVED = 5;

    /** A property in which arms differ, with the names of its values. An effect compares a level with the first one. */
    public record Factor(String name, List<String> levels) {
        public Factor {
            levels = List.copyOf(levels);
        }
    }

    public Factorial {
        factors = List.copyOf(factors);
        combinations = new LinkedHashMap<>(combinations);
        beside = List.copyOf(beside);
    }

    /** Returns the number of combinations that run. Large numbers are not exact. */
    static double number(List<Factor> factors) {
        return factors.stream()
                .mapToDouble(factor -> factor.levels().size())
                .reduce(isHalved(factors) ? 0.5 : 1, (a, b) -> a * b);
    }

    /** Returns the combinations that run: all, or those in which an even number of factors has its other level. */
    static List<List<String>> combinations(List<Factor> factors) {
        List<List<String>> all = List.of(List.of());
        for (Factor factor : factors) {
            all = all.stream()
                    .flatMap(before -> factor.levels().stream()
                            .map(level -> Stream.concat(before.stream(), Stream.of(level))
                                    .toList()))
                    .toList();
        }
        return !isHalved(factors)
                ? all
                : all.stream()
                        .filter(levels -> others(factors, levels) % 2 == 0)
                        .toList();
    }

    private static long others(List<Factor> factors, List<String> levels) {
        return IntStream.range(0, levels.size())
                .filter(i -> !levels.get(i).equals(factors.get(i).levels().get(0)))
                .count();
    }

    /** True if this is a design of these arms. A record may come from someone else. */
    public boolean isOf(List<String> arms) {
        return !factors.isEmpty()
                && factors.stream().allMatch(factor -> new HashSet<>(factor.levels()).size() > 1)
                && number(factors) == combinations.size()
                && new HashSet<>(combinations(factors)).equals(new HashSet<>(combinations.values()))
                && arms.containsAll(combinations.keySet())
                && arms.containsAll(beside);
    }

    /** True if only half of all combinations run. */
    static boolean isHalved(List<Factor> factors) {
        return factors.size() >= HALVED
                && factors.stream().allMatch(factor -> factor.levels().size() == 2);
    }

    /**
     * True if only half of the combinations run. Each effect is then mixed with the effect of all other factors
     * together.
     */
    public boolean isHalf() {
        return isHalved(factors);
    }

    /** Returns the id of the arm that has the first level of each factor. */
    public String first() {
        return arms(levels -> levels.equals(
                        factors.stream().map(factor -> factor.levels().get(0)).toList()))
                .get(0);
    }

    private List<String> arms(Predicate<List<String>> which) {
        return combinations.entrySet().stream()
                .filter(one -> which.test(one.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns all effects: of the arms beside the factors, of each factor, and of each pair of factors. */
    public List<Effect> effects() {
        List<Effect> effects = new ArrayList<>();
        beside.forEach(arm -> effects.add(
                new Effect(Effect.Kind.ARM, first() + " instead of " + arm, List.of(first()), List.of(arm))));
        for (int one = 0; one < factors.size(); one++) {
            int at = one;
            others(one)
                    .forEach(level -> effects.add(new Effect(
                            Effect.Kind.FACTOR,
                            factors.get(at).name() + ": "
                                    + factors.get(at).levels().get(0) + " → " + level,
                            arms(levels -> levels.get(at).equals(level)),
                            arms(levels -> isFirst(levels, at)))));
        }
        for (int one = 0; one < factors.size(); one++) {
            for (int other = one + 1; other < factors.size(); other++) {
                effects.addAll(pairs(one, other));
            }
        }
        return List.copyOf(effects);
    }

    private List<Effect> pairs(int one, int other) {
        String name = factors.get(one).name() + " × " + factors.get(other).name();
        boolean several = others(one).count() * others(other).count() > 1;
        return others(one)
                .flatMap(level -> others(other).map(second -> {
                    Predicate<List<String>> oneDiffers =
                            levels -> levels.get(one).equals(level);
                    Predicate<List<String>> otherDiffers =
                            levels -> levels.get(other).equals(second);
                    Predicate<List<String>> oneIsFirst = levels -> isFirst(levels, one);
                    Predicate<List<String>> otherIsFirst = levels -> isFirst(levels, other);
                    return new Effect(
                            Effect.Kind.PAIR,
                            several ? name + ": " + level + ", " + second : name,
                            arms(oneDiffers.and(otherDiffers).or(oneIsFirst.and(otherIsFirst))),
                            arms(oneDiffers.and(otherIsFirst).or(oneIsFirst.and(otherDiffers))));
                }))
                .toList();
    }

    private boolean isFirst(List<String> levels, int factor) {
        return levels.get(factor).equals(factors.get(factor).levels().get(0));
    }

    /** Returns the levels of a factor except the first. */
    private Stream<String> others(int factor) {
        return factors.get(factor).levels().stream().skip(1);
    }
}
