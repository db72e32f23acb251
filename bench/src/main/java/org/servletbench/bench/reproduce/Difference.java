package org.servletbench.bench.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;

/**
 * What is not the same here as in an article.
 *
 * @param what such as {@code cores}
 * @param theirs as the article says; {@code not stated} where it does not
 * @param here as it is
 */
public record Difference(String what, String theirs, String here) {

    private static final String NOT_STATED = "not stated";
    private static final String ONE_MACHINE = "none: generator and server on one machine, over loopback";
    private static final double GIB = 1L << 30;

    /**
     * Versions, processors, memory, system, network, from the article's data and ours.
     *
     * @param arms ours, with their versions
     * @param versions of JDK and generators, by name
     * @param machine as a campaign has it: {@code cores}, {@code memory.bytes}, {@code os}, of two machines where there are two
     * @param pinning how processors were divided in the campaign
     * @return only what differs, or what the article does not say
     */
    public static List<Difference> of(
            Article article,
            List<Arm> arms,
            Map<String, String> versions,
            Map<String, String> machine,
            String pinning) {
        boolean remote = machine.containsKey(Campaign.TARGET);
        Map<String, String> servers = Campaign.serverMachine(machine);
        Map<String, String> here = new TreeMap<>();
        for (Arm arm : arms) {
            put(here, arm.container(), arm.containerVersion());
            put(here, "spring-boot", arm.bootVersion());
        }
        versions.forEach((name, version) -> put(here, name, version));
        List<Difference> differences = new ArrayList<>();
        article.stack().forEach((name, theirs) -> add(differences, name, theirs, here.remove(name)));
        String generator = article.asPublished().generator();
        if (!article.stack().containsKey(generator)) {
            add(differences, generator, NOT_STATED, here.get(generator));
        }
        if (!article.stack().containsKey("jdk")) {
            add(differences, "jdk", NOT_STATED, here.get("jdk"));
        }
        Article.Machine theirs = article.machine();
        add(differences, "cores", theirs.cores() == null ? NOT_STATED : "" + theirs.cores(), servers.get("cores"));
        add(
                differences,
                "memory",
                theirs.memoryGb() == null ? NOT_STATED : theirs.memoryGb() + " GB",
                Optional.ofNullable(servers.get("memory.bytes"))
                        .map(bytes -> String.format(Locale.ROOT, "%.0f GiB", Long.parseLong(bytes) / GIB))
                        .orElse(null));
        add(differences, "os", theirs.os().isEmpty() ? NOT_STATED : theirs.os(), servers.get("os"));
        if (remote || !Boolean.TRUE.equals(theirs.generatorOnSameHost())) {
            add(differences, "network", network(theirs), remote ? "servers on another machine" : ONE_MACHINE);
        }
        add(differences, "processors, as it should be", NOT_STATED, pinning);
        return List.copyOf(differences);
    }

    private static String network(Article.Machine theirs) {
        if (theirs.generatorOnSameHost() == null) {
            return NOT_STATED;
        }
        return theirs.generatorOnSameHost()
                ? ONE_MACHINE
                : theirs.network().isEmpty() ? "the generator on another machine" : theirs.network();
    }

    private static void put(Map<String, String> here, String name, String version) {
        if (!name.isEmpty() && version != null && !version.isEmpty()) {
            here.merge(name, version, (a, b) -> List.of(a.split(", ")).contains(b) ? a : a + ", " + b);
        }
    }

    private static void add(List<Difference> differences, String what, String theirs, String here) {
        if (here != null && !here.isEmpty() && !here.equals(theirs)) {
            differences.add(new Difference(what, theirs, here));
        } else if (here == null) {
            differences.add(new Difference(what, theirs, "not known"));
        }
    }
}
