package org.servletbench.bench.load.jmeter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Loops;
import org.servletbench.bench.model.LoadModel.Open;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The plan of one run: {@code tiers.jmx} with exactly the requested workloads and users.
 *
 * <p>JMeter has no loop over thread groups, so a list of any length cannot be a property. Instead, the plan itself is
 * the template: the group for each load is copied from its own group there, or from another group if it has none, and
 * the defaults of its properties are replaced by the run's figures. So changes made in the GUI take effect. The result
 * is kept with the run, opens in the GUI, and repeats the run without any option. With the defaults of
 * {@code profiles/}, nothing changes. In the open model, a workload's first group becomes an Open Model Thread Group
 * with the same request.
 */
public final class JMeterPlan {

    /** Maximum time of a load with loops. It normally ends when its users have sent all loops. */
    static final Duration LOOPS_LIMIT = Duration.ofHours(1);

    /**
     * Schedule of an Open Model Thread Group. JMeter counts it from the start of the test, and sends any requests due
     * before its group started at once. So it begins with a pause until 1000 ms from now. JMeter evaluates it when it
     * starts the group (the GUI does so earlier, when there is no such property yet). The last pause is for answers,
     * because JMeter interrupts requests that are still running, and they fail.
     */
    private static final String SCHEDULE = """
            pause(${__longSum(${__time()},-${__P(TESTSTART.MS,${__time()})},1000)} ms)
            rate(${rate}/s) even_arrivals(${hold} s)
            pause(5 s)""";

    /** Maximum warm-up of each workload in the open model. */
    private static final Duration OPEN_WARM_UP = Duration.ofSeconds(10);

    private static final String GROUP = "ThreadGroup";
    private static final String OPEN_GROUP = "OpenModelThreadGroup";
    static final String WARM_UP_PREFIX = "warm-up ";
    private static final Pattern GROUP_NAME = Pattern.compile("(\\S+) \\$\\{tier\\.(\\d+)} users");
    private static final Pattern NUMBERED = Pattern.compile("(?:tier|loops)\\.(\\d+)");

    private final Document document;
    private final LoadPlan load;
    /** Numbers of users of the closed model; empty in the open one. */
    private final List<Integer> users;

    private final Map<String, String> hostProperties = new TreeMap<>();

    /** JMeter properties that name the server. */
    private static final List<String> OF_SERVER = List.of("host", "port");

    private static final Pattern PROPERTY = Pattern.compile("\\$\\{__(?:P|property)\\(\\s*([^,)\\s]+)\\s*[,)]");

    /** Patterns of a property with its default, if it has one. */
    private static final List<Pattern> READ = List.of(
            Pattern.compile("\\$\\{__P\\(\\s*([^,)\\s]+)\\s*(?:,([^)]*))?\\)}"),
            Pattern.compile("\\$\\{__property\\(\\s*([^,)\\s]+)\\s*(?:,[^,)]*(?:,([^)]*))?)?\\)}"));

    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
    private static final Pattern TIME = Pattern.compile("\\d+ ?(ms|s|m|h)");

    /** The file of a user's own plan; empty for a plan from the template. */
    private final Optional<Path> own;

    private JMeterPlan(Document document, LoadPlan load, Optional<Path> own) {
        this.document = document;
        this.load = load;
        this.users = load.model() instanceof Closed closed ? closed.users() : List.of();
        this.own = own;
    }

