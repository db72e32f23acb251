package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.TimeToPeak.Moment;
import org.servletbench.bench.measure.TimeToWarm.Look;

class TimeToWarmTest {

    /** Returns samplings one second apart, each with this many of 140 samples below the top tier. */
    private static List<Look> looks(int... below) {
        List<Look> looks = new ArrayList<>();
        for (int one : below) {
            double at = looks.size() + 1.0;
            looks.add(new Look(new Moment(at, 2 * at), new CodeTiers(0, one, 140 - one)));
        }
        return looks;
    }

    @Test
    void itIsTheFirstLookFromWhichOnTheShareIsSmall() {
        assertThat(TimeToWarm.of(looks(90, 60, 20, 3, 3, 2, 1), TopTier.C2)).contains(new Moment(4, 8));
        assertThat(TimeToWarm.of(looks(90, 60, 20, 10, 6), TopTier.C2)).isEmpty();
        assertThat(TimeToWarm.of(List.of(), TopTier.C2)).isEmpty();
    }

    @Test
    void aLookThatHappensToBeGoodDoesNotDecide() {
        assertThat(TimeToWarm.of(looks(90, 2, 60, 20, 3, 3, 2, 1), TopTier.C2)).contains(new Moment(5, 10));
    }

    @Test
    void aLookWithoutSamplesShowsNothing() {
        List<Look> looks = looks(90, 60, 20, 3, 3);
        looks.add(3, new Look(new Moment(3.5, 7), CodeTiers.NONE));
        assertThat(TimeToWarm.of(looks, TopTier.C2)).contains(new Moment(4, 8));
    }

    /** A share that starts at 30 % and halves every 2 s is at 3 % after 6.6 s. */
    @Test
    void itIsNearTheTruth() {
        Random random = new Random(3);
        double sum = 0;
        for (int repeat = 0; repeat < 200; repeat++) {
            int[] below = new int[25];
            for (int second = 0; second < below.length; second++) {
                double share = Math.max(0.01, 0.3 * Math.pow(0.5, (second + 0.5) / 2));
                below[second] =
                        (int) random.doubles(140).filter(one -> one < share).count();
            }
            sum += TimeToWarm.of(looks(below), TopTier.C2).orElseThrow().seconds();
        }
        assertThat(sum / 200).isBetween(6.0, 9.0);
    }
}
