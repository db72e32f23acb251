package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhaseTimesTest {
    private static final String HEADER = "block,arms,start.s,warm-up.s,load.s,rest.s\n";

    @TempDir
    Path folder;

    @Test
    void theSharesOfAllSessionsAreOneLine() throws IOException {
        PhaseTimes.append(folder, 1, List.of("a", "b"), new PhaseTimes(1, 10, 50, 39, 1));
        PhaseTimes.append(folder, 2, List.of("a", "b"), new PhaseTimes(1, 8, 52, 38.5, 1.5));
        PhaseTimes.append(folder, 2, List.of("c"), new PhaseTimes(1, 9, 51, 39.5, 0.54));

        assertThat(folder.resolve(PhaseTimes.FILE))
                .hasContent(HEADER + "1,a b,10.0,50.0,39.0,1.0\n2,a b,8.0,52.0,38.5,1.5\n2,c,9.0,51.0,39.5,0.5\n");
        assertThat(PhaseTimes.read(folder)).hasValueSatisfying(times -> {
            assertThat(times.words()).isEqualTo("start 9 %, warm-up 51 %, load 39 %, rest 1 %");
        });
    }

    @Test
    void whatIsNoTimeIsAnError() throws IOException {
        for (String none : new String[] {"Infinity", "NaN", "-1", "1e300"}) {
            Files.writeString(folder.resolve(PhaseTimes.FILE), HEADER + "1,a,1,1,1,1\n1,a,1," + none + ",1,1\n");
            assertThatThrownBy(() -> PhaseTimes.read(folder))
                    .as(none)
                    .hasMessageMatching("timings.csv: warm-up.s is .* in line 3, which is not a time");
        }
    }

    @Test
    void whatIsMissingOrDamagedIsNotKnown() throws IOException {
        assertThat(PhaseTimes.read(folder)).isEmpty();
        for (String damaged : new String[] {"", HEADER, HEADER + "1,a,10.0,5", HEADER + "1,a,x,1,1,1\n"}) {
            Files.writeString(folder.resolve(PhaseTimes.FILE), damaged);
            assertThat(PhaseTimes.read(folder)).as(damaged).isEmpty();
        }
    }
}
