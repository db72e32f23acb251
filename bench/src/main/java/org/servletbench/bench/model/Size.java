package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.Serializable;
import java.util.Locale;

/** A size of memory, such as {@code 512m} or {@code 2g}, in lower case. */
public record Size(@JsonValue String text) implements Serializable {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Size {
        text = text.toLowerCase(Locale.ROOT);
    }

    public long bytes() {
        return JvmOptions.bytes(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
