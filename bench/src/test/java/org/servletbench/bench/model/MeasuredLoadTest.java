package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredLoadTest {

    @Test
    void aPauseIsASettingThatPagesAndFilesShow() {
        MeasuredLoad paused = new MeasuredLoad(
                "hello", 50, 0, "siege", new ToolSettings(Pause.parse("up to 1s"), 0, 0, true, List.of()));
        assertThat(paused.tool()).isEqualTo("siege");
        assertThat(paused.generator()).isEqualTo("siege");
        assertThat(paused.id()).isEqualTo("hello-50-pausing-up-to-1s-siege");
        assertThat(paused.words()).isEqualTo("hello 50 users pausing up to 1s, siege");
        assertThat(paused).isNotEqualTo(new MeasuredLoad("hello", 50, 0, "siege"));
    }

    @Test
    void filesNameThePause() throws IOException {
        MeasuredLoad paused = new MeasuredLoad(
                "hello", 50, 0, "gatling", new ToolSettings(Pause.parse("exponential 20ms"), 0, 0, true, List.of()));
        String json = Json.MAPPER.writeValueAsString(paused);
        assertThat(json).contains("\"pause\" : \"exponential 20ms\"");
        assertThat(Json.MAPPER.readValue(json, MeasuredLoad.class)).isEqualTo(paused);
        assertThat(paused.withoutGenerator().pause())
                .isEqualTo(paused.settings().pause());
        assertThat(paused.id()).isEqualTo("hello-50-pausing-exponential-20ms-gatling");
    }

    @Test
    void longTurnsAreASetting() throws IOException {
        MeasuredLoad lengthy = new MeasuredLoad("hello", 50, 0, "gatling", ToolSettings.LONG_SLICES);
        assertThat(lengthy.id()).isEqualTo("hello-50-gatling-long");
        String json = Json.MAPPER.writeValueAsString(lengthy);
        assertThat(Json.MAPPER.readValue(json, MeasuredLoad.class)).isEqualTo(lengthy);
    }

    @Test
    void filesHaveSettingsOnlyWhereAnArticleSaysSo() throws IOException {
        MeasuredLoad plain = new MeasuredLoad("hello", 50, 0, "wrk");
        String json = Json.MAPPER.writeValueAsString(plain);
        assertThat(json).contains("\"generator\" : \"wrk\"").doesNotContain("settings", "\"tool\"");
        assertThat(Json.MAPPER.readValue(json, MeasuredLoad.class)).isEqualTo(plain);

        MeasuredLoad published = new MeasuredLoad(
                "hello", 50, 0, "wrk", new ToolSettings(Pause.NONE, 0, 4, false, List.of("--latency")));
        assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsString(published), MeasuredLoad.class))
                .isEqualTo(published);
    }
}
