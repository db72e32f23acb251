package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.TimeToPeak.Moment;
import org.servletbench.bench.measure.TimeToPeak.Round;

class StartCourseTest {

    private static Round slice(double at, double rate) {
        return new Round(new Moment(at, at), rate, 1000);
    }

    /** The first response comes in the third second, and one slice is so slow that none starts in the fifth. */
    @Test
    void aSecondInWhichNoSliceBeginsIsNoDip() {
        StartCourse course = StartCourse.of(
                "hello with 6 users",
                List.of(slice(2.1, 100), slice(2.6, 200), slice(3.9, 80), slice(5.2, 400)),
                6,
                null);

        assertThat(course.rates()).containsExactly(0.0, 0.0, 150.0, 80.0, 80.0, 400.0);
    }
}
