package org.servletbench.bench.server.exchange;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.Text;

/**
 * A library inside a service's jar.
 *
 * @param group Maven's group; empty if the library does not name it
 * @param name name of the artifact; the file name if the library does not name it
 * @param version version; empty if the library does not name it
 * @param content what identifies its bytes
 */
record Library(String group, String name, String version, String content) {

    /**
     * A file name with a version. The name of the artifact ends before the first hyphen that is followed by a digit.
     */
    private static final Pattern FILE = Pattern.compile("(.+?)-(v?\\d[^/]*)\\.jar");

    /** Returns a library of which only the file is known. */
    static Library ofFile(String file, String content) {
        String plain = Text.shown(file);
        Matcher named = FILE.matcher(plain);
        return named.matches()
                ? new Library("", named.group(1), named.group(2), content)
                : new Library("", plain, "", content);
    }

    /**
     * Returns the library with its Maven coordinates. A classifier, which follows the version in its file name, becomes
     * part of its name.
     */
    Library named(String itsGroup, String artifact, String itsVersion) {
        String classifier = isNamed(artifact, itsVersion) ? version.substring(itsVersion.length()) : "";
        return new Library(Text.shown(itsGroup), Text.shown(artifact + classifier), Text.shown(itsVersion), content);
    }

    /** True if these are the coordinates of the library itself, and not of another one that it contains. */
    boolean isNamed(String artifact, String itsVersion) {
        return name.equals(artifact) && (version.equals(itsVersion) || version.startsWith(itsVersion + "-"));
    }

    /** Returns the word with which the names of related libraries begin: {@code spring} for {@code spring-core}. */
    String firstWord() {
        return name.split("-", 2)[0];
    }
}
