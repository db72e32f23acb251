package org.servletbench.bench.measure;

import java.util.List;
import java.util.Map;

/** Figures of one server in its time slices of an {@link Interleaving}, in addition to those of any window. */
public record SlicesMeasurement(Requests requests, Held held, Users users, Batches batches) {

    /**
     * The server's requests.
     *
     * @param all number of requests to this server that ended within the interleaving, counted or not
     * @param failed number of requests to this server that failed, in its time slices or not
     * @param errorKinds number of errors of each kind among {@code failed}
     */
    public record Requests(long all, long failed, Map<String, Long> errorKinds) {}

    /**
     * The time in which the server had the users.
     *
     * @param timeSliceSeconds length of its time slices, s; the uncounted part was spent on answers for the previous
     *     server
     * @param blocked number of whole time slices of other servers in which this one still held their users, because it
     *     stalled for longer than a time slice
     * @param chargedSeconds duration of pauses after the time slices in which they began, s, if they last longer than
     *     answers usually take; part of the counted seconds
     * @param readings number of its time slices at whose edges CPU time was read
     */
    public record Held(double timeSliceSeconds, int blocked, double chargedSeconds, int readings) {}

    /**
     * The server's users.
     *
     * @param late mean number of users who waited for another server over the counted time
     * @param accounted number of users explained by throughput and response times (Little's law): the product of both,
     *     for the requests that were sent in the counted parts
     */
    public record Users(double late, double accounted) {}

    /**
     * The server's figures over time. The batches of all servers of an interleaving consist of the same rounds.
     *
     * @param rates throughput in batches of successive rounds, requests/s; NaN if a batch has no counted time
     * @param cpuRates CPU time of the server's processes per request in the same batches, µs; NaN if a batch has no
     *     readings
     * @param besideOthers the rates divided by those of the other servers
     */
    public record Batches(List<Double> rates, List<Double> cpuRates, List<Double> besideOthers) {}

    SlicesMeasurement besideOthers(List<Double> relative) {
        return new SlicesMeasurement(requests, held, users, new Batches(rates(), cpuRates(), List.copyOf(relative)));
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

    public double timeSliceSeconds() {
        return held.timeSliceSeconds;
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
