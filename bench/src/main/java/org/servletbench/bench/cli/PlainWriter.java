package org.servletbench.bench.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Text;

/**
 * A console that prints no secret values and keeps untrusted text harmless: characters that control a terminal become
 * blanks, except line breaks and tabs. On a GitHub Actions runner, which reads commands from the console, no line can
 * become a command.
 */
final class PlainWriter extends PrintWriter {

    private final PrintWriter console;

    private final boolean runner;

    PlainWriter(PrintWriter console) {
        this(console, GithubActions.isJob(System.getenv()));
    }

    /** @param runner true if a runner reads the console */
    PlainWriter(PrintWriter console, boolean runner) {
        super(new Plain(console, runner));
        this.console = console;
        this.runner = runner;
    }

    /** Returns the console itself, for our own commands. */
    PrintWriter console() {
        return console;
    }

    private static String plain(String text, boolean runner) {
        String plain = Text.plainLines(Secrets.scrubbed(text));
        return runner ? Text.withoutCommands(plain) : plain;
    }

    /** Passes each line on as a whole, because Maven's console modifies lines. */
    @Override
    public void println(String line) {
        console.println(plain(line, runner));
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
        private final boolean runner;

        Plain(Writer out, boolean runner) {
            super(out);
            this.runner = runner;
        }

        @Override
        public void write(int c) throws IOException {
            out.write(plain(String.valueOf((char) c), runner));
        }

        @Override
        public void write(char[] buffer, int from, int length) throws IOException {
            out.write(plain(new String(buffer, from, length), runner));
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            out.write(plain(text.substring(from, from + length), runner));
        }
    }
}
