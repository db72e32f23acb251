package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.Golden;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.Replayed;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.verdict.Baseline;

/**
 * Compares logs and monitors of one block, as campaigns of each kind keep them, with the numbers computed from them:
 * the whole content of {@code server-run.json} for a load, except the packed histogram.
 */
class GoldenLoadsTest {

    /** A recorded load. */
    private record Load(
            String name, double windowSeconds, int rounds, double timeSliceSeconds, List<MeasuredLoad> loads) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** Order of the arms in all recordings. */
    private static final List<String> ORDER = List.of("tomcat-nio-control", "tomcat-nio", "jetty");

    static List<Load> loads() {
        return List.of(
                new Load("slices", 3, 1, 0.25, List.of(new MeasuredLoad("delay", 4, 0, "gatling"))),
                new Load("slices-jmeter", 2, 1, 0.25, List.of(new MeasuredLoad("delay", 2, 0, "jmeter"))),
                new Load(
                        "windows",
                        3,
                        2,
                        0,
                        List.of(
                                new MeasuredLoad("delay", 2, 0, "gatling"),
                                new MeasuredLoad("delay", 0, 20, "gatling"))),
                new Load("wrk", 2, 1, 0.25, List.of(new MeasuredLoad("hello", 4, 0, "wrk"))),
                new Load("ab", 2, 1, 0.25, List.of(new MeasuredLoad("hello", 4, 0, "ab"))),
                new Load("siege", 2, 1, 0.25, List.of(new MeasuredLoad("hello", 4, 0, "siege"))),
                new Load("capacity", 2, 1, 0, List.of(new MeasuredLoad("delay", 0, 0, "gatling"))));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void numbersAreTheSame(Load load) throws IOException {
        Path folder = Golden.FOLDER.resolve("loads").resolve(load.name());
        List<RunningServer> servers;
        try (Stream<Path> arms = Files.list(folder)) {
            servers = arms.filter(arm -> Files.isRegularFile(arm.resolve("monitor.csv")))
                    // The order of servers within an interleaving matters.
                    .sorted(Comparator.comparing(
                            arm -> ORDER.indexOf(arm.getFileName().toString())))
                    .map(arm -> GroupLoadTest.recorded(
                            arm,
                            load.loads().stream()
                                    .map(MeasuredLoad::workload)
                                    .distinct()
                                    .map(name -> new Workload(name, "/" + name, 0, Workload.ANY_LENGTH))
                                    .toList()))
                    .toList();
        }
        GroupLoad group = new GroupLoad(
                plan(load),
                PlannerTest.procedure(
                        Map.of("slo", "p90<60ms,errors<5%", "resolution", "30%", "from", "50", "in-flight", "60")),
                Machines.NONE,
                Path.of(".."),
                "golden",
                servers,
                Optional.empty(),
                new Random(1),
                1,
                line -> {},
                0);
        group.run(name -> new Replayed(name, folder.resolve("load")), name -> folder);
        Map<String, Object> numbers = new TreeMap<>();
        for (RunningServer server : servers) {
            for (LoadFigures result : group.results(server.name(), new LoadMerge.Division(1, 1, 0.9, 5))) {
                numbers.put(server.name() + ", " + result.load().words(), numbers(result));
            }
        }
        Golden.check(folder.resolve("numbers.json"), numbers);
    }

    private static Map<String, Object> numbers(LoadFigures result) {
        Map<String, Object> numbers = new TreeMap<>();
        numbers.put("rounds", result.rounds());
        numbers.put("requests", result.requests());
        numbers.put("errors", result.errors());
        numbers.put("seconds", result.seconds());
        numbers.put("figures", result.figures());
        numbers.put("reported", result.reported());
        numbers.put("rates", result.rates());
        numbers.put("cpuRates", result.cpuRates());
        numbers.put("trend", result.trend());
        numbers.put("warnings", result.warnings().stream().map(Warning::kind).toList());
        numbers.put(
                "steps",
                result.steps().stream()
                        .map(step -> Map.of("rate", step.rate(), "outcome", step.outcome(), "figures", step.figures()))
                        .toList());
        return numbers;
    }

    private static Plan plan(Load load) {
        return new Plan(
                new Plan.Subject(load.name(), "", ClaimList.NONE),
                new Plan.Design(1, 2, true, 0),
                new Plan.Windows(load.rounds(), load.windowSeconds(), 1, 0, load.timeSliceSeconds()),
                load.loads(),
                new Plan.Rule(List.of("cpu"), Map.of(), Shares.of(0.03), 0.05, Shares.of(0), Baseline.BOTH_COPIES),
                "equalised",
                true);
    }
}
