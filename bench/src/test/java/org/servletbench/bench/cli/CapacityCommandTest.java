package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int capacity(String... arguments) {
        List<String> all = new ArrayList<>(List.of("capacity"));
        all.addAll(List.of(arguments));
        return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
    }

    @Test
    void itsPlanHasTheObjectiveAndOneServerAtATime() {
        assertThat(capacity("--dry-run", "--root", System.getProperty("bench.root")))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("plan capacity, ")
                .contains("one after the other")
                .contains("cell: capacity of hello with gatling, steps of 10 s")
                .contains("objective: p99 below 50 ms, errors below 0.1 %")
                .contains("min for a block");
    }

    @Test
    void itsHelpHasTheOptionsThatItUnderstandsAndTheirDefaults() {
        assertThat(capacity("--help", "--root", System.getProperty("bench.root")))
                .isZero();
        assertThat(out.toString())
                .contains("--slo=LIMITS")
                .contains("Default: p99<50ms,errors<0.1%")
                .contains("--resolution")
                .doesNotContain("--tiers")
                .doesNotContain("--startup");
        StringWriter compare = new StringWriter();
        Main.run(new PrintWriter(compare), new PrintWriter(err), "compare", "--help");
        assertThat(compare.toString()).contains("--tiers").doesNotContain("--slo");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --slo p99<50ms                                    | errors<SHARE is missing
            --slo fast                                        | is not understood: give limits
            --slo p99.9<50ms,errors<1%                        | give at least --from 1000 or --hold 100s
            --hold 5s                                         | give at least --from 200 or --hold 10s
            --from 0                                          | --from=0 is not understood
            --resolution 0%                                   | --resolution=0% is not understood
            --resolution two                                  | --resolution=two is not understood
            --users 20                                        | enough for 133 requests/s at most
            --workloads hello,static                          | --workloads: give one
            --tiers 100                                       | Unknown option
            --primary p99                                     | Unknown option
            """)
    void whatHasNoMeaningIsRejectedInOneLine(String arguments, String why) {
        List<String> all = new ArrayList<>(List.of("--dry-run", "--root", System.getProperty("bench.root")));
        all.addAll(List.of(arguments.split(" ")));
        assertThat(capacity(all.toArray(String[]::new))).isEqualTo(Main.USAGE);
        assertThat(err.toString().strip())
                .contains(why)
                .startsWith("capacity: ")
                .doesNotContain("\n");
    }
}
