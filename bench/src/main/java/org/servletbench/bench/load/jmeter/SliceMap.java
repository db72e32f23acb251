package org.servletbench.bench.load.jmeter;

import java.util.Arrays;

/** Values by text that is a part of an array: to look one up makes no string. Nothing is removed. */
final class SliceMap<V> {
    private char[][] keys = new char[64][];
    private int[] hashes = new int[keys.length];
    private Object[] values = new Object[keys.length];
    private int size;

    int size() {
        return size;
    }

    /** Null where there is none. */
    @SuppressWarnings("unchecked")
    V get(char[] text, int from, int to) {
        return (V) values[place(text, from, to, hash(text, from, to))];
    }

    /** For a text that is not there yet. */
    void add(char[] text, int from, int to, V value) {
        if (2 * ++size > keys.length) {
            grow();
        }
        int hash = hash(text, from, to);
        put(Arrays.copyOfRange(text, from, to), hash, value);
    }

    private void put(char[] key, int hash, Object value) {
        int place = place(key, 0, key.length, hash);
        keys[place] = key;
        hashes[place] = hash;
        values[place] = value;
    }

    private void grow() {
        char[][] oldKeys = keys;
        int[] oldHashes = hashes;
        Object[] oldValues = values;
        keys = new char[2 * oldKeys.length][];
        hashes = new int[keys.length];
        values = new Object[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null) {
                put(oldKeys[i], oldHashes[i], oldValues[i]);
            }
        }
    }

    /** Where the text is, or the free place where it belongs. */
    private int place(char[] text, int from, int to, int hash) {
        int place = hash & keys.length - 1;
        while (keys[place] != null
                && !(hashes[place] == hash && Arrays.equals(keys[place], 0, keys[place].length, text, from, to))) {
            place = place + 1 & keys.length - 1;
        }
        return place;
    }

    private static int hash(char[] text, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        hash *= 0x9E3779B9;
        return hash ^ hash >>> 16;
    }
}
