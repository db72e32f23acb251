package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Expected values from R's binom.test and qbinom. */
class CountedTest {

    @Test
    void exactIntervals() {
        Counted counted = new Counted(9, 10);
        assertThat(counted.low(0.95)).isCloseTo(0.5549839, within(1e-6));
        assertThat(counted.high(0.95)).isCloseTo(0.9974714, within(1e-6));
        assertThat(new Counted(0, 10).low(0.95)).isZero();
        assertThat(new Counted(0, 10).high(0.95)).isCloseTo(0.3084971, within(1e-6));
        assertThat(new Counted(10, 10).high(0.95)).isEqualTo(1);
        assertThat(counted.interval(0.95)).isEqualTo("55.5 to 99.7 %");
    }

    @Test
    void whatChanceExplains() {
        assertThat(Counted.mostByChance(8, 0.05)).isEqualTo(2);
        assertThat(Counted.mostByChance(0, 0.05)).isZero();
        assertThat(Counted.mostByChance(1, 0.05)).isZero();
    }
}
