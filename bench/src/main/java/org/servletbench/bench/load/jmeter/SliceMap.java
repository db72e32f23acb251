package org.servletbench.bench.load.jmeter;

import java.util.Arrays;

/**
 * A map whose keys are parts of a char array. A look-up creates no string, and reads three places of memory. Entries
 * are never removed.
 */
final class SliceMap<V extends SliceMap.Entry> {
    /** A value that is looked up by its own text. */
    abstract static class Entry {
        private char[] text;
        private int hash;
    }

    private static final int FACTOR = 31;
    private static final int FACTOR_2 = FACTOR * FACTOR;
    private static final int FACTOR_3 = FACTOR * FACTOR_2;
    private static final int FACTOR_4 = FACTOR * FACTOR_3;

    private Entry[] entries = new Entry[64];
    private int size;

    int size() {
        return size;
    }

    /** Returns the value for a text; null if there is none. */
    @SuppressWarnings("unchecked")
    V get(char[] text, int from, int to) {
        return (V) entries[place(text, from, to, hash(text, from, to))];
    }

    /** Adds a text that is not yet in the map. */
    void add(char[] text, int from, int to, V value) {
        if (2 * ++size > entries.length) {
            grow();
        }
        Entry entry = value;
        entry.text = Arrays.copyOfRange(text, from, to);
        entry.hash = hash(text, from, to);
        put(entry);
    }

    private void put(Entry entry) {
        entries[place(entry.text, 0, entry.text.length, entry.hash)] = entry;
    }

    private void grow() {
        Entry[] old = entries;
        entries = new Entry[2 * old.length];
        for (Entry entry : old) {
            if (entry != null) {
                put(entry);
            }
        }
    }

    /** Returns the place of the text, or the free place where it belongs. */
    private int place(char[] text, int from, int to, int hash) {
        int place = hash & entries.length - 1;
        Entry entry = entries[place];
        while (entry != null
                && !(entry.hash == hash && Arrays.equals(entry.text, 0, entry.text.length, text, from, to))) {
            place = place + 1 & entries.length - 1;
            entry = entries[place];
        }
        return place;
    }

    /**
     * Returns the hash of a string with its bits mixed. It is computed for four characters at a time, because each
     * multiplication waits for the one before.
     */
    private static int hash(char[] text, int from, int to) {
        int hash = 0;
        int i = from;
        for (; i < to - 3; i += 4) {
            hash = FACTOR_4 * hash + FACTOR_3 * text[i] + FACTOR_2 * text[i + 1] + FACTOR * text[i + 2] + text[i + 3];
        }
        for (; i < to; i++) {
            hash = FACTOR * hash + text[i];
        }
        hash *= 0x9E3779B9;
        return hash ^ hash >>> 16;
    }
}
