package org.servletbench.bench.measure;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What one server did in its turns of a {@link Rotation}.
 *
 * @param name the request name
 * @param requests that ended in the counted part of its turns, failed ones among them
 * @param errors failed requests among them
 * @param errorKinds how often each kind of error among {@code failed}
 * @param seconds length of the counted parts, s, and {@code chargedSeconds}
 * @param turnSeconds length of its turns, s: what is not counted of them was spent on answers for the server before
 * @param all requests of this server that ended within the rotation, counted or not
 * @param failed requests of this server that failed, in its turns or not
 * @param blocked whole turns of other servers in which this one still held their users: it stalled for longer than a turn
 * @param chargedSeconds time of pauses after the turns in which they began, s, where they last longer than answers otherwise take
 * @param readings its turns at whose edges CPU time was read
 * @param users who waited for this server, on average over the counted time; less than the load's users by those for whom the
 *     generator had no time, or who still waited for another server
 * @param late users who waited for another server, on average over the counted time
 * @param accounted users for whom throughput and response times account (Little's law): the product of both, of the requests that were
 *     sent in the counted parts
 * @param latency response times of the requests that were <em>sent</em> in the counted parts, ms, however late they were
 *     answered: of those that are answered within a turn the slow ones would be missing. Without those sent in the last three
 *     mean response times of a turn, which compete with the next server's requests
 * @param maxMs the slowest of them, ms; -1 without any
 * @param rates throughput in batches of successive rounds, requests/s; NaN where a batch has no counted time. The batches of all
 *     servers of a rotation are of the same rounds
 * @param cpuRates CPU time of the server's processes per request in the same batches, µs; NaN where a batch has no readings
 * @param cpuMicrosPerRequest CPU time of the server's processes per request, µs, from readings at the edges of turns; NaN without
 * @param cores processors that the server kept busy in its turns; NaN without readings
 * @param generatorCores processors that the generator kept busy in this server's turns; NaN without readings
 * @param each of the requests that users send in order; empty where that is one
 */
public record TurnsMeasurement(
        String name,
        long requests,
        long errors,
        Map<String, Long> errorKinds,
        double seconds,
        double turnSeconds,
        long all,
        long failed,
        int blocked,
        double chargedSeconds,
        int readings,
        double users,
        double late,
        double accounted,
        Histogram latency,
        long maxMs,
        List<Double> rates,
        List<Double> cpuRates,
        double cpuMicrosPerRequest,
        double cores,
        double generatorCores,
        List<RequestTally> each) {

    /** Requests/s over all counted time: a mean of single turns would weigh pauses wrongly. */
    public double throughput() {
        return requests / seconds;
    }
}
