package org.servletbench.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The action that people copy from docs and examples: that of a release or, while there is none, of the unzipped
 * folder.
 *
 * @param account the GitHub account that publishes, from {@code pom.xml}; empty while there is none
 * @param built version in {@code pom.xml}
 * @param released latest version in {@code CHANGELOG.md}, or {@code built} if that is not a snapshot; empty if nothing
 *     was released
 */
record Release(String account, String built, String released) {

    /** The page with lines to copy. */
    static final String PAGE = "docs/pull-requests.md";

    private static final Pattern USES =
            Pattern.compile("(- uses: )(?:\\./((?:\\w+/)*)servlet-bench-\\S+|[\\w-]+/servlet-bench@\\S+)");
    private static final Pattern ZIP = Pattern.compile("servlet-bench-\\d[\\w.-]*\\.zip");
    private static final Pattern UNZIP = Pattern.compile("(?m)^ +(- run: )?unzip -q servlet-bench-.*\n");
    private static final Pattern CLONE =
            Pattern.compile("In a clone(?: of https://github\\.com/[\\w-]+/servlet-bench)?(?=[: ])");
    private static final Pattern NOTE = Pattern.compile("(?s)(<!-- release -->\n\n).*?(\n\n<!-- end -->)");

    static Release of(Path root) throws IOException {
        String pom = Files.readString(root.resolve("pom.xml"));
        String built = first("<version>([^<]+)</version>", pom);
        return new Release(
                first("<release.account>([^<]+)</release.account>", pom),
                built,
                built.endsWith("-SNAPSHOT")
                        ? first("(?m)^## \\[(\\d[^\\]]*)]", Files.readString(root.resolve("CHANGELOG.md")))
                        : built);
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.find() ? found.group(1) : "";
    }

    boolean isOut() {
        return !account.isEmpty() && !released.isEmpty();
    }

    /** Returns a page or a workflow as rendered for this release. */
    String render(String text) {
        String cloned = CLONE.matcher(text)
                .replaceAll("In a clone"
                        + (account.isEmpty() ? "" : " of https://github.com/" + account + "/servlet-bench"));
        String named = ZIP.matcher(cloned).replaceAll("servlet-bench-" + built + ".zip");
        if (!isOut()) {
            String folder = USES.matcher(named).replaceAll("$1./$2servlet-bench-" + built);
            return noted(
                    folder,
                    "Nothing is released yet: `mvn -Pdist package` makes the zip in `target/`. Put it into your repository.");
        }
        String action = USES.matcher(UNZIP.matcher(named).replaceAll(""))
                .replaceAll("$1" + account + "/servlet-bench@v" + released);
        return noted(
                action,
                "Pin the action by the commit of a [release](https://github.com/" + account
                        + "/servlet-bench/releases), which has the zip, too.");
    }

    private static String noted(String text, String note) {
        return NOTE.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(note) + "$2");
    }
}
