package org.servletbench.bench.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which arms of a campaign are ranked among each other. */
final class Groups {

    private Groups() {}

    /** The groups of a campaign that have arms to rank, in the order of their first arms. */
    static List<Judgement.Group> of(Campaign campaign) {
        List<String> ranked = campaign.groups().stream()
                .filter(name -> campaign.arms().stream().anyMatch(arm -> ranks(arm, name)))
                .toList();
        List<Judgement.Group> groups = new ArrayList<>();
        for (String name : ranked) {
            List<Arm> arms =
                    campaign.arms().stream().filter(arm -> ranks(arm, name)).toList();
            Arm baseline = arms.stream()
                    .filter(arm -> arm.role() == Arm.Role.BASELINE)
                    .findFirst()
                    .orElse(arms.get(0));
            Optional<Arm> control = campaign.arms().stream()
                    .filter(arm -> arm.role() == Arm.Role.CONTROL && arm.group().equals(name))
                    .findFirst();
            List<Arm> references = campaign.arms().stream()
                    .filter(arm -> arm.role() == Arm.Role.REFERENCE)
                    .filter(arm -> arm.group().equals(name) || !ranked.contains(arm.group()))
                    .toList();
            groups.add(new Judgement.Group(name, baseline, arms, control, references));
        }
        return List.copyOf(groups);
    }

    private static boolean ranks(Arm arm, String group) {
        return arm.group().equals(group) && (arm.role() == Arm.Role.BASELINE || arm.role() == Arm.Role.ARM);
    }
}
