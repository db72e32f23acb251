package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.server.ManagedProcess;

/** JMeter in the open model: its Open Model Thread Group starts requests at a fixed rate, whatever the server does. */
public final class JMeterOpenRun {

    private static final String PLAN = "open.jmx";
    private static final int PATIENCE_SECONDS = 60;

    private JMeterOpenRun() {}

    /**
     * Runs it to its end.
     *
     * @param url with its path; on this machine
     * @param rate requests/s, whole
     * @param folder gets {@code results.csv}; it exists
     * @return the raw log, whose one name is {@code hello at RATE/s}
     * @throws LoadException if JMeter fails
     */
    public static Path run(JMeter jmeter, URI url, int rate, int seconds, Path folder) {
        Path plan = folder.resolve(PLAN);
        Path results = folder.resolve(JMeterRun.RESULTS).toAbsolutePath();
        try (InputStream in = JMeterOpenRun.class.getResourceAsStream(PLAN)) {
            Files.copy(in, plan);
        } catch (IOException e) {
            throw new LoadException("cannot write " + plan + " (" + e.getMessage() + ")");
        }
        Process process = jmeter.run(
                plan,
                folder,
                new JMeterHosts(List.of()),
                List.of(),
                List.of(
                        // The Open Model Thread Group leaves a thread behind that would keep JMeter running.
                        "-Jjmeterengine.force.system.exit=true",
                        "-Jrate=" + rate,
                        "-Jhold=" + seconds,
                        "-Jlabel=hello at " + rate + "/s",
                        "-Jhost=" + url.getHost(),
                        "-Jport=" + url.getPort(),
                        "-Jpath=" + url.getRawPath()),
                Optional.of(folder.resolve("jmeter-console.log")));
        try {
            if (!process.waitFor(seconds + PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new LoadException("JMeter did not end; see " + folder);
            }
            if (process.exitValue() != 0 || !Files.exists(results)) {
                throw new LoadException("JMeter failed (exit code " + process.exitValue() + "); see " + folder);
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        } finally {
            ManagedProcess.stop(process);
        }
    }
}
