package org.servletbench.bench.report.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Remedy.Where;

/**
 * The warnings on a run or a log.
 *
 * @param all warnings on the server first
 * @param cells number of all loads
 * @param marked number of loads with a warning
 */
public record RunMarks(List<RunMark> all, int cells, int marked) {

    /** @param record record of its server; empty: the log is not of a run of servlet-bench */
    static RunMarks of(Measured measured, Optional<ServerRecord> record) {
        Where where = record.map(known -> known.run().jmeterPlan() != null ? Where.OWN_PLAN : Where.RUN)
                .orElse(Where.LOG);
        List<RunMark> all = new ArrayList<>();
        record.ifPresent(known -> ofServer(known, where, all));
        Map<MarkKind, List<String>> failed = new EnumMap<>(MarkKind.class);
        for (Mark check : measured.log().checks()) {
            if (check.failed()) {
                failed.computeIfAbsent(check.kind(), kind -> new ArrayList<>());
            }
        }
        List<MarkKind> ofLog = List.copyOf(failed.keySet());
        for (WindowResult cell : measured.cells()) {
            cell.checks().stream()
                    .filter(check -> check.failed() && !ofLog.contains(check.kind()))
                    .forEach(check -> failed.computeIfAbsent(check.kind(), kind -> new ArrayList<>())
                            .add(cell.name()));
        }
        failed.forEach((kind, cells) -> all.add(new RunMark(kind, "", List.copyOf(cells), where)));
        long marked =
                measured.cells().stream().filter(cell -> isMarked(all, cell)).count();
        return new RunMarks(List.copyOf(all), measured.cells().size(), (int) marked);
    }

    private static void ofServer(ServerRecord record, Where where, List<RunMark> all) {
        if (record.life().died() != null) {
            all.add(new RunMark(
                    MarkKind.SERVER_FAILED, RunFacts.known(record.life().ended(), ""), List.of(), where));
        }
        ServerRecord.WarmUp warmUp = record.run().warmUp();
        if (warmUp != null && !warmUp.hasSettled()) {
            boolean none = warmUp.seconds() != null && warmUp.seconds() == 0;
            all.add(
                    none
                            ? new RunMark(MarkKind.NO_WARM_UP, "", List.of(), where)
                            : new RunMark(MarkKind.WARM_UP, RunFacts.known(warmUp.reason(), ""), List.of(), where));
        }
    }

    public boolean isMarked(WindowResult cell) {
        return isMarked(all, cell);
    }

    private static boolean isMarked(List<RunMark> all, WindowResult cell) {
        return all.stream().anyMatch(mark -> mark.concerns(cell.name()));
    }

    /** Returns how many loads have a warning; "!" shows it. */
    public String summary() {
        return marked + " of " + cells + (cells == 1 ? " cell" : " cells") + (marked == 1 ? " is" : " are")
                + " marked (!)";
    }
}
