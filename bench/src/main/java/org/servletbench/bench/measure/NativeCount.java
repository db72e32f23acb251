package org.servletbench.bench.measure;

/**
 * What the generator's own report says of one request name, over the whole run.
 *
 * @param count requests, failed ones among them
 */
public record NativeCount(long count, long errors) {

    public NativeCount plus(NativeCount other) {
        return new NativeCount(count + other.count, errors + other.errors);
    }
}
