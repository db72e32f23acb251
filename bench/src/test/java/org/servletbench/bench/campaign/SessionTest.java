package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;

/** Tests a session from the start of a group's servers to their end. Servers and generator are simulated. */
class SessionTest {

    private static final List<String> ARMS = List.of("tomcat-nio", "jetty", "undertow");
    private static final Workload HELLO = new Workload("hello", "/hello", 5, 5);

    @TempDir
    private Path folder;

    private Campaign campaign;
    private CampaignStore store;
    /** Events of servers and generator, in order. Starts and ends have no order among themselves. */
    private final List<String> happened = Collections.synchronizedList(new ArrayList<>());

    private final List<Batch> loads = new ArrayList<>();

    /** By arm: why it does not start, answers that differ from the others', cause of death, speed of its bursts. */
    private final Map<String, RuntimeException> unable = new HashMap<>();

    private final Map<String, String> answers = new HashMap<>();
    private final Map<String, String> deaths = new HashMap<>();
    private final Map<String, Double> rising = new HashMap<>();
    private final Map<String, TargetException> wrong = new HashMap<>();
    private LoadException failure;

    // ---- of starts under load ----

    private final Companion companion = new Companion();
    private Optional<Duration> peak = Optional.empty();
    /** Null if starts have no load. */
    private HttpServer http;
    /** Reason why the companion's warm-up fails; null if it does not. */
    private TargetException coldCompanion;
    /** Cause of death of the second start; null if it survives. */
    private String secondDeath;

    private int attempt = 1;

    @BeforeEach
    void draw() throws IOException {
        Path whole = folder.resolve("whole");
        Campaigns.interrupted(whole, 8);
        campaign = CampaignFolder.read(whole).campaign();
        store = new CampaignStore(folder.resolve("campaign"));
    }

    private final class Played implements Target {
        private final String arm;
        private final Path own;
        private double rate = 1000;

        private Played(String arm, Path own) {
            this.arm = arm;
            this.own = own;
        }

        @Override
        public URI url() {
            return URI.create("http://127.0.0.1:"
                    + (http == null ? 8080 : http.getAddress().getPort()));
        }

        @Override
        public String description() {
            return arm;
        }

        @Override
        public Map<String, String> answers(List<Workload> workloads) {
            if (wrong.containsKey(arm)) {
                throw wrong.get(arm);
            }
            return workloads.isEmpty() ? Map.of() : Map.of("hello: body", answers.getOrDefault(arm, "world"));
        }

        @Override
        public WarmUp.Burst burst(String name, List<Workload> workloads, int users, Duration length) {
            happened.add("burst " + arm);
            if (coldCompanion != null) {
                throw coldCompanion;
            }
            rate *= rising.getOrDefault(arm, 1.0);
            return new WarmUp.Burst(1, rate, 0, 0);
        }

        @Override
        public void note(String what, Object value) {
            throw new IllegalStateException("nothing is noted");
        }

        @Override
        public void warmedUp(WarmUp.Outcome outcome) {
            happened.add("warm " + arm);
        }

        @Override
        public Path folder() {
            return own;
        }

        @Override
        public Optional<String> death() {
            return Optional.ofNullable(
                    own.endsWith("second-start") ? secondDeath : loads.isEmpty() ? null : deaths.get(arm));
        }

        @Override
        public void close(String how) {
            happened.add(how + " " + arm);
        }
    }

