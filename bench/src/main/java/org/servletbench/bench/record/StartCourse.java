package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import org.servletbench.bench.measure.TimeToPeak.Round;

/**
 * A server under load from its first answer on. When it reaches its peak, for example, is among the figures of its
 * start-up.
 *
 * @param load workload and users, for people
 * @param seconds time from the start of its process to the end of the load, s
 * @param rates throughput in each second of that time, requests/s; 0 before its first answer; a second in which no
 *     slice began has that of the previous slice
 * @param unseen why it is not known when its code was warm; null if its code was sampled
 */
public record StartCourse(
        String load,
        double seconds,
        List<Double> rates,
        @JsonInclude(JsonInclude.Include.NON_NULL) String unseen) {

    /** Returns the course of a load, from its slices. */
    public static StartCourse of(String load, List<Round> rounds, double seconds, String unseen) {
        List<Double> rates = new ArrayList<>();
        double last = 0;
        for (int second = 0; second < seconds; second++) {
            int from = second;
            last = rounds.stream()
                    .filter(one -> (int) one.at().seconds() == from)
                    .mapToDouble(Round::rate)
                    .average()
                    .orElse(last);
            rates.add((double) Math.round(last));
        }
        return new StartCourse(load, seconds, rates, unseen);
    }
}
