package org.servletbench.bench.load.jmeter;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.LoadModel;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.server.CodeWatch;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.os.CompilerTime;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * One run of JMeter against a running server, with the plan, the load, the table and the dashboard in one folder.
 *
 * <p>JMeter runs in a separate JVM and not inside the Maven plug-in, because a run must end for certain when the server
 * or another host dies, on Ctrl-C, and when Maven is killed, and because the results until then must be kept.
 */
public final class JMeterRun {

    /**
     * The server as the run sees it, however it was started.
     *
     * @param url its URL, {@code http://host:port}
     * @param description one line for people, the dashboard's title
     * @param backlog returns the number of methods that wait for its JIT compiler; empty if it is unknown, or if
     *     JMeter's warm-up must not ask for it
     * @param compiler returns the compiler's CPU time; empty if it is unknown
     * @param code returns the kinds of code that the server runs; empty if they are not visible
     */
    public record Server(
            URI url,
            String description,
            ToolWatch watch,
            Supplier<OptionalInt> backlog,
            Supplier<Optional<CompilerTime>> compiler,
            Optional<CodeWatch> code) {}

    /** The raw log in the run's folder, with one line for each sample. */
    public static final String RESULTS = "results.csv";
    /** Time between two checks, ms. */
    private static final long LOOK_MILLIS = 250;
    /** Time between two samples of the server's code, ns. Each takes some ms of the server's time. */
    private static final long CODE_NANOS = 1_000_000_000L;
    /** Number of failed connections in succession, a second apart, after which a host counts as dead. */
    private static final int HOST_MISSES = 3;

    private static final Pattern BURST = Pattern.compile(
            "(warm-up burst \\d+: (\\d+) requests/s(?:, (\\d+) methods to compile, compiler (\\d+) %)?)$");
    /**
     * The file that informs JMeter's scripts about the server: the number of methods that wait for its compiler, the
     * CPU times of the compiler and of the server, ms, and whether its code is warm, 0 or 1. The last value is missing
     * if the code is not visible.
     */
    private static final String COMPILER = "compiler.txt";

    private static final Pattern GROUP = Pattern.compile("Starting ThreadGroup: \\d+ : (.+)$");

    private final JMeter jmeter;
    private final LoadPlan load;
    private final JMeterHosts hosts;
    private final Server server;
    private final Path folder;
    private final Consumer<String> console;
    private final List<WarmUp.Burst> bursts = new ArrayList<>();
    private boolean settled;
    private long codeNanos;
    private long warmUpStart;
    private long warmUpEnd;
    private boolean complete;
    private boolean own;
    private Set<String> targets = Set.of();
    private int logLinesSeen;
    private int stage;

    /**
     * @param hosts JMeter servers that apply the load; empty: this machine does
     * @param folder folder for all files; it exists
     * @param console receives lines for people
     */
    public JMeterRun(
            JMeter jmeter, LoadPlan load, JMeterHosts hosts, Server server, Path folder, Consumer<String> console) {
        this.jmeter = jmeter;
        this.load = load;
        this.hosts = hosts;
        this.server = server;
        this.folder = folder;
        this.console = console;
    }

    /** Reports foreseeable failures before a server is started. */
    public static void preflight(JMeter jmeter, JMeterHosts hosts) {
        if (!hosts.isEmpty()) {
            jmeter.tls();
            hosts.silent()
                    .map(host -> "no JMeter server answers at " + host.text()
                            + ": start it there with mvn -Pjmeter-server verify")
                    .ifPresent(LoadException::raise);
        }
    }

    /**
     * Runs the plan and makes the table and the dashboard. Files in the folder: {@code plan.jmx} (the plan that ran),
     * {@code results.csv}, {@code table.csv}, {@code dashboard/}, {@code jmeter.log}.
     *
     * @param template {@code tiers.jmx}
     * @throws LoadException if the server or a host died, JMeter failed, or more samples failed than are allowed;
     *     results until then have been kept
     */
    public JMeterTable run(Path template) {
        return run(JMeterPlan.of(template, load, server.url(), hosts));
    }

    /** Runs an existing plan. */
    public JMeterTable run(JMeterPlan plan) {
        return run(plan, new PlanTargets(Set.of()));
    }

    /** Runs a user's own plan, which may connect to these hosts and to its server. */
    public JMeterTable run(JMeterPlan plan, PlanTargets more) {
        try {
            targets = plan.isOwn() ? more.and(server.url()) : Set.of();
        } catch (UnknownHostException e) {
            throw new LoadException("no such host as " + server.url().getHost());
        }
        Path planFile = plan.writeToRun(file("plan.jmx"));
        own = plan.isOwn();
        Optional<String> trouble = apply(plan, planFile);
        Optional<JMeterTable> table = summarise();
        trouble.map(line ->
                        line + (table.isPresent() ? "; what was measured until then is kept, and is not a result" : ""))
                .ifPresent(LoadException::raise);
        complete = true;
        JMeterTable complete = table.orElseThrow(() -> new LoadException(
                "JMeter ran, but no request finished outside the warm-up; see " + file("jmeter.log")));
        judge(complete, plan.labels());
        return complete;
    }

