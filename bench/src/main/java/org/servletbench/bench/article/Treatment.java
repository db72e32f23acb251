package org.servletbench.bench.article;

/** With which settings the servers are run as it should be: a claim is tried with each, and each has its own verdict. */
public enum Treatment {
    /** As the article had them; the load is that of {@code as-it-should-be}. */
    ARTICLE("defaults", "the article's treatment", "as-it-should-be-defaults"),
    /** The same threads and connections for every container. */
    EQUALISED("equalised", "equalised settings", "as-it-should-be");

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

    /** For people. */
    public String words() {
        return words;
    }

    /** The campaign's folder in a reproduction's. */
    public String folder() {
        return folder;
    }

    /** How an article's experiment is run as it should be with these settings. */
    public Plan plan(Article article) {
        return this == ARTICLE ? article.asItShouldBe().withSettingsOf(article.asPublished()) : article.asItShouldBe();
    }

    /** For people: which treatment it is, and the settings by their name. */
    public String described(Article article) {
        return words + " (settings " + plan(article).settings() + ")";
    }

    /** Whether an article's experiment is run with these settings: the same ones are not run twice. */
    public boolean isOf(Article article) {
        return this == EQUALISED || !ARTICLE.plan(article).equals(EQUALISED.plan(article));
    }
}
