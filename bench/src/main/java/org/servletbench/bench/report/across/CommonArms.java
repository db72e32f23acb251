package org.servletbench.bench.report.across;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.WarmStart;

/**
 * Which arms of two campaigns are the same: same jar, JDK, JVM options, settings and processors. What a campaign did not
 * record counts as different.
 */
public record CommonArms(Campaign before, Campaign after) {
    public enum Differs {
        JAR("jar"),
        JDK("JDK"),
        JVM_OPTIONS("JVM options"),
        WARM_START("warm start"),
        SETTINGS("settings"),
        MACHINE("processors");

        private final String words;

        Differs(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** Ranked arms that both campaigns have, by id, as the later one has them, with what differs. */
    public Map<Arm, List<Differs>> arms() {
        Map<Arm, List<Differs>> arms = new LinkedHashMap<>();
        for (Arm arm : after.arms()) {
            if (arm.isRanked()) {
                before.arms().stream()
                        .filter(other -> other.id().equals(arm.id()) && other.isRanked())
                        .findFirst()
                        .ifPresent(other -> arms.put(arm, differences(other, arm)));
            }
        }
        return arms;
    }

    private List<Differs> differences(Arm was, Arm is) {
        List<Differs> differences = new ArrayList<>();
        if (was.sha256().isBlank() || !was.sha256().equals(is.sha256())) {
            differences.add(Differs.JAR);
        }
        String jdk = jdk(before, was);
        if (jdk == null || !jdk.equals(jdk(after, is))) {
            differences.add(Differs.JDK);
        }
        if (differs(before.options(), after.options(), "jvm.options")
                || !Objects.equals(
                        before.options().get(Campaign.ARM_OPTIONS + was.id()),
                        after.options().get(Campaign.ARM_OPTIONS + is.id()))) {
            differences.add(Differs.JVM_OPTIONS);
        }
        if (WarmStart.of(before) != WarmStart.of(after)) {
            differences.add(Differs.WARM_START);
        }
        if (!before.plan().settings().equals(after.plan().settings())
                || !before.settings().equals(after.settings())) {
            differences.add(Differs.SETTINGS);
        }
        if (differs(before.serverMachine(), after.serverMachine(), "cpu")
                || differs(before.serverMachine(), after.serverMachine(), "cores")) {
            differences.add(Differs.MACHINE);
        }
        return differences;
    }

    /** Of several JDKs the first has no number in its key. */
    private static String jdk(Campaign campaign, Arm arm) {
        return campaign.versions()
                .getOrDefault("jdk@" + arm.jdk(), campaign.versions().get("jdk"));
    }

    private static boolean differs(Map<String, String> was, Map<String, String> is, String key) {
        return !was.containsKey(key) || !was.get(key).equals(is.get(key));
    }
}
