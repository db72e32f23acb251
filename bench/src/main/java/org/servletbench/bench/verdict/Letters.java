package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The compact letter display, by insert and absorb (Piepho, An algorithm for a letter-based representation of
 * all-pairwise comparisons, 2004): arms share a letter if and only if they were not found to differ.
 */
final class Letters {
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    private Letters() {}

    /** Arm -> its letters in alphabetical order, in the order of the arms: best first, so that the best has an a. */
    static Map<String, String> of(List<String> arms, Set<Set<String>> different) {
        // A column is the set of arms that have one letter, as bits by the arms' order.
        List<BitSet> columns = new ArrayList<>();
        BitSet all = new BitSet();
        all.set(0, arms.size());
        columns.add(all);
        for (int i = 0; i < arms.size(); i++) {
            for (int j = i + 1; j < arms.size(); j++) {
                if (different.contains(Set.of(arms.get(i), arms.get(j)))) {
                    columns = absorb(insert(columns, i, j));
                }
            }
        }
        columns.sort(Comparator.comparing(column -> column.stream().toArray(), Arrays::compare));

        Map<String, String> letters = new LinkedHashMap<>();
        for (int arm = 0; arm < arms.size(); arm++) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < columns.size(); column++) {
                if (columns.get(column).get(arm)) {
                    text.append(letter(column));
                }
            }
            letters.put(arms.get(arm), text.toString());
        }
        return letters;
    }

    /** Every column that holds both is split in two: one without the first, one without the second. */
    private static List<BitSet> insert(List<BitSet> columns, int i, int j) {
        List<BitSet> split = new ArrayList<>();
        for (BitSet column : columns) {
            if (column.get(i) && column.get(j)) {
                split.add(without(column, j));
                split.add(without(column, i));
            } else {
                split.add(column);
            }
        }
        return split;
    }

    /** A column that lies wholly in another one says nothing that the other does not. */
    private static List<BitSet> absorb(List<BitSet> columns) {
        List<BitSet> kept = new ArrayList<>();
        for (BitSet column : columns) {
            if (kept.stream().noneMatch(other -> within(column, other))) {
                kept.removeIf(other -> within(other, column));
                kept.add(column);
            }
        }
        return kept;
    }

    private static BitSet without(BitSet column, int arm) {
        BitSet rest = (BitSet) column.clone();
        rest.clear(arm);
        return rest;
    }

    private static boolean within(BitSet part, BitSet whole) {
        BitSet rest = (BitSet) part.clone();
        rest.andNot(whole);
        return rest.isEmpty();
    }

    /** After z come the capitals, and after Z, for what no campaign needs, Latin letters with accents. */
    private static char letter(int column) {
        return column < ALPHABET.length() ? ALPHABET.charAt(column) : (char) ('\u0100' + column - ALPHABET.length());
    }
}
