package org.servletbench.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.Factorial;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Conditions;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.SeenCode;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.verdict.Baseline;

/** Campaigns with known effects, drawn from a seed, in the format of real campaigns. */
final class Fixture {
    static final String HOSTILE_WORKLOAD = "<script>alert(1)</script>";
    static final String HOSTILE_LABEL = "Jetty\" onmouseover='alert(2)' <img src=x onerror=alert(3)> & \u202egnp.exe";
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Random random;
    private final Map<String, Double> speed = new HashMap<>();
    private double spread = 0.02;
    private String failing = "";
    private boolean equalCpu;
    private double cpuSpread = 0.1;
    private final Map<String, Double> cpu = new HashMap<>();
    private int blocks = 10;
    private boolean faults;
    private boolean preTouched;
    private List<CampaignEvent> history;
    private String jdk = "17.0.17+10";
    private String gatling = "3.15.1";
    private boolean together;
    private double timeSliceSeconds;
    private String settle = "2s";
    private List<MeasuredLoad> loads = List.of(
            new MeasuredLoad("hello", 100, 0, "gatling"),
            new MeasuredLoad("hello", 500, 0, "gatling"),
            new MeasuredLoad("hello", 0, 200, "gatling"));
    private List<Arm> arms = List.of(
            arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
            arm("tomcat-nio2", "Tomcat NIO2", "boot3", Arm.Role.ARM),
            arm("jetty", "Jetty", "boot3", Arm.Role.ARM),
            arm("undertow", "Undertow", "boot3", Arm.Role.ARM),
            arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL),
            arm("tomcat-nio+boot2", "Tomcat NIO", "boot2", Arm.Role.BASELINE),
            arm("tomcat-apr+boot2", "Tomcat APR", "boot2", Arm.Role.ARM),
            arm("tomcat-nio+boot2-control", "Tomcat NIO", "boot2", Arm.Role.CONTROL),
            arm("nginx", "nginx", "reference", Arm.Role.REFERENCE));

    private String id = "2026-11-20-full";
    private ClaimList claims = ClaimList.NONE;
    private String question = "";
    private String note = "";
    private String command = "compare quick";
    private List<String> tested = List.of("throughput", "p99", "cpu");
    private final Map<String, List<String>> byLoad = new HashMap<>();
    private Shares margin = Shares.of(0.03);
    private double limitSeconds;
    private final Map<String, Double> alloc = new HashMap<>();
    private Baseline baseline = Baseline.BOTH_COPIES;
    private Factorial factorial;
    private double startedFirst = 1;

    private Fixture(long seed) {
        random = new Random(seed);
        speed.put("jetty", 1.0);
        speed.put("undertow", 1.09);
        speed.put("tomcat-nio2", 0.93);
        speed.put("tomcat-apr+boot2", 1.12);
        speed.put("nginx", 2.6);
    }

    static Fixture seeded(long seed) {
        return new Fixture(seed);
    }

    Fixture named(String campaign) {
        id = campaign;
        return this;
    }

    Fixture blocks(int number) {
        blocks = number;
        return this;
    }

    /** Uses the arms of a design, and an A/A copy of the first combination. */
    Fixture factorial(Factorial design) {
        factorial = design;
        String first = design.first();
        List<Arm> all = new ArrayList<>();
        design.combinations()
                .keySet()
                .forEach(id -> all.add(arm(id, id, first, id.equals(first) ? Arm.Role.BASELINE : Arm.Role.ARM)));
        all.add(arm(first + "-control", first, first, Arm.Role.CONTROL));
        return arms(all);
    }

    /** Compares with the first copy of the baseline only, as earlier versions did. */
    Fixture firstCopy() {
        baseline = Baseline.FIRST_COPY;
        return this;
    }

    /** Sets the events of the campaign. */
    Fixture history(CampaignEvent... events) {
        history = List.of(events);
        return this;
    }

    Fixture spread(double sdOfLog) {
        spread = sdOfLog;
        return this;
    }

    Fixture speed(String arm, double factor) {
        speed.put(arm, factor);
        return this;
    }

    /** Changes the speed of the first half of each block's servers by this factor. */
    Fixture startedFirst(double factor) {
        startedFirst = factor;
        return this;
    }

    /** Makes one in twenty requests of an arm fail, in every block. */
    Fixture failing(String arm) {
        failing = arm;
        return this;
    }

    /** Gives all arms the same CPU time, whatever their speed. */
    Fixture equalCpu() {
        equalCpu = true;
        return this;
    }

    /** Sets the noise of equal CPU times, as a share of the usual noise. */
    Fixture cpuSpread(double share) {
        cpuSpread = share;
        return this;
    }

    /** Multiplies the CPU time of one arm by this factor; all others have the same, whatever their speed. */
    Fixture cpu(String arm, double factor) {
        cpu.put(arm, factor);
        return equalCpu();
    }

    /** Sets the tested metrics, and one margin for all of them. */
    Fixture testing(double share, String... metrics) {
        tested = List.of(metrics);
        margin = Shares.of(share);
        return this;
    }

    /** Sets the time limit, s. */
    Fixture limit(double seconds) {
        limitSeconds = seconds;
        return this;
    }

    /** Makes an arm allocate more than the others. */
    Fixture alloc(String arm, double factor) {
        alloc.put(arm, factor);
        return this;
    }

    Fixture command(String words) {
        command = words;
        return this;
    }

    Fixture note(String words) {
        note = words;
        return this;
    }

    Fixture question(String words) {
        question = words;
        return this;
    }

    /** Sets the tested metrics of a single load. */
    Fixture judging(MeasuredLoad load, String... metrics) {
        byLoad.put(load.id(), List.of(metrics));
        return this;
    }

    Fixture claims(ClaimList these) {
        claims = these;
        return this;
    }

    Fixture loads(List<MeasuredLoad> these) {
        loads = List.copyOf(these);
        return this;
    }

    Fixture arms(List<Arm> these) {
        arms = List.copyOf(these);
        return this;
    }

    /** Uses only arms of one Spring Boot version, so that one page contains everything. */
    Fixture oneGroup() {
        arms = arms.stream().filter(arm -> !arm.group().equals("boot2")).toList();
        return this;
    }

    /** Uses one Spring Boot version and one load, which is enough to test texts. */
    Fixture small() {
        return oneGroup().loads(List.of(loads.get(0)));
    }

    /** Uses a different jar for one arm. */
    Fixture upgraded(String id) {
        arms = arms.stream()
                .map(arm -> arm.id().equals(id)
                        ? arm.with(new Arm.Build(
                                arm.containerVersion() + ".1",
                                arm.bootVersion(),
                                arm.jar(),
                                "0000" + arm.sha256().substring(4)))
                        : arm)
                .toList();
        return this;
    }

    /** Changes the spec of an arm. */
    Fixture asking(String id, UnaryOperator<ArmSpec> changed) {
        arms = arms.stream()
                .map(arm -> arm.id().equals(id) ? arm.with(changed.apply(arm.spec())) : arm)
                .toList();
        return this;
    }

    Fixture jdk(String version) {
        jdk = version;
        return this;
    }

    /** Runs all servers of a group at once. */
    Fixture inTimeSlices(double seconds) {
        together = true;
        timeSliceSeconds = seconds;
        return this;
    }

    /** Sets a different load. */
    Fixture load(double timeSlice, String settling, String gatlingVersion) {
        timeSliceSeconds = timeSlice;
        settle = settling;
        gatling = gatlingVersion;
        return this;
    }

    /** Adds warnings, failed attempts, and an unsettled warm-up. */
    Fixture faults() {
        faults = true;
        return this;
    }

    /** Uses servers whose JVM touches its whole heap before the application starts. */
    Fixture preTouched() {
        preTouched = true;
        return this;
    }

    /** Uses names with markup wherever names are possible. */
    Fixture hostile() {
        List<MeasuredLoad> more = new ArrayList<>(loads);
        more.add(new MeasuredLoad(HOSTILE_WORKLOAD, 100, 0, "jmeter"));
        loads = List.copyOf(more);
        arms = arms.stream()
                .map(arm -> arm.id().equals("jetty") ? arm("jetty", HOSTILE_LABEL, "boot3", Arm.Role.ARM) : arm)
                .toList();
        return this;
    }

    static List<MeasuredLoad> manyLoads() {
        List<MeasuredLoad> loads = new ArrayList<>();
        for (String generator : List.of("gatling", "jmeter")) {
            for (String workload : List.of("hello", "static", "payload", "metrics")) {
                for (int users : new int[] {100, 200, 500, 1500}) {
                    loads.add(new MeasuredLoad(workload, users, 0, generator));
                }
            }
        }
        return loads;
    }

    static Arm arm(String id, String label, String group, Arm.Role role) {
        boolean nginx = role == Arm.Role.REFERENCE;
        String container = nginx ? "nginx" : id.replaceAll("[-+].*", "");
        return new Arm(
                new Arm.Identity(id, label, group, role),
                new Arm.Stack(id.replaceAll("[+].*", ""), nginx ? "" : group, container, nginx ? "" : "nio"),
                new Arm.Build(
                        nginx ? "1.22.1" : "10.1.61",
                        nginx ? "" : group.equals("boot2") ? "2.7.18" : "3.5.16",
                        nginx ? "" : "target-apps/spring-boot/target/" + id + ".jar",
                        nginx ? "" : "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
                Threads.PLATFORM,
                WarmStart.NONE,
                ArmSpec.USUAL);
    }

    /** Returns the arm with another name, in another group. */
    static Arm like(Arm arm, String group, String id, String label, WarmStart way) {
        return new Arm(
                new Arm.Identity(id, label, group, arm.role()),
                arm.stack(),
                arm.build(),
                arm.threads(),
                way,
                arm.spec());
    }

    /** A generated campaign. */
    record Drawn(Campaign campaign, List<ServerRun> serverRuns) {
        /** Writes the files of a campaign. */
        void write(Path folder) throws IOException {
            Files.createDirectories(folder);
            JSON.writeValue(folder.resolve("campaign.json").toFile(), campaign);
            for (ServerRun serverRun : serverRuns) {
                String name = CampaignFolder.usualFolder(serverRun)
                        + (serverRun.measured() ? "" : "-failed" + serverRun.attempt());
                Path own = folder.resolve(name);
                Files.createDirectories(own);
                JSON.writeValue(own.resolve("server-run.json").toFile(), serverRun);
            }
        }

        Analysis analysis() {
            return Analysis.of(campaign, serverRuns);
        }

        CampaignFolder read() {
            return new CampaignFolder(campaign, serverRuns, Map.of(), List.of(), Optional.empty(), Optional.empty());
        }

        ReportPage page() {
            return ReportPage.of(read());
        }
    }

    Drawn draw() {
        List<List<String>> order = new ArrayList<>();
        List<ServerRun> serverRuns = new ArrayList<>();
        for (int block = 1; block <= blocks; block++) {
            List<String> ids = new ArrayList<>(arms.stream().map(Arm::id).toList());
            Collections.shuffle(ids, random);
            order.add(List.copyOf(ids));
            double drift = Math.exp(0.05 * Math.sin(block / 2.0) + 0.02 * random.nextGaussian());
            for (int position = 1; position <= ids.size(); position++) {
                String arm = ids.get(position - 1);
                if (faults && block == 3 && position == 2) {
                    serverRuns.add(failed(block, position, arm));
                }
                serverRuns.add(serverRun(block, position, arm, drift));
            }
        }
        return new Drawn(campaign(order), serverRuns);
    }

    private Campaign campaign(List<List<String>> order) {
        Plan plan = new Plan(
                new Plan.Subject("full", question, claims, factorial, note),
                new Plan.Design(20261121, blocks, together, limitSeconds),
                new Plan.Windows(3, 10, 1, 60, timeSliceSeconds),
                loads,
                new Plan.Rule(tested, byLoad, margin, 0.05, Shares.of(0), baseline),
                "equalised",
                true);
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("cpu", "Some CPU @ 2.50GHz");
        machine.put("cores", "2");
        machine.put("memory.bytes", "25276502016");
        machine.put("os", "Debian GNU/Linux 12 (bookworm)");
        machine.put("kernel", "6.1.0");
        machine.put("governor", "");
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("jdk", jdk);
        versions.put("gatling", gatling);
        versions.put("jmeter", "5.6.3");
        List<String> jvm =
                new ArrayList<>(List.of("-Xms2g", "-Xmx2g", "-Xmn1g", "-XX:MaxMetaspaceSize=256m", "-Xss256k"));
        if (preTouched) {
            jvm.add("-XX:+AlwaysPreTouch");
        }
        Conditions conditions = Conditions.NONE
                .by(command)
                .with(Map.of("settling-time", settle))
                .ofJvm(jvm);
        return new Campaign(
                Campaign.FORMAT,
                new Campaign.Origin(id, "2026-11-20T09:14:05Z", "0123456789abcdef0123456789abcdef01234567"),
                plan,
                arms,
                order,
                new Campaign.Surroundings(
                        machine,
                        versions,
                        conditions,
                        "the server has processor 1, the generator processor 0; both have all while it warms up"),
                history == null
                        ? List.of(
                                new CampaignEvent(CampaignEvent.What.COMPLETED, "2026-11-20T11:00:00Z", blocks, blocks))
                        : history);
    }

    private ServerRun failed(int block, int position, String arm) {
        return new ServerRun(
                ServerRun.FORMAT,
                new ServerRun.Run(
                        block,
                        position,
                        arm,
                        1,
                        "2026-11-20T10:00:00Z",
                        "2026-11-20T10:01:00Z",
                        "the server did not answer within 60 s <b>of its start</b>"),
                new ServerRun.Before(Map.of(), Map.of(), null),
                new ServerRun.Results(List.of(), null, List.of(), null));
    }

    private ServerRun serverRun(int block, int position, String arm, double drift) {
        boolean retried = faults && block == 3 && position == 2;
        double place = position <= arms.size() / 2 ? startedFirst : 1;
        double own = speed.getOrDefault(arm, 1.0) * drift * place * Math.exp(spread * random.nextGaussian());
        List<LoadFigures> results = new ArrayList<>();
        for (MeasuredLoad load : loads) {
            List<Warning> warnings = new ArrayList<>();
            if (faults && block == 5 && position == 1 && load.equals(loads.get(0))) {
                warnings.add(
                        new Warning(WarningKind.GENERATOR_BOTTLENECK, "the generator used 0.99 of 1 processor", true));
            }
            if (faults && block == 6 && position == 3) {
                warnings.add(new Warning(WarningKind.UNSTEADY, "half-windows differ by 4.1 % <i>", false));
            }
            if (arm.equals(failing)) {
                warnings.add(new Warning(WarningKind.ERRORS, "5 % failed", true));
            }
            results.add(result(
                    load,
                    own,
                    cpu.getOrDefault(arm, 1.0),
                    alloc.getOrDefault(arm, 1.0),
                    warnings,
                    arm.equals(failing)));
        }
        boolean settled = !(faults && block == 7 && position == 4);
        Map<String, Double> startUp = new TreeMap<>();
        startUp.put(Metric.READY.key(), 1900 * near() / Math.sqrt(speed.getOrDefault(arm, 1.0)));
        startUp.put(Metric.MEMORY_USED.key(), 71e6 * near());
        startUp.put(Metric.CLASSES_LOADED.key(), 9100.0 + random.nextInt(40));
        startUp.put(Metric.THREADS_LIVE.key(), 21.0 + random.nextInt(3));
        return new ServerRun(
                ServerRun.FORMAT,
                new ServerRun.Run(
                        block,
                        position,
                        arm,
                        retried ? 2 : 1,
                        "2026-11-20T10:00:00Z",
                        "2026-11-20T10:03:00Z",
                        ServerRun.MEASURED),
                new ServerRun.Before(
                        Map.of("container", "tomcat"),
                        startUp,
                        new ServerRun.WarmUpRecord(
                                settled,
                                settled ? "throughput stopped rising" : "still rising after 60 s",
                                42,
                                List.of(2100.0, 5500.0, 11_500.0, 15_400.0, 15_600.0),
                                Arrays.asList(90.0, 80.0, null, 30.0, 12.0),
                                code(settled ? 3 : 80))),
                new ServerRun.Results(
                        results,
                        arm.equals("nginx") ? null : threads(),
                        settled
                                ? List.of()
                                : List.of(new Warning(
                                        WarningKind.WARM_UP, "never settled: still rising after 60 s", false)),
                        null));
    }

    /** Returns 750 samples under each load, {@code below} of them in C1 code. */
    SeenCode code(int below) {
        return code(loads, below);
    }

    static SeenCode code(List<MeasuredLoad> loads, int below) {
        return new SeenCode(
                TopTier.C2,
                new CodeTiers(0, below, 700 - below),
                loads.stream()
                        .map(load -> new SeenCode.UnderLoad(
                                load,
                                new CodeTiers(0, below, 500 - below),
                                new CodeTiers(0, below / 2, 250 - below / 2)))
                        .toList(),
                null);
    }

    private double near() {
        return Math.exp(spread * random.nextGaussian());
    }

    private LoadFigures result(
            MeasuredLoad load,
            double own,
            double cpuFactor,
            double allocFactor,
            List<Warning> warnings,
            boolean fails) {
        double throughput =
                load.users() > 0 ? 15_000 * own * near() : load.rate() * (1 + 0.001 * random.nextGaussian());
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        double typical = (load.users() > 0 ? load.users() * 1000.0 / throughput : 3) / Math.sqrt(near());
        for (int i = 0; i < 4000; i++) {
            histogram.recordValue(Math.max(0, Math.round(typical * Math.exp(0.4 * random.nextGaussian()))));
        }
        Map<String, Double> figures = new TreeMap<>();
        figures.put("throughput", throughput);
        figures.put("mean", typical * 1.08);
        figures.put("p50", typical);
        figures.put("p75", typical * 1.3);
        figures.put("p90", typical * 1.7);
        figures.put("p95", typical * 1.95);
        figures.put("p99", typical * 2.6 * near());
        figures.put("p999", typical * 4);
        figures.put("max", typical * 11 * near());
        figures.put("cpu", equalCpu ? 62 * cpuFactor * Math.pow(near(), cpuSpread) : 62 / own * near());
        figures.put("alloc", 3900 * allocFactor * near());
        figures.put("rss", 4.1e8 * near());
        figures.put("heap", 2.4e7);
        figures.put("gc", Math.max(0, 0.4 + 0.1 * random.nextGaussian()));
        figures.put("jit", 2.0 * near());
        figures.put("switches", 1.4 * near());
        figures.put("server.cores", 0.97);
        figures.put("generator.cores", 0.71);
        figures.put("steal", 1.2 * near());
        Map<String, Double> reported = new TreeMap<>();
        if (load.generator().equals("wrk")) {
            List.of("mean", "p50", "p75", "p90", "p95", "p99", "p999", "max")
                    .forEach(key -> reported.put(key, figures.remove(key)));
        }
        long requests = Math.round(throughput * 30);
        long errors = fails ? requests / 20 : random.nextInt(20) == 0 ? 3 : 0;
        return new LoadFigures(
                load,
                new LoadFigures.Counted(3, requests, errors, 30),
                new LoadFigures.Values(figures, reported, encoded(histogram), Double.NaN),
                new LoadFigures.Course(
                        List.of(throughput * 0.99, throughput, throughput * 1.01),
                        List.of(),
                        load.users() > 0 ? new Trend(30, 0.5, -2, 3) : null),
                new LoadFigures.Findings(
                        warnings,
                        load.generator().equals("jmeter")
                                ? List.of("jmeter/dashboard/index.html", "jmeter/results.csv.gz")
                                : List.of(
                                        "gatling/" + load.id() + "/index.html",
                                        "gatling/" + load.id() + "/simulation.log")),
                List.of(),
                List.of());
    }

    private ServerRun.ThreadTimeline threads() {
        List<Double> seconds = new ArrayList<>();
        Map<String, List<Double>> series = new TreeMap<>();
        for (int s = 0; s < 150; s++) {
            seconds.add((double) s);
            double load = s < 20 ? 0 : Math.min(1, (s - 20) / 10.0);
            add(series, "live", 24 + 190 * load);
            add(series, "runnable", 8 + 20 * load * random.nextDouble());
            add(series, "waiting", 10 + 150 * load + random.nextInt(8));
            add(series, "timed_waiting", 6 + 10 * load);
            add(series, "blocked", 3 * load * random.nextDouble());
            add(series, "acceptor", 1);
            add(series, "io", 2);
            add(series, "worker", 10 + 190 * load);
        }
        return new ServerRun.ThreadTimeline(seconds, series, 60);
    }

    private static void add(Map<String, List<Double>> series, String name, double value) {
        series.computeIfAbsent(name, n -> new ArrayList<>()).add((double) Math.round(value));
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /** Returns the server run with this proven fact. */
    static ServerRun proven(ServerRun one, String fact, String value) {
        return with(one, one.outcome(), Map.of(fact, value), one.loads(), one.warnings());
    }

    /** Returns the results of a server with these warnings. */
    static List<LoadFigures> warned(ServerRun one, List<Warning> warnings) {
        return one.loads().stream()
                .map(load -> changed(load, warnings, load.trend(), load.each()))
                .toList();
    }

    /** Returns the results of a server with this trend, or null. */
    static List<LoadFigures> trending(ServerRun one, Trend trend) {
        return one.loads().stream()
                .map(load -> changed(load, load.warnings(), trend, load.each()))
                .toList();
    }

    /** Returns the server run with loads that are a list of these requests. */
    static ServerRun listing(ServerRun one, List<LoadFigures.Request> requests) {
        List<LoadFigures> loads = one.loads().stream()
                .map(load -> changed(load, load.warnings(), load.trend(), requests))
                .toList();
        return with(one, one.outcome(), one.proven(), loads, one.warnings());
    }

    /** Returns the server run with this many counted requests and errors in each load. */
    static ServerRun counting(ServerRun one, long requests, long errors) {
        List<LoadFigures> loads = one.loads().stream()
                .map(load -> changed(load, requests, errors, load.rates(), load.warnings(), load.trend(), load.each()))
                .toList();
        return with(one, one.outcome(), one.proven(), loads, one.warnings());
    }

    /**
     * Returns the results of a server with a trend and these rates, as shares of its throughput, in batches of time
     * slices.
     */
    static List<LoadFigures> rated(ServerRun one, List<Double> shares, Trend trend) {
        return one.loads().stream()
                .map(load -> changed(
                        load,
                        load.requests(),
                        load.errors(),
                        shares.stream()
                                .map(share -> share * load.figures().get("throughput"))
                                .toList(),
                        load.warnings(),
                        trend,
                        load.each()))
                .toList();
    }

    private static LoadFigures changed(
            LoadFigures load, List<Warning> warnings, Trend trend, List<LoadFigures.Request> each) {
        return changed(load, load.requests(), load.errors(), load.rates(), warnings, trend, each);
    }

    private static LoadFigures changed(
            LoadFigures load,
            long requests,
            long errors,
            List<Double> rates,
            List<Warning> warnings,
            Trend trend,
            List<LoadFigures.Request> each) {
        return new LoadFigures(
                load.load(),
                new LoadFigures.Counted(load.rounds(), requests, errors, load.seconds()),
                new LoadFigures.Values(load.figures(), load.reported(), load.histogram(), load.resolutionMs()),
                new LoadFigures.Course(rates, load.cpuRates(), trend),
                new LoadFigures.Findings(warnings, load.links()),
                load.steps(),
                each);
    }

    /** Returns the campaign with another plan, under other conditions. */
    static Campaign with(Campaign one, Plan plan, Conditions conditions) {
        return with(one, plan, one.arms(), conditions);
    }

    /** Returns the campaign with other arms, under other conditions. */
    static Campaign with(Campaign one, List<Arm> arms, Conditions conditions) {
        return with(one, one.plan(), arms, conditions);
    }

    private static Campaign with(Campaign one, Plan plan, List<Arm> arms, Conditions conditions) {
        return new Campaign(
                one.format(),
                one.origin(),
                plan,
                arms,
                one.order(),
                new Campaign.Surroundings(one.machine(), one.versions(), conditions, one.pinning()),
                one.history());
    }

    /** Returns the server run with another outcome, other facts, results and warnings. */
    static ServerRun with(
            ServerRun one,
            String outcome,
            Map<String, String> proven,
            List<LoadFigures> loads,
            List<Warning> warnings) {
        return with(one, outcome, proven, one.warmUp(), loads, warnings);
    }

    /** Returns the server run with another warm-up as well. */
    static ServerRun with(
            ServerRun one,
            String outcome,
            Map<String, String> proven,
            ServerRun.WarmUpRecord warmUp,
            List<LoadFigures> loads,
            List<Warning> warnings) {
        return new ServerRun(
                one.format(),
                new ServerRun.Run(
                        one.block(), one.position(), one.arm(), one.attempt(), one.started(), one.ended(), outcome),
                new ServerRun.Before(proven, one.startUp(), warmUp),
                new ServerRun.Results(loads, one.threads(), warnings, null));
    }
}
