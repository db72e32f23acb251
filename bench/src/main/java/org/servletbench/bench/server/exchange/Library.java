package org.servletbench.bench.server.exchange;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.Text;

/**
 * A library inside a service's jar.
 *
 * @param group Maven's group; empty if the library does not name it
 * @param name its artifact; its file name if it names none
 * @param version empty if it names none
 * @param content identifies its bytes
 */
record Library(String group, String name, String version, String content) {

    /** A file name with a version: the artifact ends before the first hyphen that a digit follows. */
    private static final Pattern FILE = Pattern.compile("(.+?)-(v?\\d[^/]*)\\.jar");

    /** Returns a library of which only the file is known. */
    static Library ofFile(String file, String content) {
        String plain = Text.shown(file);
        Matcher named = FILE.matcher(plain);
        return named.matches()
                ? new Library("", named.group(1), named.group(2), content)
                : new Library("", plain, "", content);
    }

    /** Returns it with its Maven coordinates; a classifier, which its file name has after the version, becomes part of its name. */
    Library named(String itsGroup, String artifact, String itsVersion) {
        String classifier = isNamed(artifact, itsVersion) ? version.substring(itsVersion.length()) : "";
        return new Library(Text.shown(itsGroup), Text.shown(artifact + classifier), Text.shown(itsVersion), content);
    }

    /** True if these are the coordinates of the library itself, and not of one that it contains. */
    boolean isNamed(String artifact, String itsVersion) {
        return name.equals(artifact) && (version.equals(itsVersion) || version.startsWith(itsVersion + "-"));
    }

    /** Returns the word with which its siblings begin as well: {@code spring} of {@code spring-core}. */
    String firstWord() {
        return name.split("-", 2)[0];
    }
}
