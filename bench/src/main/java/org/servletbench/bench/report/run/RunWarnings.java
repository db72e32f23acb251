package org.servletbench.bench.report.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Hint.Where;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * The warnings on a run or a log.
 *
 * @param all all warnings, those on the server first
 * @param loads number of all loads
 * @param warned number of loads with a warning
 */
public record RunWarnings(List<RunWarning> all, int loads, int warned) {

    /** @param record record of its server; empty if the log is not from a run of servlet-bench */
    static RunWarnings of(Measured measured, Optional<ServerRecord> record) {
        Where where = record.map(known -> known.run().jmeterPlan() != null ? Where.OWN_PLAN : Where.RUN)
                .orElse(Where.LOG);
        List<RunWarning> all = new ArrayList<>();
        record.ifPresent(known -> ofServer(known, where, all));
        Map<WarningKind, List<String>> failed = new EnumMap<>(WarningKind.class);
        for (Warning check : measured.log().checks()) {
            if (check.failed()) {
                failed.computeIfAbsent(check.kind(), kind -> new ArrayList<>());
            }
        }
        List<WarningKind> ofLog = List.copyOf(failed.keySet());
        for (WindowResult load : measured.loads()) {
            load.checks().stream()
                    .filter(check -> check.failed() && !ofLog.contains(check.kind()))
                    .forEach(check -> failed.computeIfAbsent(check.kind(), kind -> new ArrayList<>())
                            .add(load.name()));
        }
        failed.forEach((kind, loads) -> all.add(new RunWarning(kind, "", List.copyOf(loads), where)));
        long warned =
                measured.loads().stream().filter(load -> hasWarning(all, load)).count();
        return new RunWarnings(List.copyOf(all), measured.loads().size(), (int) warned);
    }

    private static void ofServer(ServerRecord record, Where where, List<RunWarning> all) {
        if (record.life().died() != null) {
            all.add(new RunWarning(
                    WarningKind.SERVER_FAILED, RunFacts.known(record.life().ended(), ""), List.of(), where));
        }
        ServerRecord.WarmUp warmUp = record.run().warmUp();
        if (warmUp != null && !warmUp.hasSettled()) {
            boolean none = warmUp.seconds() != null && warmUp.seconds() == 0;
            all.add(
                    none
                            ? new RunWarning(WarningKind.NO_WARM_UP, "", List.of(), where)
                            : new RunWarning(
                                    WarningKind.WARM_UP, RunFacts.known(warmUp.reason(), ""), List.of(), where));
        }
    }

    public boolean hasWarning(WindowResult load) {
        return hasWarning(all, load);
    }

    private static boolean hasWarning(List<RunWarning> all, WindowResult load) {
        return all.stream().anyMatch(warning -> warning.concerns(load.name()));
    }

    /** Returns how many loads have a warning, which is marked with "!". */
    public String summary() {
        return warned + " of " + loads + (loads == 1 ? " load" : " loads")
                + (warned == 1 ? " has a warning (!)" : " have warnings (!)");
    }
}
