package org.servletbench.bench.article;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** With which settings the servers are run as it should be: a claim is tried with each, and each has its own verdict. */
public enum Treatment {
    /** As the article had them, its versions too; the load is that of {@code as-it-should-be}. */
    ARTICLE("defaults", "the article's treatment", "as-it-should-be-defaults"),
    /** The same threads and connections for every container. */
    EQUALISED("equalised", "equalised settings", "as-it-should-be"),
    /** As the article had them, with the versions of {@code as-it-should-be}. */
    NEWEST("newest", "the article's settings with the newest versions", "as-it-should-be-newest");

    private final String option;
    private final String words;
    private final String folder;

    Treatment(String option, String words, String folder) {
        this.option = option;
        this.words = words;
        this.folder = folder;
    }

    /** As {@code --settings} names it. */
    public String option() {
        return option;
    }

    public String words() {
        return words;
    }

    public String folder() {
        return folder;
    }

    /** How an article's experiment is run as it should be with these settings. */
    public RerunPlan plan(Article article) {
        RerunPlan own = article.asItShouldBe();
        RerunPlan theirs = article.asPublished();
        if (this == EQUALISED) {
            return own;
        }
        Map<String, String> options = new TreeMap<>(own.options());
        if (this == ARTICLE) {
            options.putAll(theirs.options());
        }
        return own.with(theirs, options);
    }

    /** For people: which treatment it is, and the settings by their name. */
    public String described(Article article) {
        String versions = plan(article).options().entrySet().stream()
                .filter(option -> option.getKey().endsWith("version"))
                .map(option -> ", " + option.getKey() + " " + option.getValue())
                .collect(Collectors.joining());
        String settings = plan(article).settings();
        String more = (words.startsWith(settings) ? "" : ", settings " + settings) + versions;
        return more.isEmpty() ? words : words + " (" + more.substring(2) + ")";
    }

    /** Whether an article's experiment is run with these settings: the same ones are not run twice. */
    public boolean isOf(Article article) {
        return this == EQUALISED
                || !plan(article).equals(EQUALISED.plan(article))
                        && (this == ARTICLE || !plan(article).equals(ARTICLE.plan(article)));
    }
}
