package org.servletbench.bench.measure;

import java.io.IOException;

/** A log cannot be read by its reader. The message is one plain line for people. */
public class UnreadableLogException extends IOException {
    private static final long serialVersionUID = 1;

    public UnreadableLogException(String message) {
        super(message);
    }
}
