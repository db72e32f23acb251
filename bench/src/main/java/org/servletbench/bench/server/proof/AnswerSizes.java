package org.servletbench.bench.server.proof;

import static org.servletbench.bench.model.Text.text;

import java.util.Collection;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Compares the sizes of servers' answers after a load that has changed their state, because more data may mean more
 * work.
 */
public final class AnswerSizes {

    /** Differences below this number of bytes come from numbers with more digits. */
    private static final long LEAST = 32;

    private AnswerSizes() {}

    /**
     * Returns requests whose answers differ in size between servers. A request whose answers also differ within one
     * server is ignored.
     *
     * @param servers for each server, body sizes of several answers, bytes, by request; empty if no answer was correct
     * @param limit maximum excess of the largest size over the smallest, as a share
     * @return words such as {@code list: 12,034 to 14,001 bytes}; empty if there are none
     */
    public static String differences(Collection<Map<String, List<Long>>> servers, double limit) {
        return servers.stream()
                .flatMap(server -> server.keySet().stream())
                .distinct()
                .sorted()
                .map(request -> difference(
                        request,
                        servers.stream()
                                .map(server -> server.get(request))
                                .filter(Objects::nonNull)
                                .toList(),
                        limit))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static LongSummaryStatistics summary(Collection<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).summaryStatistics();
    }

    private static String difference(String request, List<List<Long>> sizes, double limit) {
        long wrong = sizes.stream().filter(List::isEmpty).count();
        if (wrong > 0) {
            return wrong == sizes.size()
                    ? ""
                    : text("%s: no right answer from %d of %d servers", request, wrong, sizes.size());
        }
        List<LongSummaryStatistics> servers =
                sizes.stream().map(AnswerSizes::summary).toList();
        LongSummaryStatistics all =
                summary(servers.stream().map(LongSummaryStatistics::getMin).toList());
        return servers.stream().anyMatch(own -> differ(own, limit)) || !differ(all, limit)
                ? ""
                : text("%s: %,d to %,d bytes", request, all.getMin(), all.getMax());
    }

    private static boolean differ(LongSummaryStatistics sizes, double limit) {
        long more = sizes.getMax() - sizes.getMin();
        return more >= LEAST && more > limit * sizes.getMin();
    }
}