    /**
     * Returns a user's own plan, which runs unchanged. It sets its own load, and the properties host and port set its
     * server.
     *
     * @param load only provides the limit of failed requests
     * @throws UsageException if the file cannot be read, is not a plan, or would load another server
     */
    public static JMeterPlan own(Path file, LoadPlan load) {
        JMeterPlan plan = new JMeterPlan(PlanXml.parse(file), load, Optional.of(file));
        if (plan.document.getElementsByTagName("TestPlan").getLength() == 0) {
            throw new UsageException(file + " is not a JMeter plan: it has no TestPlan");
        }
        PlanXml.requireLoadable(file);
        String text = plan.document.getDocumentElement().getTextContent();
        Set<String> asked = properties(text);
        for (String name : OF_SERVER) {
            if (!asked.contains(name)) {
                throw new UsageException(file + " does not read the property " + name
                        + ": write ${__P(host,127.0.0.1)} and" + " ${__P(port,8080)} for the server");
            }
        }
        PlanXml.descendants(plan.document.getDocumentElement(), "stringProp")
                .filter(one -> isElsewhere(
                        one.getAttribute("name"), one.getTextContent().strip()))
                .findFirst()
                .map(one -> file + " would load another server, "
                        + one.getTextContent().strip().lines().findFirst().orElse("")
                        + ": only the one of the properties host and port is started and watched")
                .ifPresent(UsageException::raise);
        return plan;
    }

