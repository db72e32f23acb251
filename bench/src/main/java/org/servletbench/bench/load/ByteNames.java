package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers for texts, found by their UTF-8 bytes: no string is made for a text that came before. */
public final class ByteNames {
    /** Gives a new text its number. */
    public interface Numbering {
        int number(String text) throws IOException;
    }

    private final Numbering numbering;
    private final int most;
    private byte[][] texts = new byte[64][];
    private int[] numbers = new int[64];
    private int size;
    private byte[] lastText = {};
    private int lastNumber = -1;

    /** @param most texts that are kept; for further ones the numbering is asked each time */
    public ByteNames(int most, Numbering numbering) {
        this.most = most;
        this.numbering = numbering;
    }

    public int number(byte[] bytes, int from, int to) throws IOException {
        if (lastNumber >= 0 && Arrays.equals(bytes, from, to, lastText, 0, lastText.length)) {
            return lastNumber;
        }
        int slot = slot(texts, bytes, from, to);
        if (texts[slot] == null) {
            byte[] text = Arrays.copyOfRange(bytes, from, to);
            int number = numbering.number(new String(text, StandardCharsets.UTF_8));
            if (size == most) {
                return number;
            }
            if (2 * ++size > texts.length) {
                grow();
                slot = slot(texts, text, 0, text.length);
            }
            texts[slot] = text;
            numbers[slot] = number;
        }
        lastText = texts[slot];
        lastNumber = numbers[slot];
        return lastNumber;
    }

    private void grow() {
        byte[][] wider = new byte[2 * texts.length][];
        int[] widerNumbers = new int[wider.length];
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] != null) {
                int slot = slot(wider, texts[i], 0, texts[i].length);
                wider[slot] = texts[i];
                widerNumbers[slot] = numbers[i];
            }
        }
        texts = wider;
        numbers = widerNumbers;
    }

    private static int slot(byte[][] texts, byte[] bytes, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = (hash ^ hash >>> 16) & (texts.length - 1);
        while (texts[slot] != null && !Arrays.equals(bytes, from, to, texts[slot], 0, texts[slot].length)) {
            slot = (slot + 1) & (texts.length - 1);
        }
        return slot;
    }
}
