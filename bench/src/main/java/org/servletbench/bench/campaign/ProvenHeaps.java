package org.servletbench.bench.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;

/**
 * The heaps that the running servers of a campaign report. Arms that differ only in the heap must report different
 * ones.
 */
final class ProvenHeaps {

    private record Seen(Arm arm, List<String> asked, Map<String, String> reported) {}

    private final JvmOptions common;
    private final List<Seen> all = new ArrayList<>();

    /** @param common options of all servers */
    ProvenHeaps(JvmOptions common) {
        this.common = common;
    }

    /**
     * Compares a server's heap with those of other arms so far.
     *
     * @param proven facts reported by the running server
     * @throws TargetException if another arm, from which only the heap should differ, has the same heap
     */
    void add(Arm arm, Map<String, String> proven) {
        Map<String, String> reported = new TreeMap<>(proven);
        reported.keySet().removeIf(key -> !key.startsWith(Proven.HEAP));
        if (reported.isEmpty() || all.stream().anyMatch(seen -> seen.arm.id().equals(arm.id()))) {
            return;
        }
        Seen own = new Seen(arm, options(arm).effectiveOfHeap(), reported);
        for (Seen other : all) {
            if (!own.asked.equals(other.asked)
                    && own.reported.equals(other.reported)
                    && rest(arm).equals(rest(other.arm))) {
                throw TargetException.refusal(
                        TargetException.Refusal.SERVER,
                        "arms." + arm.id() + " and arms." + other.arm.id() + " ask for different heaps ("
                                + String.join(" ", own.asked) + "; " + String.join(" ", other.asked)
                                + "), and both JVMs have one of " + new Proven(proven).heap()
                                + ": give sizes that have an effect here, or leave one of the arms out");
            }
        }
        all.add(own);
    }

    private JvmOptions options(Arm arm) {
        return arm.spec().jvmOptions(common);
    }

    /** Returns everything about the arm except the heap. */
    private List<Object> rest(Arm arm) {
        ArmSpec spec = arm.spec().withJvm(List.of()).withHeap(null).server();
        List<String> options = new ArrayList<>(options(arm).effective());
        options.removeAll(options(arm).effectiveOfHeap());
        return List.of(arm.line(), arm.jar(), spec, options);
    }
}
