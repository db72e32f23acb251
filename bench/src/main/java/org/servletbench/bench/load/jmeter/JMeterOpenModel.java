package org.servletbench.bench.load.jmeter;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Open;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The open model in JMeter's plan: each group of users becomes an Open Model Thread Group, which starts requests at a fixed rate,
 * whatever the server does. Each request has a thread, and so a connection, of its own.
 */
final class JMeterOpenModel {

    /** The tiers of the plan before its groups are replaced: one for each workload. */
    static final Closed SHAPE = new Closed(List.of(1), Duration.ofSeconds(1), new Hold(Duration.ofSeconds(1)));

    /** JMeter interrupts what is still running at the end of its schedule: requests have so long to be answered, s. */
    private static final int LAST_ANSWERS_SECONDS = 5;

    private static final String USERS = " ${tier.1} users";

    private JMeterOpenModel() {}

    /** The name of a workload's requests: {@code hello at 200/s}. */
    static String label(String workload, Open open) {
        return workload + rate(open);
    }

    private static String rate(Open open) {
        return " at " + JMeterPlan.number(open.rate()) + "/s";
    }

    /** Replaces every group of users in a plan of the {@link #SHAPE}. */
    static void apply(Document plan, Open open) {
        List<PlanXml.Branch> groups = PlanXml.descendants(plan.getDocumentElement(), "ThreadGroup")
                .map(PlanXml.Branch::of)
                .toList();
        PlanXml.replace(
                groups,
                groups.stream()
                        .map(group -> opened(group.copy(text -> text.replace(USERS, rate(open))), open))
                        .toList());
    }

    private static PlanXml.Branch opened(PlanXml.Branch users, Open open) {
        // Its users line up before they start; here nobody waits for another.
        PlanXml.descendants(users.tree(), "OnceOnlyController")
                .map(PlanXml.Branch::of)
                .toList()
                .forEach(PlanXml.Branch::detach);
        Document plan = users.element().getOwnerDocument();
        Element group = plan.createElement("OpenModelThreadGroup");
        Map.of(
                        "guiclass", "OpenModelThreadGroupGui",
                        "testclass", "OpenModelThreadGroup",
                        "testname", users.name())
                .forEach(group::setAttribute);
        Element controller = child(group, "elementProp", "ThreadGroup.main_controller", "");
        controller.setAttribute("elementType", "OpenModelThreadGroupController");
        child(group, "stringProp", "ThreadGroup.on_sample_error", "continue");
        child(
                group,
                "stringProp",
                "OpenModelThreadGroup.schedule",
                String.format(
                        Locale.ROOT,
                        "rate(${__P(rate,%s)}/s) even_arrivals(${__P(hold,%s)} s) pause(%d s)",
                        JMeterPlan.number(open.rate()),
                        JMeterPlan.number(open.hold().toMillis() / 1000.0),
                        LAST_ANSWERS_SECONDS));
        child(group, "longProp", "OpenModelThreadGroup.random_seed", "1");
        return new PlanXml.Branch(group, users.tree());
    }

    private static Element child(Element parent, String tag, String name, String text) {
        Element child = parent.getOwnerDocument().createElement(tag);
        child.setAttribute("name", name);
        child.setTextContent(text);
        parent.appendChild(child);
        return child;
    }
}
