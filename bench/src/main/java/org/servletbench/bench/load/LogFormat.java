package org.servletbench.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * The format in which a generator logs every request.
 *
 * @param begins tests whether a log of this format can begin with this byte
 */
public record LogFormat(IntPredicate begins, Reader reader) {

    /** A reader of logs; see {@link LogFormat#read}. */
    public interface Reader {
        long read(InputStream log, Function<LogSource, ? extends Records> sink) throws IOException;
    }

    /**
     * Reads a log in one pass, from its first byte. If a log ends within a record, all records before it are read.
     *
     * @param sink creates the receiver of the records from the log's head
     * @return the number of requests read
     * @throws UnreadableLogException for another version, and for bytes that the generator does not write
     * @throws IOException if the file cannot be read
     */
    public long read(InputStream log, Function<LogSource, ? extends Records> sink) throws IOException {
        return reader.read(log, sink);
    }
}
