package org.servletbench.bench.campaign;

import java.util.List;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Cell;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.server.NginxSpec;

/** Campaigns that ask something else than which container serves most users: starts, fixed rates, a change of line. */
final class Questions {

    /** Options of a load, which a campaign of starts has not. */
    private static final List<String> OF_LOAD = List.of(
            "generators", "tiers", "rates", "hold", "turn", "rounds", "warmup", "generator.warmup", "together");

    private Questions() {}

    /** What a campaign of starts measures. */
    static List<Cell> startUp(Options options) {
        OF_LOAD.stream().filter(options::isGiven).findFirst().ifPresent(name -> {
            throw new UsageException("--" + name.replace('.', '-') + " has no meaning with --startup: servers are started"
                    + " one after the other, and no load is sent");
        });
        if (!options.isGiven("jar") && options.names("arms").contains(NginxSpec.ARM)) {
            throw new UsageException("--arms: nginx is no JVM: remove it, --startup compares starts of JVMs");
        }
        return List.of(Cell.START_UP);
    }

    /** Whether fixed rates were asked for, and no numbers of users. */
    static boolean isOnlyOpen(Options options) {
        return options.isGiven("rates") && !options.isGiven("tiers");
    }

    /**
     * Arms of several lines as one group, where the plan is {@link Plan#MIGRATION}; else the arms as they are.
     *
     * @throws UsageException if all are of one line
     */
    static List<Arm> grouped(Options options, List<Arm> arms) {
        if (!options.required("plan").equals(Plan.MIGRATION)) {
            return arms;
        }
        if (arms.stream().map(Arm::line).distinct().count() < 2) {
            throw new UsageException("--migration compares arms of several lines, such as undertow+boot3 and jetty+boot4,"
                    + " and all of --arms are of one: leave --migration out");
        }
        return arms.stream().map(arm -> arm.migrating(Plan.MIGRATION)).toList();
    }
}
