package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Sha256;
import org.servletbench.proofs.Finding.Outcome;

/** A changed seal is detected, and so is a bias that is too small for any single interval to show. */
class BlindTest {

    @Test
    void anotherAssignmentDoesNotFitTheSeal() throws Exception {
        Seal seal = Seal.draw(10, 46_000, 2300, new SecureRandom());
        assertThat(seal.isWhole()).isTrue();
        assertThat(seal.hash()).matches("[0-9a-f]{64}");
        assertThat(seal.nonce()).matches("[0-9a-f]{64}");
        assertThat(seal.text()).matches("[05](,[05]){9} burn=2300ns own=46000ns nonce=[0-9a-f]{64}");
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readValue(json.writeValueAsString(seal), Seal.class)).isEqualTo(seal);

        List<Boolean> changed = new ArrayList<>(seal.effects());
        changed.set(3, !changed.get(3));
        assertThat(new Seal(seal.hash(), seal.nonce(), 46_000, 2300, changed).isWhole())
                .isFalse();
        assertThat(new Seal(seal.hash(), seal.nonce(), 46_000, 2400, seal.effects()).isWhole())
                .isFalse();
    }

    @Test
    void theHashIsThatOfOtherTools() {
        // printf abc | sha256sum
        assertThat(Sha256.of("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void everyCampaignIsDrawnByItself() {
        List<List<Boolean>> drawn = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            drawn.add(Seal.draw(40, 1, 1, new SecureRandom()).effects());
        }
        assertThat(drawn)
                .doesNotHaveDuplicates()
                .allSatisfy(effects -> assertThat(effects).hasSize(40).contains(true, false));
    }

    /** Returns the tally of ten campaigns whose estimates are off by this share, with intervals of ±5 %. */
    private static List<Finding> tally(double bias, boolean allWithEffect) {
        Random random = new Random(4);
        List<BlindTally.Result> results = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            boolean effect = allWithEffect || i % 2 == 0;
            double truth = effect ? 1.05 : 1;
            double ratio = truth * (1 + bias) * Math.exp(0.005 * random.nextGaussian());
            results.add(new BlindTally.Result(i, effect, truth, ratio, ratio / 1.05, ratio * 1.05));
        }
        return BlindTally.findings(results, 0.025);
    }

    private static Finding about(List<Finding> findings, String subject) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPooledBiasFailsAlthoughAllIntervalsCover() {
        List<Finding> sound = tally(0, false);
        assertThat(about(sound, "pooled bias, all campaigns").outcome()).isEqualTo(Outcome.PASSED);
        assertThat(about(sound, "coverage").measured()).isEqualTo("10 of 10");
        assertThat(sound)
                .filteredOn(one -> one.subject().startsWith("campaign "))
                .hasSize(10);

        List<Finding> biased = tally(0.02, false);
        assertThat(about(biased, "coverage").outcome()).isEqualTo(Outcome.PASSED);
        Finding pooled = about(biased, "pooled bias, all campaigns");
        assertThat(pooled.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(pooled.measured()).matches("\\+(1\\.[5-9]|2\\.[0-5])\\d % over 10 campaigns");
        assertThat(about(tally(-0.02, false), "pooled bias, all campaigns").outcome())
                .isEqualTo(Outcome.FAILED);
    }

    @Test
    void intervalsThatMissFail() {
        BlindTally.Result miss = new BlindTally.Result(1, false, 1, 1.002, 1.001, 1.003);
        List<Finding> findings = BlindTally.findings(Collections.nCopies(10, miss), 0.025);
        assertThat(about(findings, "coverage").outcome()).isEqualTo(Outcome.FAILED);
        assertThat(about(findings, "found").measured())
                .isEqualTo("a difference in 0 of 0 campaigns with it, and in 10 of 10 without");
        assertThat(about(findings, "pooled bias, those with 5 %").outcome()).isEqualTo(Outcome.SKIPPED);
    }
}
