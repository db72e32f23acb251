package org.servletbench.bench.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.servletbench.bench.model.Text;

/** A console on which a stranger's text stays text: characters that steer a terminal become blanks, but for line breaks and tabs. */
final class PlainWriter extends PrintWriter {

    private final PrintWriter console;

    PlainWriter(PrintWriter console) {
        super(new Plain(console));
        this.console = console;
    }

    /** Whole lines go on as such: Maven's console changes them. */
    @Override
    public void println(String line) {
        console.println(Text.plainLines(line));
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }

    @Override
    public void println() {
        console.println();
    }

    private static final class Plain extends FilterWriter {
        Plain(Writer out) {
            super(out);
        }

        @Override
        public void write(int c) throws IOException {
            out.write(Text.plainLines(String.valueOf((char) c)));
        }

        @Override
        public void write(char[] buffer, int from, int length) throws IOException {
            out.write(Text.plainLines(new String(buffer, from, length)));
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            out.write(Text.plainLines(text.substring(from, from + length)));
        }
    }
}
