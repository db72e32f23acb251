package org.servletbench.bench.load.jmeter;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Loops;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The plan of one run: {@code tiers.jmx} with exactly the workloads and tiers that were asked for.
 *
 * <p>JMeter has no loop over thread groups, so a list of any length cannot be a property. Instead the plan itself is the
 * template: the group for each workload and tier is copied from its own group there, or from another one where it has
 * none, and the defaults of its properties become the run's figures. What a person changes in the plan with the GUI
 * therefore takes part; and the result is kept with the run, opens in the GUI, and repeats it without any option. Asked for
 * the defaults of {@code profiles/}, it changes nothing.
 */
public final class JMeterPlan {

    /** With loops a tier ends when its users have sent them, or is given up after this time. */
    static final Duration LOOPS_LIMIT = Duration.ofHours(1);

    private static final String GROUP = "ThreadGroup";
    private static final String WARM_UP_PREFIX = "warm-up ";
    private static final Pattern GROUP_NAME = Pattern.compile("(\\S+) \\$\\{tier\\.(\\d+)} users");
    private static final Pattern NUMBERED = Pattern.compile("(?:tier|loops)\\.(\\d+)");

    private final Document document;
    private final LoadPlan load;
    private final Closed closed;
    private final Map<String, String> hostProperties = new TreeMap<>();

    private JMeterPlan(Document document, LoadPlan load, Closed closed) {
        this.document = document;
        this.load = load;
        this.closed = closed;
    }

    /**
     * The plan for a run.
     *
     * @param target the server, {@code http://host:port}
     * @param hosts the JMeter servers that share the users of each tier; none: all users run here
     * @throws UsageException if the load is one that JMeter cannot apply, or the template cannot be read or is no such plan
     */
    public static JMeterPlan of(Path template, LoadPlan load, URI target, JMeterHosts hosts) {
        if (!(load.model() instanceof Closed closed)) {
            throw new UsageException(
                    "-Dmodel=open: JMeter counts the schedule of its Open Model Thread Group from the start of the"
                            + " test, so that after a warm-up all requests would come at once: use gatling:test");
        }
        JMeterPlan plan = new JMeterPlan(PlanXml.parse(template), load, closed);
        try {
            plan.setVariables(target);
            plan.copyGroups();
            plan.copyWarmUpRequests();
            if (!hosts.isEmpty()) {
                plan.divide(hosts);
            }
        } catch (NullPointerException | IndexOutOfBoundsException | NumberFormatException e) {
            throw new UsageException(
                    template + " is no plan with tiers: it lacks a group or a variable that was there");
        }
        return plan;
    }

    /** The labels that the results must have, in order: {@code hello 100 users}. */
    public List<String> labels() {
        return load.workloads().stream()
                .flatMap(workload -> closed.tiers().stream().map(tier -> workload.name() + " " + tier + " users"))
                .toList();
    }

    /** The properties that the hosts need to know their share of the users. */
    Map<String, String> hostProperties() {
        return hostProperties;
    }

    public void write(Path file) {
        PlanXml.write(document, file);
    }

    // ---- the variables of the test plan, each of which is a property with a default ----

    private void setVariables(URI target) {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("host", target.getHost());
        defaults.put("port", Integer.toString(target.getPort()));
        defaults.put("rampup", seconds("rampup", closed.rampUp()));
        WarmUpPlan warmUp = load.warmUp();
        // A group may not have a time of zero; without users it is over at once.
        defaults.put("warmup.users", Integer.toString(warmUp.isWanted() ? warmUp.users() : 0));
        defaults.put("warmup", warmUp.isWanted() ? seconds("warmup", warmUp.limit()) : "1");
        defaults.put("warmup.burst", seconds("warmup.burst", warmUp.burst()));
        defaults.put("warmup.pause", seconds("warmup.pause", warmUp.pause()));
        defaults.put("warmup.rise.percent", number(warmUp.risePercent()));
        defaults.put("warmup.flat.bursts", Integer.toString(warmUp.flatBursts()));
        defaults.put("warmup.jit.percent", number(warmUp.jitPercent()));
        for (Workload workload : load.workloads()) {
            defaults.put(workload.name() + ".path", workload.path());
            defaults.put(workload.name() + ".bytes.min", Integer.toString(workload.minBytes()));
            defaults.put(workload.name() + ".bytes.max", Integer.toString(workload.maxBytes()));
        }
        for (int i = 1; i <= closed.tiers().size(); i++) {
            defaults.put("tier." + i, Integer.toString(closed.tiers().get(i - 1)));
            defaults.put(
                    "loops." + i,
                    closed.amount() instanceof Loops loops
                            ? "" + loops.perTier().get(i - 1)
                            : "-1");
        }
        variables().stream()
                .filter(variable -> isBeyondLastTier(variable.getAttribute("name")))
                .forEach(PlanXml::remove);
        defaults.forEach((name, value) -> setVariable(name, property(name, value)));
        setVariable(
                "duration",
                closed.amount() instanceof Hold hold
                        ? "${__intSum(" + property("rampup", seconds("rampup", closed.rampUp())) + ","
                                + property("hold", seconds("hold", hold.time())) + ")}"
                        : property("duration", seconds("loops", LOOPS_LIMIT)));
    }

    private boolean isBeyondLastTier(String name) {
        Matcher matcher = NUMBERED.matcher(name);
        return matcher.matches()
                && Integer.parseInt(matcher.group(1)) > closed.tiers().size();
    }

    private static String property(String name, String value) {
        return "${__P(" + name + "," + value.replace(",", "\\,") + ")}";
    }

