package org.servletbench.bench.measure;

import java.util.List;
import java.util.Map;

/** Figures of one server in its turns of a {@link Rotation}, in addition to those of any window. */
public record TurnsMeasurement(Requests requests, Held held, Users users, Batches batches) {

    /**
     * Its requests.
     *
     * @param all requests of this server that ended within the rotation, counted or not
     * @param failed requests of this server that failed, in its turns or not
     * @param errorKinds number of errors of each kind among {@code failed}
     */
    public record Requests(long all, long failed, Map<String, Long> errorKinds) {}

    /**
     * The time in which it had the users.
     *
     * @param turnSeconds length of its turns, s: the uncounted part was spent on answers for the previous server
     * @param blocked whole turns of other servers in which this one still held their users: it stalled for longer than a turn
     * @param chargedSeconds time of pauses after the turns in which they began, s, if they last longer than answers otherwise take;
     *     part of the counted seconds
     * @param readings number of its turns at whose edges CPU time was read
     */
    public record Held(double turnSeconds, int blocked, double chargedSeconds, int readings) {}

    /**
     * Its users.
     *
     * @param late users who waited for another server, on average over the counted time
     * @param accounted users explained by throughput and response times (Little's law): the product of both, for the requests that
     *     were sent in the counted parts
     */
    public record Users(double late, double accounted) {}

    /**
     * Its figures over time. The batches of all servers of a rotation are of the same rounds.
     *
     * @param rates throughput in batches of successive rounds, requests/s; NaN if a batch has no counted time
     * @param cpuRates CPU time of the server's processes per request in the same batches, µs; NaN if a batch has no readings
     * @param besideOthers the rates divided by those of the other servers
     */
    public record Batches(List<Double> rates, List<Double> cpuRates, List<Double> besideOthers) {}

    TurnsMeasurement besideOthers(List<Double> relative) {
        return new TurnsMeasurement(requests, held, users, new Batches(rates(), cpuRates(), List.copyOf(relative)));
    }

    public long all() {
        return requests.all;
    }

    public long failed() {
        return requests.failed;
    }

    public Map<String, Long> errorKinds() {
        return requests.errorKinds;
    }

    public double turnSeconds() {
        return held.turnSeconds;
    }

    public int blocked() {
        return held.blocked;
    }

    public double chargedSeconds() {
        return held.chargedSeconds;
    }

    public int readings() {
        return held.readings;
    }

    public double late() {
        return users.late;
    }

    public double accounted() {
        return users.accounted;
    }

    public List<Double> rates() {
        return batches.rates;
    }

    public List<Double> cpuRates() {
        return batches.cpuRates;
    }

    public List<Double> besideOthers() {
        return batches.besideOthers;
    }
}