    /**
     * Returns the outcome of the warm-up, which is complete after {@link #run}. On other hosts, it is not visible, and
     * empty.
     */
    public WarmUp.Outcome warmUp() {
        if (!load.warmUp().isWanted()) {
            return new WarmUp.Outcome(false, WarmUp.NOT_WANTED, 0, List.of());
        }
        if (hosts.isEmpty() && warmUpEnd == 0) {
            double soFar = warmUpStart == 0 ? 0 : (System.nanoTime() - warmUpStart) / 1e9;
            return new WarmUp.Outcome(false, "the run ended before its warm-up did", soFar, List.copyOf(bursts));
        }
        return new WarmUp.Outcome(
                settled,
                WarmUp.reason(code(), settled, load.warmUp()),
                (warmUpEnd - warmUpStart) / 1e9,
                List.copyOf(bursts),
                code().map(WarmCode::seen).orElse(null));
    }

    /** True if JMeter completed its plan. If it did not, the files in the folder are not a result. */
    public boolean isComplete() {
        return complete;
    }

    private Path file(String name) {
        return folder.resolve(name).toAbsolutePath();
    }

    // ---- the load ----

    /** Runs JMeter, and returns the error when it has ended; empty if there was none. */
    private Optional<String> apply(JMeterPlan plan, Path planFile) {
        List<String> arguments = new ArrayList<>();
        arguments.add("-Jhost=" + server.url().getHost());
        arguments.add("-Jport=" + server.url().getPort());
        plan.given().forEach((name, value) -> arguments.add("-J" + name + "=" + value));
        plan.hostProperties().forEach((name, value) -> arguments.add("-G" + name + "=" + value));
        if (load.model() instanceof LoadModel.Open) {
            // The Open Model Thread Group leaves a thread behind that would keep JMeter running for a minute.
            arguments.add("-Jjmeterengine.force.system.exit=true");
        }
        if (hosts.isEmpty()) {
            server.backlog().get().ifPresent(now -> {
                if (!plan.isOwn() && load.warmUp().isWanted()) {
                    server.code().ifPresent(CodeWatch::start);
                }
                writeCompiler(now);
                arguments.add("-Jwarmup.compiler.file=" + file(COMPILER));
            });
        }
        Process process = jmeter.run(
                planFile, folder, hosts, targets, List.of(), arguments, Optional.of(file("jmeter-console.log")));
        server.watch().loadedBy(process.toHandle());
        try {
            Optional<String> trouble = watch(process);
            report();
            return trouble.or(() -> exitTrouble(process.exitValue()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        } finally {
            ManagedProcess.stop(process);
            server.code().ifPresent(CodeWatch::stop);
            // A leftover of a few bytes does no harm.
            file(COMPILER).toFile().delete();
        }
    }

    private Optional<String> watch(Process process) throws InterruptedException {
        int misses = 0;
        long nextHostLook = System.nanoTime();
        while (process.isAlive()) {
            report();
            Optional<String> death = server.watch().death();
            if (death.isPresent()) {
                ManagedProcess.stop(process);
                return Optional.of("the server died under load: " + death.get());
            }
            if (hosts.isEmpty()) {
                server.backlog().get().ifPresent(this::writeCompiler);
            } else if (System.nanoTime() >= nextHostLook) {
                Optional<JMeterHosts.Host> silent = hosts.silent();
                misses = silent.isPresent() ? misses + 1 : 0;
                if (misses == HOST_MISSES) {
                    ManagedProcess.stop(process);
                    return Optional.of("the JMeter server at " + silent.get().text() + " died under load");
                }
                nextHostLook = System.nanoTime() + 1_000_000_000L;
            }
            process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
        return server.watch().death().map(death -> "the server died under load: " + death);
    }

    /**
     * Returns the error with which JMeter ended. JMeter exits with 0 even if it could not compile its plan; only its
     * log shows that.
     */
    private Optional<String> exitTrouble(int code) {
        if (code == 0) {
            return Optional.empty();
        }
        String first = lines("jmeter.log").stream()
                .filter(line -> line.contains(" ERROR "))
                .findFirst()
                .map(line -> ": " + line.substring(line.indexOf(" ERROR ") + " ERROR ".length()))
                .orElse("");
        if (!hosts.isEmpty() && first.contains("could not be configured")) {
            return Optional.of("a JMeter server of " + hosts.list()
                    + " answers but cannot be used: is the keystore the same on all hosts, and no other run there?");
        }
        return Optional.of("JMeter failed (exit code " + code + ")" + first);
    }

    /** Forwards messages about the warm-up and the users from JMeter's log. */
    private void report() {
        List<String> lines = lines("jmeter.log");
        for (String line : lines.subList(Math.min(logLinesSeen, lines.size()), lines.size())) {
            Matcher burst = BURST.matcher(line);
            Matcher group = GROUP.matcher(line);
            if (burst.find()) {
                // A line for each burst would bury the rest.
                if (bursts.size() % 6 == 0) {
                    console.accept(burst.group(1));
                }
                bursts.add(new WarmUp.Burst(
                        load.warmUp().burst().toMillis() / 1e3,
                        Double.parseDouble(burst.group(2)),
                        burst.group(4) == null ? Double.NaN : Double.parseDouble(burst.group(4)),
                        burst.group(3) == null ? Double.NaN : Double.parseDouble(burst.group(3))));
            } else if (line.endsWith(": warm-up settled")) {
                settled = true;
            } else if (line.contains(" Starting setUp thread groups")) {
                warmUpStart = System.nanoTime();
                codeNanos = warmUpStart;
            } else if (group.find()) {
                if (warmUpEnd == 0) {
                    warmUpEnd = System.nanoTime();
                    server.code().ifPresent(CodeWatch::stop);
                    if (hosts.isEmpty()) {
                        server.watch().pin();
                    }
                }
                if (group.group(1).startsWith(JMeterPlan.WARM_UP_PREFIX)) {
                    continue;
                }
                stage++;
                console.accept(
                        own ? "thread group " + group.group(1) : load.progress(stage, group.group(1), LocalTime.now()));
            }
        }
        logLinesSeen = lines.size();
    }

    /** Returns the complete lines of a file so far. */
    private List<String> lines(String name) {
        try {
            String text = Files.readString(file(name), StandardCharsets.UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private void writeCompiler(int methods) {
        CompilerTime time = server.compiler().get().orElse(new CompilerTime(0, 0));
        look();
        String text = methods + " " + time.compilerMs() + " " + time.serverMs()
                + code().map(seen -> seen.isWarm() ? " 1" : " 0").orElse("");
        try {
            Json.replace(file(COMPILER), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new LoadException("cannot write " + file(COMPILER) + " (" + e.getMessage() + ")");
        }
    }

    /** Returns the latest samples of the server's code in the warm-up; empty if the code is not visible. */
    private Optional<WarmCode> code() {
        return server.code().flatMap(CodeWatch::seen);
    }

    /** Samples the server's code until it is warm, or the warm-up is over. */
    private void look() {
        boolean due = warmUpStart != 0 && warmUpEnd == 0 && System.nanoTime() - codeNanos >= CODE_NANOS;
        if (due && code().filter(seen -> !seen.isWarm()).isPresent()) {
            codeNanos = System.nanoTime();
            if (server.code().flatMap(CodeWatch::look).filter(WarmCode::isWarm).isPresent()) {
                server.code().ifPresent(CodeWatch::stop);
            }
        }
    }

    // ---- the results ----

    /** Makes the table and the dashboard from the samples so far; empty if there are none. */
    private Optional<JMeterTable> summarise() {
        Path results = file(RESULTS);
        try (Stream<String> lines = Files.lines(results)) {
            if (lines.limit(2).count() < 2) {
                return Optional.empty();
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        JMeterTable table = JMeterTable.read(results);
        table.writeCsv(file("table.csv"));
        dashboard(results);
        return Optional.of(table);
    }

    private void dashboard(Path results) {
        Process process = jmeter.start(
                List.of("-Djava.awt.headless=true"),
                List.of(
                        "-g",
                        results.toString(),
                        "-o",
                        file("dashboard").toString(),
                        "-j",
                        file("dashboard.log").toString(),
                        "-Jjmeter.reportgenerator.temp_dir=" + file("dashboard.tmp"),
                        "-Jjmeter.reportgenerator.report_title=" + server.description()),
                Optional.of(file("jmeter-console.log")),
                Map.of());
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ManagedProcess.stop(process);
        }
        if (!Files.isRegularFile(file("dashboard").resolve("index.html"))) {
            console.accept("JMeter could not make its dashboard, see " + file("dashboard.log"));
        }
    }

    private void judge(JMeterTable table, List<String> labels) {
        for (String label : labels) {
            if (table.row(label).isEmpty()) {
                throw new LoadException("no request of '" + label + "' finished; see " + file("jmeter.log"));
            }
        }
        for (JMeterTable.Row row : table.rows()) {
            boolean judged = own ? !row.label().equals(JMeterTable.TOTAL) : labels.contains(row.label());
            if (judged && row.errorPercent() > load.maxFailedPercent()) {
                throw new LoadException(text(
                        "%s: %.3f %% of %d requests failed, more than %s %% (-Dfailed.max.percent), mostly with: %s",
                        row.label(),
                        row.errorPercent(),
                        row.all().count(),
                        load.maxFailedPercent(),
                        row.failure().orElse("no reason given")));
            }
        }
    }
}
