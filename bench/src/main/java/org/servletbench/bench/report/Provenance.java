package org.servletbench.bench.report;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Judgement;

/** Of which versions and on which machine a campaign was measured, in words. */
final class Provenance {

    /** In a campaign's versions: the servers' JDK, and others. */
    private static final Pattern JDK = Pattern.compile("jdk(@.+)?");

    private Provenance() {}

    /** Versions of the JDKs that servers ran on, as {@code 17.0.15, 25.0.1}. */
    static String jdks(Campaign campaign) {
        String known = campaign.versions().entrySet().stream()
                .filter(version -> JDK.matcher(version.getKey()).matches())
                .map(version ->
                        version.getValue().replaceFirst("^\\D.* VM ", "").replaceFirst("[-+].*", ""))
                .distinct()
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "unknown" : known;
    }

    /** Of containers, frameworks and JDKs. */
    static String versions(Judgement judgement) {
        return Stream.concat(
                        judgement.groups().stream().map(Conclusions::versions),
                        Stream.of("JDK " + jdks(judgement.campaign())))
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** That of the servers. */
    static String machine(Campaign campaign) {
        Map<String, String> machine = campaign.serverMachine();
        return Text.text(
                "%s, %s processors%s, %s",
                machine.getOrDefault("cpu", "unknown processor"),
                machine.getOrDefault("cores", "?"),
                machine.getOrDefault("virtual", "").equals("yes") ? " of a virtual machine" : "",
                machine.getOrDefault("os", "unknown system"));
    }
}
