package org.servletbench.bench.report;

import java.util.Map;
import java.util.TreeMap;

/** The files of a page while it is being made: content by name, relative to the page's folder. */
final class PageFiles {

    private final Map<String, String> files = new TreeMap<>();
    private final boolean published;

    /** @param published true to write tables only as compact JSON, which has the same figures as the CSV */
    PageFiles(boolean published) {
        this.published = published;
    }

    void put(String name, String content) {
        files.put(name, content);
    }

    void putAll(Map<String, String> others) {
        files.putAll(others);
    }

    /** Adds a table's files, and returns the table with links to them. */
    Table put(Table table) {
        String name = Table.FOLDER + "/" + table.file();
        if (published) {
            files.put(name + ".json", table.compact());
            return table.withoutCsv();
        }
        files.put(name + ".csv", table.csv());
        files.put(name + ".json", table.json());
        return table;
    }

    Map<String, String> all() {
        return files;
    }
}
