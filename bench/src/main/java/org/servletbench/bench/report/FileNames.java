package org.servletbench.bench.report;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Names of files made from names in data: letters, digits, dot and hyphen only, short, and each once. */
final class FileNames {
    private static final int LONGEST = 80;
    private final Set<String> taken = new HashSet<>();

    String unique(String... parts) {
        String name = String.join("-", parts)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.]+", "-")
                .replaceAll("^[-.]+|[-.]+$", "");
        name = name.length() > LONGEST ? name.substring(0, LONGEST) : name.isEmpty() ? "table" : name;
        String unique = name;
        for (int i = 2; !taken.add(unique); i++) {
            unique = name + "-" + i;
        }
        return unique;
    }
}
