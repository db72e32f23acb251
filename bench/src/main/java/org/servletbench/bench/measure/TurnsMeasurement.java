package org.servletbench.bench.measure;

import java.util.List;
import java.util.Map;

/**
 * What one server did in its turns of a {@link Rotation}, beside the figures that any window has.
 *
 * @param all requests of this server that ended within the rotation, counted or not
 * @param failed requests of this server that failed, in its turns or not
 * @param errorKinds how often each kind of error among {@code failed}
 * @param turnSeconds length of its turns, s: what is not counted of them was spent on answers for the server before
 * @param blocked whole turns of other servers in which this one still held their users: it stalled for longer than a turn
 * @param chargedSeconds time of pauses after the turns in which they began, s, where they last longer than answers otherwise take; part
 *     of the seconds that count
 * @param readings its turns at whose edges CPU time was read
 * @param late users who waited for another server, on average over the counted time
 * @param accounted users for whom throughput and response times account (Little's law): the product of both, of the requests that were
 *     sent in the counted parts
 * @param rates throughput in batches of successive rounds, requests/s; NaN where a batch has no counted time. The batches of all
 *     servers of a rotation are of the same rounds
 * @param cpuRates CPU time of the server's processes per request in the same batches, µs; NaN where a batch has no readings
 * @param besideOthers the rates divided by those of the other servers
 */
public record TurnsMeasurement(
        long all,
        long failed,
        Map<String, Long> errorKinds,
        double turnSeconds,
        int blocked,
        double chargedSeconds,
        int readings,
        double late,
        double accounted,
        List<Double> rates,
        List<Double> cpuRates,
        List<Double> besideOthers) {

    TurnsMeasurement besideOthers(List<Double> relative) {
        return new TurnsMeasurement(
                all,
                failed,
                errorKinds,
                turnSeconds,
                blocked,
                chargedSeconds,
                readings,
                late,
                accounted,
                rates,
                cpuRates,
                List.copyOf(relative));
    }
}
