package org.servletbench.bench.article;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Holds an article's ranking against its own table, and against what single runs of the same arm differ by. */
record RankingAudit(Article article, List<AuditFinding> findings) {

    /** Spread of single runs of the same arm, as a share: of runs that are long and warm. */
    static final double SPREAD_LONG = 0.02;
    /** The same of runs that are short or cold. */
    static final double SPREAD_SHORT = 0.05;
    /** A run shorter than this is short, s. */
    static final double SHORT_SECONDS = 10;

    static List<AuditFinding> of(Article article) {
        RankingAudit audit = new RankingAudit(article, new ArrayList<>());
        audit.leaderNotNamed();
        audit.gapsTooSmall();
        return audit.findings;
    }

    private void found(FindingKind kind, String format, Object... figures) {
        findings.add(new AuditFinding(kind, "", text(format, figures)));
    }

    private void leaderNotNamed() {
        Map<String, List<Point>> rivals = article.underLoad()
                .collect(Collectors.groupingBy(
                        cell -> cell.workload() + " " + String.format("%09d", cell.users()),
                        TreeMap::new,
                        Collectors.toList()));
        for (List<Point> cells : rivals.values()) {
            Point leader = Collections.max(cells, Comparator.comparingDouble(article::throughput));
            Set<String> named = article.claims().stream()
                    .map(Article.Claim::statement)
                    .filter(about -> about.metric().equals(Optional.of(Quantity.THROUGHPUT)))
                    .map(Statement::cells)
                    .filter(about ->
                            about.stream().anyMatch(cell -> cell.workload().equals(leader.workload())))
                    .flatMap(List::stream)
                    .map(Point::arm)
                    .collect(Collectors.toCollection(TreeSet::new));
            if (cells.size() > 1 && !named.isEmpty() && !named.contains(leader.arm())) {
                found(
                        FindingKind.LEADER_NOT_NAMED,
                        "%s has the highest throughput, %s requests/s; the claims name %s",
                        leader.text(),
                        article.throughput(leader),
                        String.join(", ", named));
            }
        }
    }

    /** Two single runs of the same arm differ by this share at the most, 19 times of 20. */
    static double noise(double spread) {
        return ArticleAudit.NORMAL_95 * Math.sqrt(2) * spread;
    }

    /** Arms that are ranked by throughput, pair by pair, against what single runs of the same arm differ by. */
    private void gapsTooSmall() {
        if (!article.method().oneRun()) {
            return;
        }
        Set<String> seen = new TreeSet<>();
        article.claims().stream()
                .flatMap(claim -> claim.statement().conjuncts().stream())
                .filter(statement -> statement instanceof Statement.Order order && order.what() == Quantity.THROUGHPUT)
                .map(Statement.Order.class::cast)
                .forEach(order -> order.users().forEach(users -> {
                    List<Point> ranked = order.arms().stream()
                            .map(arm -> new Point(arm, order.workload(), users))
                            .toList();
                    for (int i = 0; i < ranked.size(); i++) {
                        for (Point other : ranked.subList(i + 1, ranked.size())) {
                            gap(ranked.get(i), other, seen);
                        }
                    }
                }));
    }

    private void gap(Point one, Point other, Set<String> seen) {
        double a = article.throughput(one);
        double b = article.throughput(other);
        if (Double.isNaN(a) || Double.isNaN(b) || !seen.add(one.text() + other.text())) {
            return;
        }
        double shorter = Math.min(
                article.seconds(one).orElse(Double.POSITIVE_INFINITY),
                article.seconds(other).orElse(Double.POSITIVE_INFINITY));
        boolean cold = Boolean.FALSE.equals(article.method().warmUp());
        double spread = shorter < SHORT_SECONDS || cold ? SPREAD_SHORT : SPREAD_LONG;
        double limit = noise(spread);
        double gap = Math.max(a, b) / Math.min(a, b) - 1;
        if (gap < limit) {
            found(
                    FindingKind.GAP_TOO_SMALL,
                    "%s and %s: %.1f %% apart in single runs of %.1f s%s; two runs of the same arm differ by up to %.1f %%"
                            + " (19 times of 20, at a spread of %.0f %%)",
                    one.text(),
                    other.arm(),
                    100 * gap,
                    shorter,
                    cold ? " on a JVM that was not warm" : "",
                    100 * limit,
                    100 * spread);
        }
    }
}
