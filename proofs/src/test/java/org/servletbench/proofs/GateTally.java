package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** How often the warm-up gate is wrong: servers whose warm-up was stopped, and how much faster they became afterwards. */
final class GateTally {

    static final String NAME = "gate";
    /** So much more throughput still to come makes "settled" wrong, and so much less makes "not settled" needless. */
    private static final double MUCH = 0.05;
    /** So many standard errors decide on which side of it a server is: 95 %, one-sided. */
    private static final double ERRORS = 1.645;

    private GateTally() {}

    /**
     * One server.
     *
     * @param settled what the gate said then
     * @param toCome ln(throughput at the plateau / throughput at the stop), both relative to the reference server
     * @param error standard error of {@code toCome}
     */
    record Server(int bursts, String profile, boolean settled, double toCome, double error) {

        private boolean hasMuchToCome() {
            return toCome - ERRORS * error > Math.log1p(MUCH);
        }

        private boolean hasLittleToCome() {
            return toCome + ERRORS * error < Math.log1p(MUCH);
        }
    }

    /** A line for each number of bursts, and two for the gate. */
    static List<Finding> findings(List<Server> servers) {
        List<Finding> findings = new ArrayList<>();
        for (int bursts :
                servers.stream().map(Server::bursts).distinct().sorted().toList()) {
            List<Server> those =
                    servers.stream().filter(one -> one.bursts == bursts).toList();
            List<String> shown = those.stream()
                    .map(one -> text(
                            "%s %s, %+.1f %% to come (± %.1f)",
                            one.profile,
                            one.settled ? "settled" : "not settled",
                            100 * Math.expm1(one.toCome),
                            100 * ERRORS * one.error))
                    .toList();
            findings.add(Finding.shown(
                    NAME,
                    "stopped after " + bursts + " bursts",
                    "",
                    String.join("; ", shown),
                    "± 1.645 standard errors; both relative to a server that has been warm for long"));
        }
        int settled = count(servers, one -> one.settled);
        int wrong = count(servers, one -> one.settled && one.hasMuchToCome());
        int right = count(servers, one -> one.settled && one.hasLittleToCome());
        String title = text("settled with more than %.0f %% to come", 100 * MUCH);
        String measured = text(
                "%d of %d settled; %d have less, %d cannot be told", wrong, settled, right, settled - wrong - right);
        findings.add(
                right + wrong == 0
                        ? Finding.shown(NAME, title, "none", measured, "no settled server could be told: not tested")
                        : Finding.of(
                                NAME,
                                title,
                                "none",
                                measured,
                                new Counted(wrong, right + wrong).interval(0.95),
                                wrong == 0));
        int open = servers.size() - settled;
        findings.add(Finding.shown(
                NAME,
                text("not settled with less than %.0f %% to come", 100 * MUCH),
                "",
                text(
                        "%d of %d not settled; %d have more",
                        count(servers, one -> !one.settled && one.hasLittleToCome()),
                        open,
                        count(servers, one -> !one.settled && one.hasMuchToCome())),
                "that costs time, or a mark that is not needed, and makes no figure wrong"));
        return findings;
    }

    private static int count(List<Server> servers, Predicate<Server> which) {
        return (int) servers.stream().filter(which).count();
    }
}
