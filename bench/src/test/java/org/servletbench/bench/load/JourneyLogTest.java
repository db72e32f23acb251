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
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;

/** Requests of a journey: several cells share the users. */
class JourneyLogTest {

    @TempDir
    Path folder;

    /** Two users for 10 s, who get cart after 60 ms and pay after 40 ms, in turn. */
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
                .cells();
    }

    private static Mark check(WindowResult cell, MarkKind kind) {
        return cell.checks().stream()
                .filter(one -> one.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachRequestIsACellOfTheJourneysUsers() throws IOException {
        List<WindowResult> cells = journey(0, 2);
        assertThat(cells)
                .extracting(WindowResult::load)
                .containsExactly(new Load("shop / cart", 2, 0), new Load("shop / pay", 2, 0));
        assertThat(cells).allSatisfy(cell -> {
            assertThat(check(cell, MarkKind.USERS_HELD).outcome()).isEqualTo(Mark.Outcome.PASSED);
            assertThat(check(cell, MarkKind.STEADY_WINDOW).outcome()).isEqualTo(Mark.Outcome.PASSED);
            assertThat(cell.steady().throughput()).isBetween(19.5, 20.5);
        });
    }

    /** Each cell has fewer requests under way than there are users; all cells together must account for them, otherwise they pause. */
    @ParameterizedTest
    @CsvSource({"0, 2, PASSED", "100, 2, NOT_JUDGED", "0, 3, FAILED"})
    void littlesLawIsJudgedOverAllOfThem(int pauseMs, int users, Mark.Outcome outcome) throws IOException {
        assertThat(journey(pauseMs, users)).allSatisfy(cell -> {
            Mark check = check(cell, MarkKind.LITTLES_LAW);
            assertThat(check.outcome()).as(check.figures()).isEqualTo(outcome);
            assertThat(check.figures()).contains("in all cells of these users, N = 2");
        });
    }
}
