package org.servletbench.bench.server.agent;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counts the classes that came from an archive and those that did not, by the JVM's own counters, which
 * {@code jcmd PID PerfCounter.print} also shows. It is used only for servers with an archive of their own, because the
 * counters' packages must be opened first.
 */
final class ArchivedClasses {

    private static final List<String> PACKAGES =
            List.of("sun.management", "sun.management.counter", "sun.management.counter.perf");

    private ArchivedClasses() {}

    static void describe(Instrumentation instrumentation, Answer answer) {
        try {
            Module own = ArchivedClasses.class.getModule();
            Class<?> helper = Class.forName("sun.management.ManagementFactoryHelper");
            instrumentation.redefineModule(
                    helper.getModule(),
                    Set.of(),
                    Map.of(),
                    PACKAGES.stream().collect(Collectors.toMap(name -> name, name -> Set.of(own))),
                    Set.of(),
                    Map.of());
            Object loading = Reflect.callStatic(helper, "getHotspotClassLoadingMBean");
            for (Object counter : (List<?>) Reflect.call(loading, "getInternalClassLoadingCounters")) {
                Object name = Reflect.call(counter, "getName");
                if (name.equals("java.cls.sharedLoadedClasses")) {
                    answer.put("classes.archived", Reflect.call(counter, "getValue"));
                } else if (name.equals("java.cls.loadedClasses")) {
                    answer.put("classes.others", Reflect.call(counter, "getValue"));
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            answer.put("classes.error", e);
        }
    }
}
