package org.servletbench.bench.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every claim on figures that make it right, and on figures that make it wrong. */
class ClaimsBothWaysTest {

    private static Article.Claim claim(String article, String id) {
        return PublishedFolderTest.article(article).claims().stream()
                .filter(claim -> claim.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** {@code arm=value} for all users of the claim, or {@code arm@users=value}. */
    private static Figures figures(Statement statement, String text) {
        Map<String, Double> told = new HashMap<>();
        for (String one : text.strip().split(" +")) {
            told.put(one.split("=")[0], Double.valueOf(one.split("=")[1]));
        }
        Map<Point, Map<Quantity, Double>> values = new LinkedHashMap<>();
        for (Point cell : statement.cells()) {
            Double value = told.getOrDefault(cell.arm() + "@" + cell.users(), told.get(cell.arm()));
            if (value != null) {
                values.put(cell, Map.of(statement.metric().orElseThrow(), value));
            }
        }
        return new Figures(values);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            wrk-hello | order | jetty=4 undertow=3 tomcat-apr=2 tomcat-nio=1 | jetty=3 undertow=3 tomcat-apr=2 tomcat-nio=1
            wrk-hello | order | jetty=9 undertow=8 tomcat-apr=7 tomcat-nio=6 | jetty=4 undertow=3 tomcat-apr=1 tomcat-nio=2
            wrk-hello | apr-gain | tomcat-apr=116.9 tomcat-nio=100 | tomcat-apr=117.1 tomcat-nio=100
            wrk-hello | apr-gain | tomcat-apr=107.1 tomcat-nio=100 | tomcat-apr=106.9 tomcat-nio=100
            wrk-hello | jetty-gain | jetty=152.9 tomcat-nio=100 | jetty=153.1 tomcat-nio=100
            wrk-hello | jetty-gain | jetty=133.1 tomcat-nio=100 | jetty=132.9 tomcat-nio=100
            wrk-hello | undertow-gain | undertow=124.1 tomcat-nio=100 | undertow=123.9 tomcat-nio=100
            wrk-hello | nginx-gap | nginx=100 tomcat-nio=89 tomcat-apr=80 jetty=50 undertow=89.9 | nginx=100 tomcat-nio=89 tomcat-apr=80 jetty=50 undertow=90.1
            jmeter-nio-apr-tiers | low-tiers | tomcat-nio=10.9 tomcat-apr=10 | tomcat-nio=10.9 tomcat-apr=10 tomcat-apr@200=10.9
            jmeter-nio-apr-tiers | low-tiers | tomcat-nio=10.1 tomcat-apr=10 | tomcat-nio=11.1 tomcat-apr=10
            jmeter-nio-apr-tiers | high-tier | tomcat-apr=2 tomcat-nio=1 | tomcat-apr=1 tomcat-nio=2
            jmeter-nio-apr-tiers | latency-grows | tomcat-nio@100=1 tomcat-nio@1500=20 | tomcat-nio@100=1 tomcat-nio@1500=19.9
            jmeter-nio-apr-tiers | min-stable | tomcat-apr=2 tomcat-apr@200=3 tomcat-nio=1 | tomcat-apr=2 tomcat-apr@200=3.1 tomcat-nio=1
            jmeter-nio-apr-tiers | min-stable | tomcat-apr=3 tomcat-apr@100=2 tomcat-nio=1 | tomcat-apr=2 tomcat-nio@500=1 tomcat-nio=2
            jmeter-nio-apr-tiers | errors-apr | tomcat-apr=0 tomcat-apr@1500=0.001144 tomcat-nio=0 | tomcat-apr=0 tomcat-apr@1500=0.1144 tomcat-nio=0
            jmeter-nio-apr-tiers | errors-apr | tomcat-apr=0 tomcat-apr@1500=0.001144 tomcat-nio=0.0004 | tomcat-apr=0 tomcat-apr@1500=0.001144 tomcat-nio=0 tomcat-nio@500=0.0005
            siege-threads | high-load | undertow=2 jetty=1 | undertow=1 jetty=1
            siege-threads | high-load | undertow=2 jetty=1 | undertow=2 undertow@80=1 jetty=1
            siege-threads | low-load | jetty=1.09 undertow=1 | jetty=0.99 undertow=1
            siege-threads | low-load | jetty=1.01 undertow=1 | jetty=1.11 undertow=1
            siege-threads | payload-order | undertow=2 tomcat-nio=2 jetty=1 | undertow=2 tomcat-nio=2 jetty=1 jetty@80=2
            siege-threads | payload-order | undertow=2.19 tomcat-nio=2 jetty=1 | undertow=2 undertow@50=1.9 tomcat-nio=2 jetty=1
            siege-threads | payload-order | undertow=2 tomcat-nio=2 jetty=1 | undertow=2.21 tomcat-nio=2 jetty=1
            ab-startup | memory-order | jetty=1 undertow=2 tomcat-nio=3 | jetty=1 undertow=3 tomcat-nio=2
            ab-startup | speed-order | jetty=2 undertow=3 tomcat-nio=1 | jetty=3 undertow=2 tomcat-nio=1
            ab-startup | undertow-clearly | undertow=100 jetty=89.9 tomcat-nio=80 | undertow=100 jetty=90.1 tomcat-nio=80
            virtual-threads-blocking | tomcat-15-times | tomcat-nio+virtual=2000 jetty+virtual=200 | tomcat-nio+virtual=1999 jetty+virtual=200
            virtual-threads-blocking | jetty-no-gain | jetty+virtual=219 jetty=200 | jetty+virtual=221 jetty=200
            virtual-threads-blocking | startup-similar | tomcat-nio=10 jetty=9.1 tomcat-nio+virtual=10 jetty+virtual=10.9 | tomcat-nio=10 jetty=10 tomcat-nio+virtual=10 jetty+virtual=11.1
            """)
    void rightAndWrong(String article, String id, String right, String wrong) {
        Statement statement = claim(article, id).statement();
        assertThat(statement.holds(figures(statement, right))).contains(true);
        assertThat(statement.holds(figures(statement, wrong))).contains(false);
    }

    /** Without any one of its figures a right claim is open. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            wrk-hello | order | jetty=4 undertow=3 tomcat-apr=2 tomcat-nio=1
            jmeter-nio-apr-tiers | errors-apr | tomcat-apr=0 tomcat-apr@1500=0.001144 tomcat-nio=0
            jmeter-nio-apr-tiers | min-stable | tomcat-apr=2 tomcat-nio=1
            siege-threads | payload-order | undertow=2 tomcat-nio=2 jetty=1
            """)
    void open(String article, String id, String right) {
        Statement statement = claim(article, id).statement();
        Figures all = figures(statement, right);
        for (Point missing : all.values().keySet()) {
            Map<Point, Map<Quantity, Double>> less = new LinkedHashMap<>(all.values());
            less.remove(missing);
            assertThat(statement.holds(new Figures(less))).as(missing.text()).isEmpty();
        }
    }

    @Test
    void everyClaimIsTestedOrUndecidable() {
        TreeSet<String> undecidable = new TreeSet<>();
        PublishedFolderTest.articles().forEach(article -> article.claims().forEach(claim -> {
            if (claim.statement() instanceof Statement.Undecidable) {
                undecidable.add(article.id() + " " + claim.id());
                assertThat(claim.statement().holds(article.figures())).isEmpty();
            } else {
                assertThat(claim.statement().cells()).isNotEmpty();
            }
        }));
        assertThat(undecidable).containsExactly("siege-threads monitoring");
    }

    /** An order holds exactly where plain comparisons say so. */
    @Test
    void ordersOnRandomFigures() {
        Random random = new Random(3);
        List<String> signs = List.of(">", ">=", "<", "<=");
        for (int round = 0; round < 5000; round++) {
            List<String> relations = List.of(signs.get(random.nextInt(4)), signs.get(random.nextInt(4)));
            Statement.Order order = new Statement.Order(
                    "a " + relations.get(0) + " b " + relations.get(1) + " c",
                    Quantity.THROUGHPUT,
                    "hello",
                    List.of(1));
            double[] values = {1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(3)};
            boolean expected = true;
            for (int i = 0; i < 2; i++) {
                double one = values[i];
                double next = values[i + 1];
                expected &= switch (relations.get(i)) {
                    case ">" -> one > next;
                    case ">=" -> one >= next;
                    case "<" -> one < next;
                    default -> one <= next;
                };
            }
            Figures figures = new Figures(Map.of(
                    new Point("a", "hello", 1), Map.of(Quantity.THROUGHPUT, values[0]),
                    new Point("b", "hello", 1), Map.of(Quantity.THROUGHPUT, values[1]),
                    new Point("c", "hello", 1), Map.of(Quantity.THROUGHPUT, values[2])));
            assertThat(order.holds(figures)).isEqualTo(Optional.of(expected));
        }
    }
}
