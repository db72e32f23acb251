package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/** Tests requests of a journey, in which several loads share the users. */
class JourneyLogTest {

    @TempDir
    Path folder;

    /** Returns the loads of users who send cart (60 ms) and pay (40 ms) in turn, for 10 s. */
    private List<WindowResult> journey(int pauseMs, int users) throws IOException {
        Logs.GatlingWriter log = new Logs.GatlingWriter("3.15.1", "shop 2 users")
                .user(0, true, 0)
                .user(0, true, 0);
        for (int user = 0; user < users; user++) {
            for (int at = 0; at < 10_000; at += 100 + pauseMs) {
                log.request("shop 2 users / cart", at, at + 60, null);
                log.request("shop 2 users / pay", at + 60, at + 100, null);
            }
        }
        return Logs.measure(
                        folder,
                        log.user(0, false, 10_000).user(0, false, 10_000).log())
                .loads();
    }

    private static Warning check(WindowResult load, WarningKind kind) {
        return load.checks().stream()
                .filter(one -> one.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachRequestIsACellOfTheJourneysUsers() throws IOException {
        List<WindowResult> loads = journey(0, 2);
        assertThat(loads)
                .extracting(WindowResult::load)
                .containsExactly(new Load("shop / cart", 2, 0), new Load("shop / pay", 2, 0));
        assertThat(loads).allSatisfy(load -> {
            assertThat(check(load, WarningKind.USERS_HELD).outcome()).isEqualTo(Warning.Outcome.PASSED);
            assertThat(check(load, WarningKind.STEADY_WINDOW).outcome()).isEqualTo(Warning.Outcome.PASSED);
            assertThat(load.steady().throughput()).isBetween(19.5, 20.5);
        });
    }

    /**
     * Each load alone has fewer pending requests than users. All loads together must account for the users, unless
     * these pause.
     */
    @ParameterizedTest
    @CsvSource({"0, 2, PASSED", "100, 2, NOT_JUDGED", "0, 3, FAILED"})
    void littlesLawIsJudgedOverAllOfThem(int pauseMs, int users, Warning.Outcome outcome) throws IOException {
        assertThat(journey(pauseMs, users)).allSatisfy(load -> {
            Warning check = check(load, WarningKind.LITTLES_LAW);
            assertThat(check.outcome()).as(check.figures()).isEqualTo(outcome);
            assertThat(check.figures()).contains("in all loads of these users, N = 2");
        });
    }
}
