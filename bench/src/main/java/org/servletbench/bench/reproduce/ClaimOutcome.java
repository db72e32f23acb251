package org.servletbench.bench.reproduce;

/** What became of a claim here. */
public enum ClaimOutcome {
    /** Every interval lies wholly within what is claimed. */
    CONFIRMED("confirmed"),
    /** At least one interval lies wholly outside. Versions and machine always differ: it refutes nothing about the article. */
    NOT_REPRODUCED_HERE("not reproduced here"),
    /** Neither can be said with what was measured here; the reason is given. */
    UNDECIDABLE_HERE("undecidable here");

    private final String words;

    ClaimOutcome(String words) {
        this.words = words;
    }

    /** For people. */
    public String words() {
        return words;
    }
}
