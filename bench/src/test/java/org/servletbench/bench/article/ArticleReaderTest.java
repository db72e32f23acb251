package org.servletbench.bench.article;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.UsageException;

/** Files that are not as they should be, each refused in one line that names the file and the key. */
class ArticleReaderTest {

    @TempDir
    private Path folder;

    private static String text(String id) throws IOException {
        return Files.readString(PublishedFolderTest.FOLDER.resolve(id + ".yaml"));
    }

    private void assertRefused(String id, String was, String instead, String line) throws IOException {
        String whole = text(id);
        assertThat(whole).contains(was);
        int at = whole.indexOf(was);
        Path file = Files.writeString(
                folder.resolve(id + ".yaml"), whole.substring(0, at) + instead + whole.substring(at + was.length()));
        assertThatThrownBy(() -> PublishedFolderTest.READER.read(file))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(line)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            wrk-hello            | id: wrk-hello          | id: other          | 'id' is 'other', and must be one of wrk-hello
            wrk-hello            | language: zh           | tongue: zh         | 'language' is missing: a text is expected
            wrk-hello            | language: zh           |                    | 'language' is missing: a text is expected
            wrk-hello            | language: zh           | language: 7        | 'language' is wrong: a text is expected (in quotes, if it looks like a number)
            wrk-hello            | language: zh           | {language: zh, colour: red | no YAML
            wrk-hello            | stack:                 | colour: red\\nstack: | 'colour' is no key here: choose from audit, claims
            wrk-hello            | cores: 4               | cores: 4.5         | 'machine.cores' is wrong: a whole number is expected
            wrk-hello            | cores: 4               | cores: 0           | 'machine.cores' must be a number from 1 to 10000
            wrk-hello            | cores: 4               | speed: 4           | 'machine.speed' is no key here: choose from cores, generator-on-same-host
            wrk-hello            | requests: 890078       | requests: -1       | 'figures[0].requests' must be a number from 0 on
            wrk-hello            | requests: 890078       | hits: 890078       | 'figures[0].hits' is no figure here: choose from requests
            wrk-hello            | requests: 890078       | threads-live: 8    | 'figures[0].threads-live' is no figure here
            wrk-hello            | arm: tomcat-nio        | arm: netty         | 'figures' is 'netty', and must be one of jetty
            wrk-hello            | arm: tomcat-nio        | arm: tomcat-apr    | 'figures[1].arm' comes twice: tomcat-apr hello 400 users
            wrk-hello            | hello: {path: /hello   | hullo: {path: /hello | 'workloads' is 'hullo', and must be one of hello
            wrk-hello            | id: apr-gain           | id: order          | 'claims[1].id' comes twice: order
            wrk-hello            | order: "jetty >        | order: "jetty =    | 'claims[0].statement.order' must be two or more arms with >, >=, < or <= between them
            wrk-hello            | order: "jetty >        | order: "jetty > jetty > | 'claims[0].statement.order' must be two or more arms
            wrk-hello            | order: "jetty          | rank: "jetty       | 'claims[0].statement.order' is missing: a statement has exactly one of order, ratio
            wrk-hello            | is: 1.12,              | is: 1.12, behind: nginx, | 'claims[1].statement.behind' stands beside 'ratio'
            wrk-hello            | is: 1.12,              |                    | 'claims[1].statement.is' is wrong or missing: a ratio has either 'is' and 'within', or 'at-least'
            wrk-hello            | [tomcat-apr, tomcat-nio], is | [tomcat-apr], is | 'claims[1].statement.ratio' must be a list of two arms
            wrk-hello            | behind: nginx          | behind: jetty      | 'claims[4].statement.arms' has 'jetty', which cannot be behind itself
            wrk-hello            | finding: two-values    | finding: odd       | 'audit[1].finding' is wrong: one of options-after-jar
            wrk-hello            | generator: wrk         | generator: curl    | 'reproduce.as-published.generator' is 'curl', and must be one of wrk
            wrk-hello            | settings: defaults     | settings: fast     | 'reproduce.as-published.settings' names no settings set 'fast'
            wrk-hello            | undertow, nginx], users | undertow], users  | 'reproduce.as-published.loads' must measure nginx hello 400 users, which decides the claim 'nginx-gap'
            wrk-hello            | duration-s: 30, threads | threads           | 'reproduce.as-published.loads[0].duration-s' is missing: say when the load ends
            jmeter-nio-apr-tiers | loops: [10, 10, 10, 20] | loops: [10, 20]   | 'reproduce.as-published.loads[0].loops' must have one number for each of 'users'
            wrk-hello            | duration-s: 30, threads | loops: [10], threads | 'reproduce.as-published.loads[0]' cannot be: wrk ends after a time
            wrk-hello            | threads: 50            | threads: 50, options: [-X] | 'reproduce.as-published.loads[0]' cannot be: option '-X' of wrk is not taken here
            wrk-hello            | threads: 50            | ramp-up-s: 1       | 'reproduce.as-published.loads[0]' cannot be: wrk has no ramp-up
            jmeter-nio-apr-tiers | ramp-up-s: 1, keep     | threads: 3, keep   | 'reproduce.as-published.loads[0]' cannot be: jmeter here takes users
            jmeter-nio-apr-tiers | at-users: 1500         | at-users: 1000     | 'claims[4].statement.at-users' must be one of 'users'
            jmeter-nio-apr-tiers | growth: latency-mean-ms | growth: classes-loaded | 'claims[2].statement.growth' is 'classes-loaded', which does not depend on users
            ab-startup           | metric: memory-used-mb | metric: memory-used-mb, users: [1] | 'claims[0].statement.users' is no key here
            ab-startup           | classes-loaded: 9869   | throughput-rps: 9869 | 'figures[0].throughput-rps' is no figure here: choose from ready-ms, memory-used-mb
            wrk-hello            | original: "12%         | phrase: "12%       | 'claims[1].original' is missing: a text is expected
            wrk-hello            | reading: "左右: about   | meaning: "about    | 'claims[1].reading' is missing: a text is expected
            wrk-hello            | disclaimers:           | warnings:          | 'warnings' is no key here
            wrk-hello            | order: "jetty >        | lead-at-most: 0.1, order: "jetty > | 'claims[0].statement.lead-at-most' is no key here
            wrk-hello            | metric: throughput-rps | metric: latency-mean-ms | 'claims[0].statement' is about response times, which wrk cannot decide
            jmeter-nio-apr-tiers | within: 0.1,           | within: 0,         | 'claims[0].statement.all[1].within' must be a number from 0.001 to 1
            jmeter-nio-apr-tiers | within: 0.1,           |                    | 'claims[0].statement.all[1].within' is missing: a number is expected
            jmeter-nio-apr-tiers | nearly-equal: [tomcat-nio, tomcat-apr] | nearly-equal: [tomcat-nio] | 'claims[0].statement.all[1].nearly-equal' must be a list of two arms
            jmeter-nio-apr-tiers | {nearly-equal: [tomcat-nio, tomcat-apr], within: 0.1, metric: throughput-rps, workload: static, users: [100, 200]} | {undecidable: "x", shown-by: "y"} | 'claims[0].statement.all[1]' must be a statement about ratios, of the same metric as the first
            jmeter-nio-apr-tiers | within: 0.1, metric: throughput-rps | within: 0.1, metric: latency-mean-ms | 'claims[0].statement.all[1]' must be a statement about ratios, of the same metric as the first
            siege-threads        | - {order: "jetty > undertow", metric: throughput-rps, workload: hello, users: [50]}\\n |  | 'claims[1].statement.all' must be a list of two statements or more
            jmeter-nio-apr-tiers | share-within: 0.0000005, |                  | 'claims[4].statement.share-within' is missing
            virtual-threads-blocking | at-least: 10,     | at-least: -1,      | 'claims[0].statement.at-least' must be a number from 0 to 1000000
            virtual-threads-blocking | at-least: 10,     | at-least: 10, is: 2, | 'claims[0].statement.within' is wrong or missing: a ratio has either
            virtual-threads-blocking | metric: ready-ms} | metric: ready-ms, users: [1]} | 'claims[2].statement.all[0].users' is no key here: ready-ms is taken once
            virtual-threads-blocking | jetty+virtual: 200 | jetty+green: 200  | 'concurrency' is 'jetty+green', and must be one of jetty
            virtual-threads-blocking | jetty+virtual: 200 | jetty+virtual: 0  | 'concurrency.jetty+virtual' must be a number from 1
            virtual-threads-blocking | delay: 1s}        | colour: red}       | 'reproduce.as-published.options.colour' is no key here: choose from delay, turn
            siege-threads        | shown-by:              | by:                | 'claims[3].statement.shown-by' is missing
            """)
    void refusals(String id, String was, String instead, String line) throws IOException {
        assertRefused(id, was.replace("\\n", "\n"), instead == null ? "" : instead.replace("\\n", "\n"), line);
    }

    @Test
    void noYamlAtAll() throws IOException {
        for (String text :
                new String[] {"", "just words", "- a\n- list", "id: [", "id: a\nid: b", "\u0000", "a: &a [*a]"}) {
            Path file = Files.writeString(folder.resolve("wrk-hello.yaml"), text);
            assertThatThrownBy(() -> PublishedFolderTest.READER.read(file))
                    .isInstanceOf(UsageException.class)
                    .hasMessageStartingWith(file + ": ")
                    .hasMessageNotContaining("\n");
        }
        assertThatThrownBy(() -> PublishedFolderTest.READER.readAll(Files.createDirectory(folder.resolve("empty"))))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no article in ");
        assertThatThrownBy(() -> PublishedFolderTest.article("nobody"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no article 'nobody'")
                .hasMessageContaining("wrk-hello");
    }

    /** Whatever a file holds, it is an article or refused in one line. */
    @Test
    void damagedFiles() throws IOException {
        Random random = new Random(17);
        for (String id : new String[] {"wrk-hello", "siege-threads"}) {
            String whole = text(id);
            for (int round = 0; round < 400; round++) {
                StringBuilder damaged = new StringBuilder(whole);
                for (int i = random.nextInt(3); i >= 0; i--) {
                    int at = random.nextInt(damaged.length());
                    switch (random.nextInt(3)) {
                        case 0 -> damaged.deleteCharAt(at);
                        case 1 -> damaged.setCharAt(at, (char) (' ' + random.nextInt(95)));
                        default -> damaged.setLength(Math.max(1, at));
                    }
                }
                Path file = Files.writeString(folder.resolve(id + ".yaml"), damaged);
                try {
                    assertThat(PublishedFolderTest.READER.read(file).id()).isEqualTo(id);
                } catch (UsageException e) {
                    assertThat(e.getMessage()).contains(file.toString()).doesNotContain("\n");
                }
            }
        }
    }

    @Test
    void errorsThereAndNowhereElse() {
        Point there = new Point("jetty", "hello", 10);
        Point other = new Point("undertow", "hello", 10);
        ErrorsOnly claim = new ErrorsOnly("jetty", 10, 0.01, 0, 0, List.of("jetty", "undertow"), "hello", List.of(10));
        assertThat(claim.holds(errors(there, 0.3, other, 0))).contains(false);
        assertThat(claim.holds(errors(there, 0.01, other, 0))).contains(true);
        assertThat(claim.holds(errors(there, 0, other, 0))).contains(false);
        assertThat(claim.holds(errors(there, 0.01, other, 0.1))).contains(false);
        assertThat(claim.holds(errors(there, 0.01, other, Double.NaN))).isEmpty();
    }

    private static Figures errors(Point one, double ofOne, Point other, double ofOther) {
        return new Figures(
                Map.of(one, Map.of(Quantity.ERRORS_PRINTED, ofOne), other, Map.of(Quantity.ERRORS_PRINTED, ofOther)));
    }

    @Test
    void anArticleAsItStands() {
        Article siege = PublishedFolderTest.article("siege-threads");
        assertThat(siege.serverSettings().get("jetty")).containsEntry("selectors", "2");
        assertThat(siege.method().meanPauseSeconds()).isEqualTo(0.5);
        assertThat(siege.asPublished().loads().get(1))
                .isEqualTo(new RerunPlan.Stage(
                        "pause",
                        "payload",
                        List.of("undertow", "tomcat-nio", "jetty"),
                        List.of(50, 80, 100),
                        List.of(2000, 2000, 2000),
                        null,
                        120,
                        0,
                        1,
                        null,
                        false,
                        List.of()));
        assertThat(siege.asPublished().jvmOptions()).isEqualTo(List.of());
        assertThat(siege.asItShouldBe().jvmOptions()).isNull();
        assertThat(siege.asItShouldBe().blocks()).isEqualTo(10);
    }
}
