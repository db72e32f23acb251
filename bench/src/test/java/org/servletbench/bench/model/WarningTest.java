package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class WarningTest {

    /** Records keep the format from before warnings knew whether they passed. */
    @Test
    void aRecordHoldsTheCheckItsFiguresAndWhetherItExcludes() throws IOException {
        Warning warning = Warning.of(WarningKind.LITTLES_LAW, "L = 90, N = 100");
        String json = "{\"check\":\"littles-law\",\"figures\":\"L = 90, N = 100\",\"excludes\":true}";
        assertThat(Json.MAPPER.valueToTree(warning).toString()).isEqualTo(json);
        assertThat(Json.MAPPER.readValue(json, Warning.class)).isEqualTo(warning);
        assertThat(warning.failed()).isTrue();
    }

    @Test
    void whatPassedOrCouldNotBeJudgedDidNotFail() {
        assertThat(Warning.of(WarningKind.COUNTS, true, "").failed()).isFalse();
        assertThat(Warning.notJudged(WarningKind.COUNTS, "").failed()).isFalse();
        assertThat(Warning.of(WarningKind.COUNTS, false, "").failed()).isTrue();
    }
}
