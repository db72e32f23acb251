package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/** How a generator logs every request. */
public interface LogFormat {

    /** Whether a log of this format begins with this byte. */
    boolean beginsWith(int first);

    /**
     * Reads a log in one pass. A log that ends within a record gives what is before it.
     *
     * @param log the file
     * @param sink makes of the log's head what takes its records
     * @return the number of requests read
     * @throws UnreadableLogException for another version, and for bytes that the generator does not write
     * @throws IOException when the file cannot be read
     */
    long read(Path log, Function<LogSource, ? extends Records> sink) throws IOException;
}
