package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.cli.RunOptions;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Loops;
import org.servletbench.bench.model.LoadModel.Open;

class LoadPlanTest {

    private static final ProfilesFolder FOLDER =
            new ProfilesFolder(Path.of(System.getProperty("bench.root"), "profiles"));

    /** Returns a plan from options as on the command line: {@code users=5,10 hold=2s}. */
    private static LoadPlan plan(String commandLine) {
        Map<String, String> given = Arrays.stream(commandLine.split(" "))
                .filter(option -> !option.isEmpty())
                .map(option -> option.split("=", 2))
                .collect(Collectors.toMap(option -> option[0], option -> option[1]));
        return new RunOptions(new Options(given, FOLDER.loadDefaults()), FOLDER).load();
    }

    @Test
    void withoutOptionsTheFilesInProfilesHold() {
        LoadPlan plan = plan("");

        assertThat(plan.workloads())
                .extracting(Workload::name)
                .containsExactly("hello", "static", "payload", "metrics");
        assertThat(plan.model()).isInstanceOfSatisfying(Closed.class, closed -> assertThat(closed.users())
                .map(String::valueOf)
                .containsExactly(FOLDER.loadDefaults().get("users").split(",")));
        assertThat(plan.warmUp().isWanted()).isTrue();
    }

    @Test
    void tiersHoldAndWorkloadsAreTakenInTheOrderGiven() {
        LoadPlan plan = plan("users=10,5 hold=2s workloads=payload,hello warmup=0s");

        assertThat(plan.workloads()).extracting(Workload::name).containsExactly("payload", "hello");
        assertThat(plan.model().toString()).contains("users=[10, 5]");
        assertThat(((Closed) plan.model()).amount()).isEqualTo(new Hold(Duration.ofSeconds(2)));
        assertThat(plan.mostUsers()).isEqualTo(10);
    }

    @Test
    void theWholeTimeAndItsEndAreAnnounced() {
        LocalTime now = LocalTime.of(23, 58);

        LoadPlan plan = plan("users=10,5 hold=2s workloads=payload,hello warmup=60s");
        assertThat(plan.announcement(now)).contains("about 1 min 10 s, until 23:59 (30 s of warm-up, 12 s of load)");
        assertThat(plan.progress(2, "payload 5 users", now))
                .isEqualTo("[2/4] payload 5 users, about 36 s, until 23:58");

        assertThat(plan("hold=60s warmup=0s").announcement(now))
                .contains("about 18 min 51 s, until 00:16 (16 min 16 s of load)");
        assertThat(plan("users=5 hold=2s warmup=5s workloads=hello").announcement(now))
                .contains("about 33 s, until 23:58 (5 s of warm-up, 3 s of load)");
        assertThat(plan("loops=5").announcement(now)).as("ends by requests").isEmpty();
        assertThat(plan("loops=5").progress(1, "hello 100 users", now)).isEqualTo("[1/16] hello 100 users");
    }

    @Test
    void aDelayIsATimeInThePath() {
        assertThat(plan("workloads=delay").workloads())
                .extracting(Workload::path)
                .containsExactly("/delay/20");
        assertThat(plan("workloads=hello,delay delay=1s").workloads())
                .extracting(one -> one.ofWarmUp().path())
                .containsExactly("/hello", "/delay/1");
        assertThat(plan("workloads=hello,delay delay=1s").workloads())
                .extracting(Workload::path, Workload::blocks)
                .containsExactly(tuple("/hello", false), tuple("/delay/1000", true));
        assertThat(plan("workloads=query").workloads())
                .extracting(Workload::with)
                .containsExactly("query");
    }

    @Test
    void oneNumberOfLoopsHoldsForAllTiersAndAListForEach() {
        assertThat(((Closed) plan("users=5,10 loops=7").model()).amount()).isEqualTo(new Loops(Arrays.asList(7, 7)));
        assertThat(((Closed) plan("users=5,10 loops=7,8").model()).amount()).isEqualTo(new Loops(Arrays.asList(7, 8)));
    }

    @Test
    void theOpenModelHasARate() {
        assertThat(plan("model=open rate=200 hold=3s").model()).isEqualTo(new Open(200, Duration.ofSeconds(3)));
    }

    @Test
    void theWarmUpsUsersCountAsATierToo() {
        int users = plan("").warmUp().users();

        assertThat(plan("users=5").mostUsers()).isEqualTo(users);
        assertThat(plan("users=" + (users + 1)).mostUsers()).isEqualTo(users + 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    users=0                       | -Dusers=0 is not understood: give whole numbers from 1
                    users=-5                      | -Dusers=-5 is not understood
                    users=5,,10                   | -Dusers=5,,10 is not understood
                    users=five                    | -Dusers=five is not understood
                    users=99999                   | -Dusers=99999 is not understood
                    users=5,5                     | -Dusers has a duplicate
                    delay=20ms                    | delay=20ms is for the workload delay: add workloads=delay
                    workloads=delay delay=2m      | delay=2m is more than 30 s
                    workloads=delay delay=20      | -Ddelay=20 is not understood: give a time with its unit
                    workloads=helo                | no workload 'helo': choose from hello,static,payload,metrics,delay,query
                    workloads=hello,hello         | -Dworkloads has a duplicate
                    workloads=hello,              | -Dworkloads=hello, is not understood
                    hold=10                       | -Dhold=10 is not understood: give a time with its unit
                    hold=0s                       | -Dhold must be longer than zero
                    hold=-1s                      | -Dhold=-1s is not understood
                    hold=1d                       | -Dhold=1d is not understood
                    rampup=500ms                  | -Drampup: give at least 1s
                    rampup=soon                   | -Drampup=soon is not understood
                    loops=0                       | -Dloops=0 is not understood
                    loops=1,2                     | -Dloops has 2 values for 4 users
                    loops=10 hold=5s              | -Dhold cannot be used here
                    warmup=yes                    | -Dwarmup=yes is not understood
                    model=half-open               | -Dmodel=half-open is not understood: give closed or open
                    model=open                    | -Dmodel=open needs a rate
                    model=open rate=0             | -Drate=0 is not understood
                    model=open rate=fast          | -Drate=fast is not understood
                    model=open rate=NaN           | -Drate=NaN is not understood
                    model=open rate=33.3333333333 | -Drate=33.3333333333: logs name the rate with at most 9 decimals
                    model=open rate=9 users=5     | -Dusers cannot be used here: the open model has no users
                    model=open rate=9 loops=5     | -Dloops cannot be used here
                    rate=200                      | -Drate cannot be used here: the closed model has no rate
                    failed.max.percent=101        | -Dfailed.max.percent=101 is not understood
                    """)
    void refusesInOneLineThatNamesTheOption(String commandLine, String message) {
        assertThatThrownBy(() -> plan(commandLine))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message)
                .hasMessageNotContaining("\n");
    }
}
