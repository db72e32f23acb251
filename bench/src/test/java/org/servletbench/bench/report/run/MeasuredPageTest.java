package org.servletbench.bench.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.model.Slo;

class MeasuredPageTest {
    @TempDir
    Path folder;

    private final StringBuilder rows = new StringBuilder("timeStamp,elapsed,label,threadName,success\n");
    private long beginMs = 1_700_000_000_000L;

    /** Writes a log of users who send requests without pauses for five seconds. */
    private void load(String workload, int users, int elapsedMs) {
        for (long at = 0; at < 5000; at += elapsedMs) {
            for (int user = 1; user <= users; user++) {
                rows.append("%d,%d,%s %d users,%s %d-%d,true\n"
                        .formatted(beginMs + at, elapsedMs, workload, users, workload, users, user));
            }
        }
        beginMs += 7000;
    }

    private String page() throws IOException {
        return page(Optional.empty());
    }

    private String page(Optional<Slo> objective) throws IOException {
        Path log = Files.writeString(folder.resolve("results.csv"), rows);
        return new MeasuredPage(List.of(new Measured(log, RawLog.of(log).measure())), objective)
                .html()
                .replaceAll("<[^>]+>", "")
                .replaceAll("\\s+", " ");
    }

    @Test
    void theFirstSentencesSayWhereThroughputEnds() throws IOException {
        load("static", 10, 20);
        load("static", 5, 20);
        load("hello", 5, 10);
        load("hello", 10, 19);
        load("hello", 20, 40);

        assertThat(page())
                .containsPattern("Most requests/s: static (49|50)\\d with 10 users, hello 5\\d\\d with 10 users\\.")
                .contains("raise throughput by less than 10 %: hello 5.")
                .as("nobody proved what server this was")
                .doesNotContain("-Pcompare");
    }

    @Test
    void loadsWithAMarkSayNothing() throws IOException {
        load("static", 10, 10);
        load("hello", 10, 10);
        for (int i = 0; i < 30; i++) {
            rows.append("%d,9,hello 10 users,hello 10-1,false\n".formatted(beginMs - 4000 + 10 * i));
        }

        assertThat(page())
                .containsPattern("Most requests/s of the loads without a warning: static [0-9,]+ with 10 users\\. ");
    }

    /** Fewer users might reach as many requests/s, and more users more. A load with a warning proves neither. */
    @Test
    void whereALoadHasAMarkNoNumberOfUsersIsSaidToBeEnough() throws IOException {
        load("hello", 5, 10);
        for (int i = 0; i < 30; i++) {
            rows.append("%d,9,hello 5 users,hello 5-1,false\n".formatted(beginMs - 4000 + 10 * i));
        }
        load("hello", 10, 19);
        load("hello", 20, 40);

        assertThat(page())
                .contains("Most requests/s of the loads without a warning: hello 5")
                .contains("1 of 3 loads has a warning (!)")
                .doesNotContain("less than 10 %");
    }

    @Test
    void thePageOfARunSaysWhenAndOnWhatItRan() throws IOException {
        load("hello", 10, 10);
        load("static", 10, 10);
        Files.writeString(folder.resolve("server.json"), """
                {"profile": "tomcat-nio2", "connector": "nio2", "line": "boot4", "settings": "defaults",
                 "jvm.options": ["-Xmx1g"], "pinning": "server on processors 0, generator on 1",
                 "machine": {"cpu": "Some CPU", "cores": "2", "memory.bytes": "8589934592", "kernel": "6.1", "os": "Debian"},
                 "proven": {"container": "tomcat", "container.version": "11", "boot.version": "4", "jvm.version": "25.0.1",
                            "served.threads": "virtual"},
                 "warm-up": {"settled": true, "seconds": 30.4}}
                """);

        assertThat(page())
                .contains("Tomcat 11, connector nio2, Boot 4, settings defaults, 10 users")
                .contains("date2023-11-14 22:13 UTC")
                .contains("machineSome CPU, 2 processors, 8 GiB of memory, Debian, Linux 6.1")
                .contains("JDK25.0.1, virtual threads", "JVM options-Xmx1g")
                .contains("processorsserver on processors 0, generator on 1")
                .containsPattern("load\\d+ s in steady windows, of 2 loads")
                .contains("warm-up30 s")
                .contains("mvn -Pcompare verify -Darms=tomcat-nio2,jetty -Dworkloads=hello -Dusers=10"
                        + " -Dset=&#39;server.boot=boot4;server.properties=defaults;server.threads=virtual&#39;");
    }

    @Test
    void thePageOfARunOfOursNamesTheComparisonThatWouldAnswer() throws IOException {
        load("hello", 10, 10);
        Files.writeString(
                folder.resolve("server.json"),
                "{\"proven\": {\"container\": \"jetty\", \"container.version\": \"12\", \"boot.version\": \"3\","
                        + " \"jvm.version\": \"17\"}, \"warm-up\": {\"settled\": true}}");

        assertThat(page())
                .contains("mvn -Pcompare verify -Dworkloads=hello -Dusers=10")
                .doesNotContain("less than 10 %");
    }

    @Test
    void anObjectiveStandsAboveTheFiguresWithEachCell() throws IOException {
        load("static", 10, 20);
        load("hello", 10, 50);

        assertThat(page(Optional.of(Slo.parse("--slo", "p95<40ms,errors<1%"))))
                .contains("Objective: p95 below 40 ms, errors below 1 %: 1 met, 1 not met, 0 not known")
                .contains("met static 10 users: p95 20 ms, limit 40 ms, errors 0.000 %, limit 1 %")
                .contains("not met hello 10 users: p95 50 ms, limit 40 ms");
    }
}
