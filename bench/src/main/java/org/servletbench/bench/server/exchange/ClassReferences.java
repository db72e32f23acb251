package org.servletbench.bench.server.exchange;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UTFDataFormatException;
import java.util.ArrayList;
import java.util.List;
import org.servletbench.bench.model.Text;

/** Reads the names of the classes to which a class file refers, from the constant pool (JVMS §4.4) only. */
final class ClassReferences {

    private static final int MAGIC = 0xCAFEBABE;
    /** Maximum amount of text in one class file. A small compressed entry could contain much more. */
    private static final int MOST_TEXT = 16 << 20;

    private ClassReferences() {}

    /**
     * Returns the names of these classes.
     *
     * @return internal names, such as {@code org/apache/catalina/Valve}; empty if it is not a class file
     * @throws IOException if it ends early, or has more text than any real class
     */
    static List<String> in(InputStream classFile, String name) throws IOException {
        try {
            return in(classFile);
        } catch (EOFException | UTFDataFormatException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("the class file " + Text.shown(name) + " is damaged");
        }
    }

    private static List<String> in(InputStream classFile) throws IOException {
        DataInputStream in = new DataInputStream(classFile);
        if (in.readInt() != MAGIC) {
            return List.of();
        }
        in.readInt();
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        List<Integer> classes = new ArrayList<>();
        int length = 0;
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> {
                    texts[i] = in.readUTF();
                    length += texts[i].length();
                    if (length > MOST_TEXT) {
                        throw new IllegalArgumentException("more constants than any class");
                    }
                }
                case 7 -> classes.add(in.readUnsignedShort());
                case 8, 16, 19, 20 -> in.readUnsignedShort();
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.readInt();
                case 5, 6 -> {
                    in.readLong();
                    // A long or a double takes two entries.
                    i++;
                }
                default -> throw new IOException("a class file with a constant of the unknown kind " + tag);
            }
        }
        return classes.stream()
                .map(index -> {
                    if (texts[index] == null) {
                        throw new IllegalArgumentException("a class without a name");
                    }
                    return texts[index];
                })
                .toList();
    }
}
