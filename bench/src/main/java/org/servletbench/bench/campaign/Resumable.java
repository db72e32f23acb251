package org.servletbench.bench.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.server.TargetException;

/** Whether a campaign can go on: its later blocks must be measured as its first ones were, for one verdict is drawn from all. */
final class Resumable {

    /** Options that only tell and plan beforehand: a campaign that began before there were these is measured alike. */
    private static final String OF_NO_BLOCK = "(forecast|open|memory)\\..*|host\\.wait";

    private static final List<String> OF_MACHINE = List.of("cpu", "cores", "target.cpu", "target.cores");

    private Resumable() {}

    /**
     * Compares a campaign as it began with what it would be if it began now. (The JDK is looked at by {@link Launches}.)
     *
     * @param say gets a line where only the sources of servlet-bench differ
     * @throws TargetException if something that decides figures differs: names it, and what to do
     */
    static void require(Campaign then, Campaign now, Consumer<String> say) {
        for (int i = 0; i < then.arms().size(); i++) {
            if (!then.arms().get(i).sha256().equals(now.arms().get(i).sha256())) {
                throw new TargetException(
                        "the application of " + then.arms().get(i).id()
                                + " is not the one that was measured before (its SHA-256 differs): start a new campaign, and"
                                + " compare the two with report");
            }
        }
        List<String> differences = differences(then, now);
        if (!differences.isEmpty()) {
            throw new TargetException("the campaign cannot go on, it would mix figures of different conditions: "
                    + String.join("; ", differences)
                    + ": restore that, or start a new campaign");
        }
        if (!then.commit().isEmpty() && !then.commit().equals(now.commit())) {
            say.accept("warning: the campaign began with servlet-bench of commit " + then.commit()
                    + " and goes on with " + now.commit() + ": if how it measures has changed, start a new one");
        }
    }

    private static List<String> differences(Campaign then, Campaign now) {
        List<String> differences = new ArrayList<>();
        Map<String, String> was = new TreeMap<>();
        Map<String, String> is = new TreeMap<>();
        Set<String> options = new TreeSet<>(then.options().keySet());
        options.addAll(now.options().keySet());
        // Earlier campaigns did not record them.
        boolean workloads = then.options().keySet().stream().anyMatch(key -> key.startsWith(Campaign.WORKLOAD));
        for (String key : options) {
            if (key.equals("jvm.options")
                    || key.startsWith(Campaign.SETTING)
                    || workloads && key.startsWith(Campaign.WORKLOAD)) {
                was.put(key, then.options().get(key));
                is.put(key, now.options().get(key));
            } else if (key.startsWith(Campaign.OPTION) && !then.options().containsKey(key)) {
                String name = key.substring(Campaign.OPTION.length());
                if (!name.matches(OF_NO_BLOCK)) {
                    differences.add("the option " + name + " did not exist when it began");
                }
            }
        }
        then.plan().tools().stream().filter(then.versions()::containsKey).forEach(tool -> {
            was.put("version of " + tool, then.versions().get(tool));
            is.put("version of " + tool, now.versions().get(tool));
        });
        Stream.concat(
                        OF_MACHINE.stream(),
                        then.machine().keySet().stream().filter(key -> key.startsWith(Campaign.LOAD_HOST)))
                .filter(then.machine()::containsKey)
                .forEach(key -> {
                    was.put(key, then.machine().get(key));
                    is.put(key, now.machine().get(key));
                });
        if (!then.pinning().isEmpty()) {
            was.put("pinning", then.pinning());
            is.put("pinning", now.pinning());
        }
        was.forEach((what, value) -> {
            if (!Objects.equals(value, is.get(what))) {
                differences.add(what + " was " + orNone(value) + " and is " + orNone(is.get(what)));
            }
        });
        return differences;
    }

    private static String orNone(String value) {
        return value == null ? "not set" : "'" + value + "'";
    }
}
