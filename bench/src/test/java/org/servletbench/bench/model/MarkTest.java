package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MarkTest {

    /** Records hold what was found: their form is that of records from before marks knew whether they passed. */
    @Test
    void aRecordHoldsTheCheckItsFiguresAndWhetherItExcludes() throws IOException {
        Mark mark = Mark.of(MarkKind.LITTLES_LAW, "L = 90, N = 100");
        String json = "{\"check\":\"littles-law\",\"figures\":\"L = 90, N = 100\",\"excludes\":true}";
        assertThat(Json.MAPPER.valueToTree(mark).toString()).isEqualTo(json);
        assertThat(Json.MAPPER.readValue(json, Mark.class)).isEqualTo(mark);
        assertThat(mark.failed()).isTrue();
    }

    @Test
    void whatPassedOrCouldNotBeJudgedDidNotFail() {
        assertThat(Mark.of(MarkKind.COUNTS, true, "").failed()).isFalse();
        assertThat(Mark.notJudged(MarkKind.COUNTS, "").failed()).isFalse();
        assertThat(Mark.of(MarkKind.COUNTS, false, "").failed()).isTrue();
    }
}