    /** Returns the JMeter properties that a plan uses: {@code ${__P(users,10)}}, {@code ${__property(users)}}. */
    public static Set<String> properties(String plan) {
        return PROPERTY.matcher(plan)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Rejects values that JMeter would take for 0: a text for a property whose default in the plan is a number, such as
     * {@code -Drampup=4s} for {@code ${__P(rampup,3)}}. If the plan has no default, only a time with a unit is
     * rejected.
     *
     * @param text text of the plan
     * @param given values from the user, by name
     * @throws UsageException for the first such value
     */
    public static void requireUnits(String text, Map<String, String> given) {
        READ.stream()
                .flatMap(pattern -> pattern.matcher(text).results())
                .filter(found -> !OF_SERVER.contains(found.group(1)))
                .forEach(found -> requireUnit(found, given));
    }

    private static void requireUnit(MatchResult read, Map<String, String> given) {
        String name = read.group(1);
        String usual = Optional.ofNullable(read.group(2)).orElse("").strip();
        boolean isNumber = NUMBER.matcher(usual).matches();
        Optional.ofNullable(given.get(name))
                .filter(value -> !value.contains("${"))
                .filter(value -> isNumber
                        ? !NUMBER.matcher(value).matches()
                        : usual.isEmpty() && TIME.matcher(value).matches())
                .map(value -> "-D" + name + "=" + value + " goes to the plan, which reads " + read.group()
                        + ", and JMeter would take it for 0: give a number without a unit"
                        + (isNumber ? ", such as " + usual : "") + "; if the option " + name
                        + " of servlet-bench is meant, give the plan's property another name")
                .ifPresent(UsageException::raise);
    }

    /**
     * Returns the user's {@code -D} properties, which are passed as {@code -J}. servlet-bench sets host and port
     * itself.
     */
    Map<String, String> given() {
        Map<String, String> given = new TreeMap<>();
        if (isOwn()) {
            properties(document.getDocumentElement().getTextContent()).stream()
                    .filter(name -> !OF_SERVER.contains(name))
                    .forEach(name ->
                            Optional.ofNullable(System.getProperty(name)).ifPresent(value -> given.put(name, value)));
        }
        return given;
    }

    /**
     * Rejects elements of plug-ins, which would make JMeter fail only after its start.
     *
     * @throws UsageException for the first element that this JMeter does not have
     */
    public void requireElements(JMeter jmeter) {
        Set<String> aliases = jmeter.elements();
        NodeList all = document.getElementsByTagName("*");
        IntStream.range(0, all.getLength())
                .mapToObj(i -> (Element) all.item(i))
                .flatMap(one -> Stream.of(one.getAttribute("testclass"), one.getAttribute("guiclass")))
                .filter(name -> !name.isEmpty() && !aliases.contains(name))
                .distinct()
                .filter(name -> !jmeter.hasClass(name))
                .findFirst()
                .map(name -> own.map(Path::toString).orElse("the plan") + " needs " + name
                        + ", which JMeter " + jmeter.version()
                        + " does not have: replace this element of a plug-in by one of JMeter's own")
                .ifPresent(UsageException::raise);
    }

    private static boolean isElsewhere(String property, String value) {
        return property.equals("HTTPSampler.domain") && !value.isEmpty() && !value.contains("${")
                || property.equals("HTTPSampler.path") && value.matches("(?i)https?://[^$].*");
    }

    /** True if a user wrote this plan. */
    boolean isOwn() {
        return own.isPresent();
    }

    /**
     * Returns the plan for a run.
     *
     * @param target URL of the server, {@code http://host:port}
     * @param hosts JMeter servers that share the users of each load, or the rate; empty: the whole load runs here
     * @throws UsageException if JMeter cannot apply the load, or the template cannot be read or is not a plan of
     *     servlet-bench
     */
    public static JMeterPlan of(Path template, LoadPlan load, URI target, JMeterHosts hosts) {
        JMeterPlan plan = new JMeterPlan(PlanXml.parse(template), load, Optional.empty());
        try {
            plan.setVariables(target);
            plan.copyGroups(hosts.isEmpty());
            plan.copyWarmUpRequests();
            if (!hosts.isEmpty()) {
                plan.divide(hosts);
            }
        } catch (NullPointerException | IndexOutOfBoundsException | NumberFormatException e) {
            throw new UsageException(
                    template + " is not a plan with users: it lacks a group or a variable of the original");
        }
        return plan;
    }

    /**
     * Checks a plan before there is a server.
     *
     * @throws UsageException if JMeter cannot apply the load
     */
    public static void check(Path template, LoadPlan load, JMeterHosts hosts) {
        of(template, load, URI.create("http://127.0.0.1:1"), hosts);
    }

    /**
     * Returns the labels that the results must have, in order ({@link Load#name}); empty for a user's own plan, whose
     * labels are unknown.
     */
    public List<String> labels() {
        return isOwn()
                ? List.of()
                : load.workloads().stream()
                        .flatMap(workload -> load.model() instanceof Open open
                                ? Stream.of(new Load(workload.name(), 0, open.rate()))
                                : users.stream().map(tier -> new Load(workload.name(), tier, 0)))
                        .map(Load::name)
                        .toList();
    }

    /** Returns the properties from which the hosts determine their share of the users. */
    Map<String, String> hostProperties() {
        return hostProperties;
    }

    public void write(Path file) {
        PlanXml.write(document, file);
    }

    /**
     * Writes the plan for the record, and returns the file to run. A user's own plan runs in its own folder, next to
     * the files that it reads.
     */
    Path writeToRun(Path file) {
        write(file);
        return own.map(Path::toAbsolutePath).orElse(file);
    }

    // ---- the variables of the test plan, each of which is a property with a default ----

    private void setVariables(URI target) {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("host", target.getHost());
        defaults.put("port", Integer.toString(target.getPort()));
        if (load.model() instanceof Closed closed) {
            addUsers(closed, defaults);
        } else if (load.model() instanceof Open open) {
            defaults.put("rate", number(open.rate()));
            defaults.put("hold", number(open.hold().toMillis() / 1e3));
        }
        WarmUpPlan warmUp = load.warmUp();
        // A group must not have a time of zero. Without users, it ends at once.
        defaults.put("warmup.users", Integer.toString(warmUp.isWanted() ? warmUp.users() : 0));
        defaults.put("warmup", warmUp.isWanted() ? seconds("warmup", warmUp.limit()) : "1");
        defaults.put("warmup.burst", seconds("warmup.burst", warmUp.burst()));
        defaults.put("warmup.pause", seconds("warmup.pause", warmUp.pause()));
        defaults.put("warmup.rise.percent", number(warmUp.risePercent()));
        defaults.put("warmup.flat.bursts", Integer.toString(warmUp.flatBursts()));
        defaults.put("warmup.backlog", Integer.toString(warmUp.backlog()));
        defaults.put("warmup.compiler.percent", number(warmUp.compilerPercent()));
        for (Workload workload : load.workloads()) {
            defaults.put(workload.name() + ".path", workload.path());
            defaults.put(workload.name() + ".bytes.min", Integer.toString(workload.minBytes()));
            defaults.put(workload.name() + ".bytes.max", Integer.toString(workload.maxBytes()));
        }
        variables().stream()
                .filter(variable -> isUnused(variable.getAttribute("name")))
                .forEach(PlanXml::remove);
        defaults.forEach((name, value) -> setVariable(name, property(name, value)));
        if (load.model() instanceof Closed closed) {
            setVariable(
                    "duration",
                    closed.amount() instanceof Hold hold
                            ? "${__intSum(" + property("rampup", seconds("rampup", closed.rampUp())) + ","
                                    + property("hold", seconds("hold", hold.time())) + ")}"
                            : property("duration", seconds("loops", LOOPS_LIMIT)));
        }
    }

    private static void addUsers(Closed closed, Map<String, String> defaults) {
        defaults.put("rampup", seconds("rampup", closed.rampUp()));
        for (int i = 1; i <= closed.users().size(); i++) {
            defaults.put("tier." + i, Integer.toString(closed.users().get(i - 1)));
            defaults.put(
                    "loops." + i,
                    closed.amount() instanceof Loops loops
                            ? "" + loops.perUsers().get(i - 1)
                            : "-1");
        }
    }

    /** True for a property of a number of users beyond the last, or of users in general if there are none. */
    private boolean isUnused(String name) {
        Matcher matcher = NUMBERED.matcher(name);
        return matcher.matches()
                ? Integer.parseInt(matcher.group(1)) > users.size()
                : users.isEmpty() && (name.equals("rampup") || name.equals("duration"));
    }

    private static String property(String name, String value) {
        return "${__P(" + name + "," + value.replace(",", "\\,") + ")}";
    }

    /**
     * Returns whole seconds. JMeter's times are whole seconds, and a silent rounding would make its users differ from
     * Gatling's.
     */
    private static String seconds(String option, Duration time) {
        if (time.toMillis() % 1000 != 0) {
            throw new UsageException(
                    "-D" + option + "=" + time.toMillis() + "ms: JMeter counts in whole seconds, such as 2s");
        }
        return Long.toString(time.toSeconds());
    }

    private static String number(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
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

    private void copyGroups(boolean here) {
        List<PlanXml.Branch> old = PlanXml.descendants(document.getDocumentElement(), GROUP)
                .filter(group ->
                        GROUP_NAME.matcher(group.getAttribute("testname")).matches())
                .map(PlanXml.Branch::of)
                .toList();
        List<PlanXml.Branch> wanted = new ArrayList<>();
        for (Workload workload : load.workloads()) {
            for (int tier = 1; tier <= users.size(); tier++) {
                wanted.add(copyFor(workload.name(), tier, old));
            }
            if (users.isEmpty()) {
                PlanXml.Branch counted = atTheRate(copyFor(workload.name(), 1, old));
                if (load.warmUp().isWanted() && here) {
                    wanted.add(uncounted(counted));
                }
                wanted.add(counted);
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

    /** Returns the group that sends the same requests at the rate: {@code hello at ${rate}/s}. */
    private PlanXml.Branch atTheRate(PlanXml.Branch users) {
        PlanXml.Branch branch = users.copy(text -> text.replace(" ${tier.1} users", " at ${rate}/s"));
        // Users line up before they start, but here no user waits for another.
        PlanXml.descendants(branch.tree(), "OnceOnlyController")
                .map(PlanXml.Branch::of)
                .toList()
                .forEach(PlanXml.Branch::detach);
        Element group = (Element) document.renameNode(branch.element(), null, OPEN_GROUP);
        group.setAttribute("guiclass", OPEN_GROUP + "Gui");
        group.setAttribute("testclass", OPEN_GROUP);
        PlanXml.text(
                group,
                "TestPlan.comments",
                "Open model: requests start at the rate, whatever the server does. Each has a thread and a connection of its"
                        + " own. There is no chart here: JMeter draws it without the variables of the test plan.");
        PlanXml.descendants(group, "*").forEach(property -> {
            switch (property.getAttribute("name")) {
                case "TestPlan.comments", "ThreadGroup.on_sample_error" -> {}
                case "ThreadGroup.num_threads" -> {
                    property.setAttribute("name", OPEN_GROUP + ".schedule");
                    property.setTextContent(SCHEDULE);
                }
                case "ThreadGroup.main_controller" -> {
                    property.setAttribute("elementType", OPEN_GROUP + "Controller");
                    List.of("guiclass", "testclass", "testname").forEach(property::removeAttribute);
                }
                default -> PlanXml.remove(property);
            }
        });
        return new PlanXml.Branch(group, branch.tree());
    }

    /**
     * Returns a copy of the branch with the same rate before the counted part. It cannot end early, because JMeter
     * makes its schedule beforehand.
     */
    private PlanXml.Branch uncounted(PlanXml.Branch counted) {
        Duration limit = load.warmUp().limit();
        String seconds = number((limit.compareTo(OPEN_WARM_UP) < 0 ? limit : OPEN_WARM_UP).toMillis() / 1e3);
        String name = counted.name();
        PlanXml.Branch branch = counted.copy(text -> text.replace(name, WARM_UP_PREFIX + name)
                .replace("even_arrivals(${hold} s)", "even_arrivals(" + seconds + " s)"));
        PlanXml.Branch ignore = PlanXml.Branch.of(
                        PlanXml.descendants(document.getDocumentElement(), "JSR223PostProcessor")
                                .findFirst()
                                .orElseThrow())
                .copy(UnaryOperator.identity());
        branch.tree().appendChild(ignore.element());
        branch.tree().appendChild(ignore.tree());
        return branch;
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
                    .replace("${" + oldWorkload + ".", "${" + workload.name() + ".")
                    .replace("${" + workload.name() + ".path}", warmUpPath(workload))));
        }
        PlanXml.replace(old, wanted);
    }

    private static String warmUpPath(Workload workload) {
        return workload.hasOwnWarmUp() ? workload.warmUpPath() : "${" + workload.name() + ".path}";
    }

    // ---- several hosts ----

    /**
     * Gives each host its share, because every host would otherwise run all users, or the whole rate. A JMeter server
     * knows under which name it was called, and finds its share under that name among the properties that it receives.
     */
    private void divide(JMeterHosts hosts) {
        // The hosts would send all their samples once more, to a table that is never shown.
        PlanXml.descendants(document.getDocumentElement(), "ResultCollector")
                .forEach(table -> PlanXml.Branch.of(table).detach());
        for (int tier = 1; tier <= users.size(); tier++) {
            shareUsers("users." + tier, users.get(tier - 1), hosts);
        }
        shareUsers("warmup.users", load.warmUp().isWanted() ? load.warmUp().users() : 0, hosts);
        replaceIn(GROUP, "ThreadGroup.num_threads", "${tier.", "${users.");
        if (load.model() instanceof Open open) {
            // JMeter sends the largest whole number below rate times hold. A share rounded down could make each host
            // send a request too few.
            BigDecimal rate = BigDecimal.valueOf(open.rate())
                    .divide(BigDecimal.valueOf(hosts.hosts().size()), new MathContext(9, RoundingMode.UP));
            share("rate.share", hosts, host -> rate.toPlainString());
            replaceIn(OPEN_GROUP, OPEN_GROUP + ".schedule", "${rate}", "${rate.share}");
        }
    }

    private void replaceIn(String tag, String property, String old, String wanted) {
        PlanXml.descendants(document.getDocumentElement(), tag)
                .flatMap(group -> PlanXml.descendants(group, "stringProp"))
                .filter(one -> one.getAttribute("name").equals(property))
                .forEach(one -> one.setTextContent(one.getTextContent().replace(old, wanted)));
    }

    private void shareUsers(String name, int users, JMeterHosts hosts) {
        share(name, hosts, host -> Integer.toString(hosts.share(users, host)));
    }

    /**
     * @param share returns the share of the host with an index
     */
    private void share(String name, JMeterHosts hosts, IntFunction<String> share) {
        setVariable(name, "${__P(" + name + ".${__P(__jm.D_TG,)},0)}");
        for (int i = 0; i < hosts.hosts().size(); i++) {
            hostProperties.put(name + "." + hosts.hosts().get(i).text(), share.apply(i));
        }
    }
}
