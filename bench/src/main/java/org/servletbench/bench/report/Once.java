package org.servletbench.bench.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What was made once is not made again, however often a page is tried at another level of detail. */
final class Once {
    private final Map<List<Object>, Object> made = new HashMap<>();

    /**
     * The thing of this key.
     *
     * @param make makes it if there is none yet; it may ask for others in turn
     * @param key what it depends on; always of the same type for the same key
     */
    @SuppressWarnings("unchecked")
    <T> T get(Supplier<T> make, Object... key) {
        List<Object> all = List.of(key);
        if (!made.containsKey(all)) {
            made.put(all, make.get());
        }
        return (T) made.get(all);
    }
}
