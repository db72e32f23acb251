package org.servletbench.bench.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;

/** The machine's folders with jars, JDKs and the campaign, which are private and irrelevant to a published result. */
final class HiddenFolders {

    /**
     * The path of a Java agent, a class archive, or a file with a comparison or JVM options, of which the file name is
     * kept.
     */
    private static final Pattern FILE_OF_OPTION = Pattern.compile(
            "(-javaagent:|-agentpath:|-XX:\\w+=|\\bcompare |\\bjvm[.-]options=|^(?=\\S+\\.options$))/(?:[^\\s/,=:'\"&<]+/)*"
                    + "([^\\s/,=:'\"&<]+)");

    /** The home of a JDK in a command. */
    private static final Pattern HOME_OF_JDK = Pattern.compile("(--jdk[= ]|--set[= ][\\w.-]*\\bjdk=)(/[^\\s'\"&<]+)");

    private HiddenFolders() {}

    /**
     * Returns a campaign without these folders. Values are changed before a page is made; replacing text in a finished
     * page could damage its markup.
     *
     * @param of campaigns whose folders may be named
     */
    static CampaignFolder removedFrom(CampaignFolder read, List<CampaignFolder> of) {
        String home = System.getProperty("user.home") + "/";
        Map<String, String> shown = new LinkedHashMap<>();
        of.stream()
                .flatMap(one -> one.campaign().arms().stream())
                .flatMap(arm -> Stream.concat(Stream.of(arm.jar()), programs(arm)))
                .filter(jar -> jar.matches("(?s)/.*[^/]"))
                .forEach(jar -> shown.put(jar, jar.replaceFirst("(?s).*/", "")));
        Map<String, String> folders = shownFolders(of, home);
        return read.published(text -> {
            String rest = FILE_OF_OPTION.matcher(homes(text, read.campaign())).replaceAll("$1$2");
            rest = replaced(rest, shown);
            rest = home.length() > 2 ? rest.replace(home, "~/") : rest;
            return replaced(rest, folders);
        });
    }

    /** Names JDKs in a command as comparison files do, because a reader has them elsewhere: {@code HOME-OF-JDK-25}. */
    private static String homes(String command, Campaign campaign) {
        return HOME_OF_JDK
                .matcher(command)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1)
                        + Provenance.jdk(campaign, found.group(2))
                                .map(version -> "HOME-OF-JDK-" + version.replaceFirst("\\D.*", ""))
                                .orElse("HOME")));
    }

    /**
     * Returns the program of an arm's command, and the jars among its words. Other words may be the paths of requests.
     */
    private static Stream<String> programs(Arm arm) {
        List<String> words = arm.spec().command();
        return Stream.concat(
                words.stream().limit(1),
                words.stream().flatMap(word -> Stream.of(word.split(":"))).filter(part -> part.matches(".*\\.[jw]ar")));
    }

    /** Replaces only whole names, because the path of a request may start the same way. */
    private static String replaced(String text, Map<String, String> by) {
        String rest = text;
        for (Map.Entry<String, String> one : by.entrySet()) {
            rest = rest.replaceAll(
                    "(?<![\\w./~-])" + Pattern.quote(one.getKey()) + "(?![\\w.-])",
                    Matcher.quoteReplacement(one.getValue()));
        }
        return rest;
    }

    /**
     * Maps folders of the machine, the longest first, to the texts shown instead: the last part of each, so that two
     * JDKs stay distinct.
     *
     * @param home home folder with a trailing slash, which is already replaced by ~/
     */
    private static Map<String, String> shownFolders(List<CampaignFolder> of, String home) {
        List<String> folders = of.stream()
                .flatMap(read -> Stream.of(
                                Stream.of(read.campaign().conditions().folder()),
                                read.campaign().versions().entrySet().stream()
                                        .flatMap(one -> Stream.of(
                                                one.getKey().replaceFirst("^jdk@", ""),
                                                one.getKey().equals("jdk.home") ? one.getValue() : "")),
                                read.campaign().arms().stream()
                                        .flatMap(arm -> Stream.of(
                                                arm.spec().jdk(), arm.spec().workdir())),
                                read.serverRuns().stream()
                                        .map(one -> one.proven().get("jvm.home")))
                        .flatMap(some -> some))
                .filter(folder -> folder != null && folder.startsWith("/") && folder.length() > 1)
                .map(folder -> folder.startsWith(home) ? "~/" + folder.substring(home.length()) : folder)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
        Map<String, String> shown = new LinkedHashMap<>();
        for (String folder : folders) {
            String name = "…/" + folder.replaceFirst(".*/(?=[^/])", "");
            int number = 2;
            String other = name;
            while (shown.containsValue(other)) {
                other = name + "-" + number++;
            }
            shown.put(folder, other);
        }
        return shown;
    }
}