    /** JMeter's times are whole seconds, and a silent rounding would make its tiers other than Gatling's. */
    private static String seconds(String option, Duration time) {
        if (time.toMillis() % 1000 != 0) {
            throw new UsageException(
                    "-D" + option + "=" + time.toMillis() + "ms: JMeter counts in whole seconds, such as 2s");
        }
        return Long.toString(time.toSeconds());
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private List<Element> variables() {
        Element plan = (Element) document.getElementsByTagName("TestPlan").item(0);
        return PlanXml.descendants(plan, "elementProp")
                .filter(one -> one.getAttribute("elementType").equals("Argument"))
                .toList();
    }

    private void setVariable(String name, String value) {
        List<Element> all = variables();
        Element variable = all.stream()
                .filter(one -> one.getAttribute("name").equals(name))
                .findFirst()
                .orElseGet(() -> {
                    Element last = all.get(all.size() - 1);
                    Element copy = (Element) last.cloneNode(true);
                    copy.setAttribute("name", name);
                    PlanXml.text(copy, "Argument.name", name);
                    PlanXml.text(copy, "Argument.desc", "");
                    PlanXml.insertAfter(copy, last);
                    return copy;
                });
        PlanXml.text(variable, "Argument.value", value);
    }

    // ---- the groups and the requests of the warm-up ----

    private void copyGroups() {
        List<PlanXml.Branch> old = PlanXml.descendants(document.getDocumentElement(), GROUP)
                .filter(group ->
                        GROUP_NAME.matcher(group.getAttribute("testname")).matches())
                .map(PlanXml.Branch::of)
                .toList();
        List<PlanXml.Branch> wanted = new ArrayList<>();
        for (Workload workload : load.workloads()) {
            for (int tier = 1; tier <= closed.tiers().size(); tier++) {
                wanted.add(copyFor(workload.name(), tier, old));
            }
        }
        PlanXml.replace(old, wanted);
    }

    private static PlanXml.Branch copyFor(String workload, int tier, List<PlanXml.Branch> groups) {
        PlanXml.Branch prototype = groups.stream()
                .filter(group -> group.name().equals(groupName(workload, tier)))
                .findFirst()
                .or(() -> groups.stream()
                        .filter(group -> group.name().startsWith(workload + " "))
                        .findFirst())
                .orElseGet(() -> groups.get(0));
        Matcher from = GROUP_NAME.matcher(prototype.name());
        if (!from.matches()) {
            throw new IllegalStateException(prototype.name());
        }
        String oldWorkload = from.group(1);
        String oldTier = from.group(2);
        return prototype.copy(
                text -> text.replace(groupName(oldWorkload, Integer.parseInt(oldTier)), groupName(workload, tier))
                        .replace("${" + oldWorkload + ".", "${" + workload + ".")
                        .replace("${tier." + oldTier + "}", "${tier." + tier + "}")
                        .replace("${loops." + oldTier + "}", "${loops." + tier + "}"));
    }

    private static String groupName(String workload, int tier) {
        return workload + " ${tier." + tier + "} users";
    }

    private void copyWarmUpRequests() {
        Element group =
                (Element) document.getElementsByTagName("SetupThreadGroup").item(0);
        List<PlanXml.Branch> old = PlanXml.descendants(PlanXml.Branch.of(group).tree(), "HTTPSamplerProxy")
                .filter(request -> request.getAttribute("testname").startsWith(WARM_UP_PREFIX))
                .map(PlanXml.Branch::of)
                .toList();
        List<PlanXml.Branch> wanted = new ArrayList<>();
        for (Workload workload : load.workloads()) {
            String name = WARM_UP_PREFIX + workload.name();
            PlanXml.Branch prototype = old.stream()
                    .filter(request -> request.name().equals(name))
                    .findFirst()
                    .orElse(old.get(0));
            String oldName = prototype.name();
            String oldWorkload = oldName.substring(WARM_UP_PREFIX.length());
            wanted.add(prototype.copy(text -> (text.equals(oldName) ? name : text)
                    .replace("${" + oldWorkload + ".", "${" + workload.name() + ".")));
        }
        PlanXml.replace(old, wanted);
    }

    // ---- several hosts ----

    /**
     * Every host would run all users; here each gets its share. A JMeter server knows under which name it was called, and
     * finds its share under that name among the properties that it is sent.
     */
    private void divide(JMeterHosts hosts) {
        String self = "${__P(__jm.D_TG,)}";
        for (int tier = 1; tier <= closed.tiers().size(); tier++) {
            setVariable("users." + tier, "${__P(users." + tier + "." + self + ",0)}");
            share("users." + tier, closed.tiers().get(tier - 1), hosts);
        }
        setVariable("warmup.users", "${__P(warmup.users." + self + ",0)}");
        share("warmup.users", load.warmUp().isWanted() ? load.warmUp().users() : 0, hosts);
        PlanXml.descendants(document.getDocumentElement(), GROUP)
                .forEach(group -> PlanXml.descendants(group, "stringProp")
                        .filter(property -> property.getAttribute("name").equals("ThreadGroup.num_threads"))
                        .forEach(property -> property.setTextContent(
                                property.getTextContent().replace("${tier.", "${users."))));
    }

    private void share(String name, int users, JMeterHosts hosts) {
        for (int i = 0; i < hosts.hosts().size(); i++) {
            hostProperties.put(name + "." + hosts.hosts().get(i).text(), Integer.toString(hosts.share(users, i)));
        }
    }
}
