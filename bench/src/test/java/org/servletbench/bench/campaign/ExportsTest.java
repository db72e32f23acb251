package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests that a server whose exports differ from what its arm says is rejected. */
class ExportsTest {

    @Test
    void aServerThatIsToExportSendsSpans() {
        assertThat(new Exports(3, 4000, 20).wrong(true)).isEmpty();
        // Metrics alone are not enough: traces were requested, too.
        assertThat(new Exports(3, 4000, 0).wrong(true)).hasValueSatisfying(why -> assertThat(why)
                .startsWith("exports: true, but no span arrived at the rig's collector (0 spans, 4,000 bytes in"
                        + " 3 requests)"));
    }

    @Test
    void aServerThatIsToExportNothingSendsNothing() {
        assertThat(new Exports(0, 0, 0).wrong(false)).isEmpty();
        assertThat(new Exports(1, 90, 0).wrong(false))
                .contains("exports: false, but the rig's collector got 0 spans, 90 bytes in 1 requests: switch the"
                        + " exporter off");
    }
}
