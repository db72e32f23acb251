package org.servletbench.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Share;

/**
 * Figures of one server in its turns of a {@link Rotation}, in addition to those of any window.
 *
 * @param all requests of this server that ended within the rotation, counted or not
 * @param failed requests of this server that failed, in its turns or not
 * @param errorKinds number of errors of each kind among {@code failed}
 * @param turnSeconds length of its turns, s: the uncounted part was spent on answers for the previous server
 * @param blocked whole turns of other servers in which this one still held their users: it stalled for longer than a turn
 * @param chargedSeconds time of pauses after the turns in which they began, s, if they last longer than answers otherwise take;
 *     part of the counted seconds
 * @param readings number of its turns at whose edges CPU time was read
 * @param late users who waited for another server, on average over the counted time
 * @param accounted users explained by throughput and response times (Little's law): the product of both, for the requests that were
 *     sent in the counted parts
 * @param rates throughput in batches of successive rounds, requests/s; NaN if a batch has no counted time. The batches of all
 *     servers of a rotation are of the same rounds
 * @param cpuRates CPU time of the server's processes per request in the same batches, µs; NaN if a batch has no readings
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

    /** Least counted share of the turns: the rest was spent on answers for the previous server. */
    private static final double LEAST_COUNTED = 0.5;
    /**
     * Largest share of a server's time in pauses that last longer than a turn after their own: above it, the result depends on few
     * of them.
     */
    private static final double LONG_PAUSES = 0.01;
    /** Users for whom the generator has no time, as a share: above it, the generator limits the throughput. */
    private static final double USERS_MISSING = 0.05;

    /** Users not explained by throughput and response times of turns, or who come late, as a share. */
    private static final double UNACCOUNTED = Share.USUAL_MARGIN;
    /** Largest possible error of throughput, as a share, if response times are cut: above it, nothing is known. */
    private static final double HIDDEN = 0.01;
    /** Standard errors by which these may differ by chance: the edges of turns cut through requests. */
    private static final double BY_CHANCE = 3;

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

    /**
     * Returns the warnings about them.
     *
     * @param counted the requests in the counted part of the turns
     * @param users of the load
     * @param list true if users send several requests in order: those that wait may differ from those that are answered
     */
    List<Mark> marks(Summary counted, int users, Rotation rotation, boolean list) {
        List<Mark> marks = new ArrayList<>();
        boolean empty = counted.count() == 0;
        double seconds = counted.seconds() - chargedSeconds;
        Mark.add(marks, empty, MarkKind.EMPTY, "no request was answered in the counted part of its turns");
        Mark.add(
                marks,
                !empty && failed > Audit.ERRORS * all,
                MarkKind.ERRORS,
                "%d of %d failed: %s",
                failed,
                all,
                errorKinds);
        Mark.add(
                marks,
                !empty && 1 - (counted.users() + late) / users > USERS_MISSING,
                MarkKind.USERS_WAITING,
                "only %.1f of %d users waited for an answer in its turns (limit %.0f %% fewer)",
                counted.users() + late,
                users,
                100 * USERS_MISSING);
        Mark.add(
                marks,
                !empty && late / users > UNACCOUNTED,
                MarkKind.LATE_ARRIVALS,
                "%.1f of %d users still waited for another server in its turns (limit %.0f %%)",
                late,
                users,
                100 * UNACCOUNTED);
        double unaccounted = UNACCOUNTED + BY_CHANCE / Math.sqrt(counted.count());
        double more = (accounted - counted.users()) / users;
        boolean judged = !empty && chargedSeconds <= LONG_PAUSES * counted.seconds();
        // Pending requests are answered in users / throughput: for that share of a turn the work may lie beyond its
        // edge.
        double hidden = -more * 1e3 * users / counted.throughput() / rotation.turnMs();
        boolean cut = more < -unaccounted && hidden <= HIDDEN && !list;
        Mark.add(
                marks,
                judged && Math.abs(more) > unaccounted,
                cut ? MarkKind.CUT_RESPONSES : MarkKind.LITTLES_LAW,
                "throughput times response time is %.1f users, of %.1f who waited in its turns of %d ms (limit %.0f %% of %d)",
                accounted,
                counted.users(),
                rotation.turnMs(),
                100 * unaccounted,
                users);
        Mark.add(
                marks,
                seconds < LEAST_COUNTED * turnSeconds,
                MarkKind.SHORT_TURNS,
                "only %.0f %% of its turns of %d ms could be counted (limit %.0f %%): the servers before took long to answer what"
                        + " was under way",
                100 * seconds / turnSeconds,
                rotation.turnMs(),
                100 * LEAST_COUNTED);
        Mark.add(
                marks,
                chargedSeconds > LONG_PAUSES * counted.seconds(),
                MarkKind.LONG_PAUSES,
                "its pauses went on for %.1f s after its turns, %.1f %% of its time (limit %.0f %%), through %d turns of others",
                chargedSeconds,
                100 * chargedSeconds / counted.seconds(),
                100 * LONG_PAUSES,
                blocked);
        Mark.add(
                marks,
                2 * readings < rotation.rounds(),
                MarkKind.NO_CPU_READINGS,
                "CPU time was read at the edges of only %d of its %d turns",
                readings,
                rotation.rounds());
        return marks;
    }
}