    private Target start(String arm, Path own) {
        try {
            Files.createDirectories(own);
            Files.writeString(
                    own.resolve("server.json"),
                    "{\"proven\": {\"container\": \"" + arm + "\"}, \"ready.ms\": 700, \"jvm.options\": [\"-Xmx1g\"]}");
            Files.writeString(
                    own.resolve("monitor.csv"), "time.ms,process.cpu.ms,generator.cpu.ms\n0,0,0\n20000,20000,10000\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (unable.containsKey(arm)) {
            throw unable.get(arm);
        }
        happened.add("start " + arm);
        return new Played(arm, own);
    }

    /** Returns the id of a living process, or of one that has ended. */
    private static long pid(boolean lives) {
        try {
            Process ended = new ProcessBuilder("true").start();
            ended.waitFor();
            return lives ? ProcessHandle.current().pid() : ended.pid();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Target start(Hosting hosting, String arm, Path own) {
        Target started = start(arm, own);
        boolean lives = !own.endsWith("second-start") || secondDeath == null;
        hosting.answers().accept(new Target.Answering(started.url(), pid(lives), System.nanoTime()));
        return started;
    }

    private static Procedure with(Optional<Duration> peak, Procedure of) {
        return new Procedure(
                of.start(),
                of.warmUp(),
                of.generatorWarmUp(),
                of.settling(),
                of.hasHold(),
                of.pace(),
                of.profile(),
                peak,
                of.search(),
                of.archives(),
                of.limits(),
                of.hostWait(),
                of.assumed());
    }

    private Session.Ran run() {
        return run(ARMS);
    }

    private Session.Ran run(List<String> arms) {
        ProfilesFolder profiles =
                new ProfilesFolder(Path.of(System.getProperty("bench.root")).resolve("profiles"));
        CampaignSpec spec = CampaignSpec.of(Map.of("warmup.pause", "1ms", "warmup.burst", "2s"), profiles);
        Prepared prepared = new Prepared(
                campaign,
                with(peak, Planner.procedure(spec, profiles)),
                Map.of(),
                List.of(HELLO),
                profiles,
                folder,
                store,
                ServerMachine.of(spec, profiles, line -> {}));
        Session.Context context = new Session.Context(
                prepared,
                Optional.empty(),
                new LinkedHashMap<>(),
                new ProvenHeaps(prepared.procedure().start().jvm()),
                (hosting, arm, block, own) -> peak.isPresent() ? start(hosting, arm.id(), own) : start(arm.id(), own),
                name -> {
                    if (failure != null) {
                        throw failure;
                    }
                    return new GroupLoadTest.FakeGenerator(name, loads);
                },
                companion,
                happened::add);
        List<Session.Attempt> places = new ArrayList<>();
        arms.forEach(arm -> places.add(new Session.Attempt(campaign.arm(arm), places.size() + 1, attempt)));
        return new Session(context, 3, places, campaign.plan().loadSeconds()).run();
    }

    private static Map<String, String> outcomes(Session.Ran ran) {
        Map<String, String> outcomes = new LinkedHashMap<>();
        ran.serverRuns().forEach(one -> outcomes.put(one.arm(), one.outcome()));
        return outcomes;
    }

    private static List<WarningKind> warnings(Session.Ran ran, String arm) {
        return ran.serverRuns().stream()
                .filter(one -> one.arm().equals(arm))
                .flatMap(one -> one.warnings().stream())
                .map(Warning::kind)
                .toList();
    }

    private long times(String what) {
        return happened.stream().filter(what::equals).count();
    }

    @Test
    void serversStartAreWarmedUpAreLoadedAndStop() {
        Session.Ran ran = run();

        assertThat(ran.trouble()).isEmpty();
        assertThat(ran.refusal()).isEmpty();
        assertThat(outcomes(ran))
                .containsExactly(
                        Map.entry("tomcat-nio", ServerRun.MEASURED),
                        Map.entry("jetty", ServerRun.MEASURED),
                        Map.entry("undertow", ServerRun.MEASURED));
        assertThat(loads).singleElement().satisfies(batch -> assertThat(batch.loads())
                .singleElement()
                .satisfies(task -> assertThat(task.endpoints())
                        .extracting(endpoint -> endpoint.name())
                        .containsExactlyElementsOf(ARMS)));
        for (ServerRun one : ran.serverRuns()) {
            assertThat(one.block()).isEqualTo(3);
            assertThat(one.proven()).containsEntry("container", one.arm()).containsEntry("jvm.options", "-Xmx1g");
            assertThat(one.startUp()).containsEntry("ready", 700.0);
            assertThat(one.warmUp().settled()).isTrue();
            assertThat(one.loads()).singleElement().satisfies(load -> assertThat(load.requests())
                    .isPositive());
            assertThat(times("start " + one.arm())).isEqualTo(1);
            assertThat(times("stopped " + one.arm())).isEqualTo(1);
            assertThat(happened.indexOf("burst " + one.arm())).isGreaterThanOrEqualTo(ARMS.size());
            assertThat(happened.indexOf("warm " + one.arm())).isLessThan(happened.indexOf("stopped " + one.arm()));
            assertThat(store.serverRun(3, one.position(), one.arm(), 1).resolve("server-run.json"))
                    .exists();
        }
        assertThat(ran.timing().load()).isEqualTo(6);
        assertThat(ran.timing().warmUp())
                .as("of the generator, and some ms of the servers")
                .isGreaterThan(4);
    }

    @Test
    void oneThatIsStillGettingFasterIsMarked() {
        rising.put("jetty", 1.5);
        Session.Ran ran = run();
        assertThat(ran.trouble()).isEmpty();
        assertThat(warnings(ran, "jetty")).contains(WarningKind.WARM_UP);
        assertThat(warnings(ran, "undertow")).doesNotContain(WarningKind.WARM_UP);
    }

    @Test
    void whoDoesNotDoTheSameWorkIsNotLoaded() {
        answers.put("undertow", "something else");
        Session.Ran ran = run();
        assertThat(ran.refusal()).contains(TargetException.Refusal.WORK);
        assertThat(ran.trouble().orElseThrow()).startsWith("the servers do not do the same work: hello: body");
        assertThat(loads).isEmpty();
        assertThat(happened).noneMatch(what -> what.startsWith("burst"));
        ARMS.forEach(arm -> assertThat(happened)
                .filteredOn(what -> what.startsWith("failed: ") && what.endsWith(" " + arm))
                .hasSize(1));
        assertThat(ran.serverRuns()).allSatisfy(one -> {
            assertThat(one.measured()).isFalse();
            assertThat(one.loads()).isEmpty();
        });
    }

    /** A wrong URL is detected with one server, and no server is blamed. */
    @Test
    void theFirstServerIsAskedBeforeTheOthersStart() {
        String said = "workload hello: GET /hello answered 404 and not 200";
        wrong.put(ARMS.get(0), TargetException.refusal(TargetException.Refusal.WORK, said));
        Session.Ran ran = run();
        assertThat(ran.trouble()).contains(said);
        assertThat(ran.refusal()).contains(TargetException.Refusal.WORK);
        assertThat(happened).filteredOn(what -> what.startsWith("start ")).containsExactly("start " + ARMS.get(0));
        assertThat(ARMS).allSatisfy(arm -> assertThat(warnings(ran, arm)).doesNotContain(WarningKind.SERVER_FAILED));
        assertThat(outcomes(ran).values()).containsOnly(said);
    }

    /** The others are not blamed, but are stopped, too. */
    @Test
    void oneThatDoesNotStartIsNamed() {
        unable.put("jetty", TargetException.refusal(TargetException.Refusal.SERVER, "it is no Jetty"));
        Session.Ran ran = run();
        assertThat(outcomes(ran))
                .containsEntry("tomcat-nio", "given up, because of jetty: it is no Jetty")
                .containsEntry("jetty", "it is no Jetty")
                .containsEntry("undertow", "given up, because of jetty: it is no Jetty");
        assertThat(warnings(ran, "jetty")).contains(WarningKind.SERVER_FAILED);
        assertThat(warnings(ran, "tomcat-nio")).doesNotContain(WarningKind.SERVER_FAILED);
        assertThat(loads).isEmpty();
        for (String arm : List.of("tomcat-nio", "undertow")) {
            assertThat(times("failed: it is no Jetty " + arm)).isEqualTo(times("start " + arm));
        }
    }

    /** Not every failure at start-up is the server's fault: its port may be taken. */
    @Test
    void aFailureThatIsNotTheServersIsNotHeldAgainstIt() {
        unable.put("jetty", new TargetException("port 8080 is taken"));
        Session.Ran ran = run();
        assertThat(outcomes(ran)).containsEntry("jetty", "port 8080 is taken");
        assertThat(warnings(ran, "jetty")).doesNotContain(WarningKind.SERVER_FAILED);
        assertThat(ran.refusal()).isEmpty();
    }

    @Test
    void whatDiesUnderLoadIsTheCause() {
        deaths.put("undertow", "ended by signal 9");
        Session.Ran ran = run();
        assertThat(ran.trouble().orElseThrow()).isEqualTo("a server died under load: undertow: ended by signal 9");
        assertThat(outcomes(ran).get("jetty")).startsWith("given up, because of undertow: ");
        assertThat(warnings(ran, "undertow")).contains(WarningKind.SERVER_FAILED);
        assertThat(warnings(ran, "jetty")).doesNotContain(WarningKind.SERVER_FAILED);
        ARMS.forEach(arm -> assertThat(happened)
                .filteredOn(what -> what.startsWith("failed: ") && what.endsWith(" " + arm))
                .hasSize(1));
    }

    /** The hint can be given on this machine only; no log contains it. */
    @Test
    void aGeneratorThatIsTooSlowIsToldAsOverload() {
        failure = LoadException.late("Gatling came too late for its time slices");
        assertThat(run().trouble().orElseThrow())
                .matches("the machine was overloaded \\(load average \\S+ on \\d+ processors?; other programs took"
                        + " \\d+ % of their time\\): Gatling came too late for its time slices: (stop|give) .*");
    }

    private void ofStarts() {
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(campaign);
        ((ObjectNode) tree.get("plan")).set("loads", json.valueToTree(List.of(MeasuredLoad.START_UP)));
        campaign = json.convertValue(tree, Campaign.class);
    }

    private Session.Ran runStartUnderLoad() throws IOException {
        ofStarts();
        peak = Optional.of(Duration.ofSeconds(1));
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/hello", exchange -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("Hello".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        http.start();
        try {
            return run(List.of("jetty"));
        } finally {
            http.stop(0);
        }
    }

    @Test
    void aStartHasLoadAndASecondOneShowsItsCode() throws IOException {
        Session.Ran ran = runStartUnderLoad();

        assertThat(ran.trouble()).isEmpty();
        assertThat(times("start jetty")).isEqualTo(2);
        assertThat(times("stopped jetty")).isEqualTo(2);
        assertThat(times("warm tomcat-nio")).as("the companion").isEqualTo(1);
        assertThat(ran.serverRuns()).singleElement().satisfies(one -> {
            assertThat(one.measured()).isTrue();
            assertThat(one.course().unseen()).isEqualTo("its code cannot be seen from here");
        });
        assertThat(store.serverRun(3, 1, "jetty", 1).resolve("peak.csv")).exists();
    }

    /** Otherwise an arm would be judged only by the starts that survived. */
    @Test
    void aSecondStartThatDiesIsAFailureOfItsArm() throws IOException {
        secondDeath = "exit 137";
        Session.Ran ran = runStartUnderLoad();

        assertThat(ran.trouble()).contains("jetty: the server died under load: exit 137");
        assertThat(warnings(ran, "jetty")).contains(WarningKind.SERVER_FAILED);
        assertThat(ran.serverRuns()).singleElement().satisfies(one -> assertThat(one.measured())
                .isFalse());
    }

    /** The companion is a server of the baseline, not of the arm beside it. */
    @Test
    void aCompanionThatDoesNotStartIsNotHeldAgainstTheArmBesideIt() throws IOException {
        unable.put("tomcat-nio", TargetException.died("the server died at its start (exit 1)"));
        Session.Ran ran = runStartUnderLoad();

        assertThat(ran.trouble()).contains("the companion: the server died at its start (exit 1)");
        assertThat(ran.diedAtStart()).isFalse();
        assertThat(warnings(ran, "jetty")).doesNotContain(WarningKind.SERVER_FAILED);
        assertThat(times("start jetty")).isZero();
    }

    @Test
    void aCompanionThatIsNotWarmedUpServesNoStart() throws IOException {
        coldCompanion = new TargetException("the server does not answer");
        assertThat(runStartUnderLoad().trouble()).contains("the companion: the server does not answer");
        assertThat(times("stopped tomcat-nio")).isEqualTo(1);

        coldCompanion = null;
        attempt = 2;
        assertThat(runStartUnderLoad().trouble()).isEmpty();
        assertThat(times("start tomcat-nio")).isEqualTo(2);
    }

    @Test
    void startsAloneHaveNoLoad() {
        ofStarts();
        Session.Ran ran = run();
        assertThat(ran.trouble()).isEmpty();
        assertThat(loads).isEmpty();
        assertThat(happened).noneMatch(what -> what.startsWith("burst"));
        assertThat(ran.serverRuns()).allSatisfy(one -> assertThat(one.loads())
                .singleElement()
                .satisfies(load -> assertThat(load.load().isStartUp()).isTrue()));
    }
}
