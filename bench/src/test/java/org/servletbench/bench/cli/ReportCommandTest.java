package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.report.Campaigns;

class ReportCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... args) {
        return Main.run(
                new PrintWriter(out),
                new PrintWriter(err),
                Stream.of(args).map(Object::toString).toArray(String[]::new));
    }

    @Test
    void rendersACampaignAndSaysWhere() throws IOException {
        Campaigns.write(folder, 1, "jetty", 1.0);

        assertThat(run("report", folder)).isZero();
        assertThat(out.toString().strip())
                .isEqualTo(folder.resolve("index.html").toString());
        assertThat(err.toString()).isEmpty();
        assertThat(folder.resolve("index.html")).isNotEmptyFile();
        assertThat(folder.resolve("tables/boot3-verdicts.csv")).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "\u0000\u0001",
                "{\"format\":1}",
                "{\"format\":2,\"block\":1}",
                "{\"format\":1,\"block\":1,\"position\":1,\"arm\":\"nobody\",\"attempt\":1,\"outcome\":\"measured\","
                        + "\"startUp\":{},\"loads\":[],\"warnings\":[]}",
                "{\"format\":1,\"block\":1,\"position\":1,\"arm\":\"jetty\",\"attempt\":1,\"outcome\":\"measured\","
                        + "\"startUp\":{},\"loads\":[{}],\"warnings\":[]}",
                "{\"format\":1,\"block\":\"<b>\",\"arm\":\"jetty\"}"
            })
    void aDamagedInvocationIsNamedInOneLineAndTheRestIsRendered(String content) throws IOException {
        Campaigns.write(folder, 1, "jetty", 1.0);
        Path damaged = folder.resolve("blocks/1/1-damaged/server-run.json");
        Files.createDirectories(damaged.getParent());
        Files.writeString(damaged, content);

        assertThat(run("report", folder)).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("report: blocks/1/1-damaged/server-run.json: damaged: ")
                .doesNotContain("Exception");
        assertThat(Files.readString(folder.resolve("index.html")))
                .contains("blocks/1/1-damaged/server-run.json: damaged: ")
                .contains("1 file could not be read");
    }

    /** People who see that a campaign has failed want to know why, and what to do. */
    @Test
    void aCampaignInWhichNothingWasMeasuredBeginsWithTheReasonAndTheNextCommand() throws IOException {
        Campaigns.unfinished(folder, 1, "jetty", 1.0);
        Path campaign = folder.resolve("campaign.json");
        Files.writeString(
                campaign,
                Files.readString(campaign)
                        .replaceFirst("\"command\" : \"[^\"]*\"", "\"command\" : \"compare --app shop.jar --url /\""));
        List<Path> serverRuns;
        try (Stream<Path> all = Files.walk(folder)) {
            serverRuns = all.filter(path -> path.endsWith("server-run.json")).toList();
        }
        for (Path file : serverRuns) {
            ObjectNode json = (ObjectNode) Json.MAPPER.readTree(file.toFile());
            boolean jetty = json.get("arm").asText().equals("jetty");
            json.put(
                    "outcome",
                    jetty ? "the server died at its start: no <bean>" : "given up, because of jetty: it died");
            json.putArray("loads");
            if (jetty) {
                json.set(
                        "warnings", Json.MAPPER.valueToTree(List.of(Warning.of(WarningKind.SERVER_FAILED, "it died"))));
            }
            Files.writeString(file, json.toString());
        }

        assertThat(run("report", folder)).isZero();
        String page = Files.readString(folder.resolve("index.html"));
        String header = page.substring(page.indexOf("<header>"), page.indexOf("</header>"))
                .replaceAll("\\s+", " ");
        assertThat(header)
                .startsWith(
                        "<header> <p role='alert'><b>Nothing was measured: jetty: the server died at its start: no &lt;bean&gt;</b></p>")
                .contains("begin again: <code>java -jar bench/target/bench.jar compare --app shop.jar --url /</code>")
                .doesNotContain("Estimates only");
        assertThat(page).contains(">Nothing was measured.</").doesNotContain("nothing is measured yet");

        // The whole command, including a given limit and number of blocks.
        ObjectNode record = (ObjectNode) Json.MAPPER.readTree(campaign.toFile());
        ObjectNode conditions = (ObjectNode) record.get("conditions");
        conditions.withArrayProperty("given").add("blocks").add("limit");
        conditions.withObjectProperty("options").put("blocks", "8").put("limit", "5m");
        Files.writeString(campaign, record.toString());
        assertThat(run("report", folder)).isZero();
        assertThat(folder.resolve("index.html"))
                .content()
                .contains("bench.jar compare --app shop.jar --url / --blocks=8 --limit=5m</code>");
    }

    @Test
    void anInvocationThatWasCutOffIsNamed() throws IOException {
        Campaigns.write(folder, 1, "jetty", 1.0);
        Path cut;
        try (Stream<Path> all = Files.walk(folder)) {
            cut = all.filter(path -> path.endsWith("server-run.json"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(cut);
        Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));

        assertThat(run("report", folder)).isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).contains(folder.relativize(cut).toString());
    }

    @Test
    void aFolderWithoutACampaignIsRefusedInOneLine() throws IOException {
        assertThat(run("report", folder)).isEqualTo(2);
        Files.writeString(folder.resolve("campaign.json"), "{\"format\": 7}");
        assertThat(run("report", folder)).isEqualTo(2);
        assertThat(run("report", folder.resolve("nowhere"))).isEqualTo(2);
        assertThat(run("report")).isEqualTo(2);

        List<String> lines = err.toString().lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).contains("there is no campaign.json in it");
        assertThat(lines.get(1)).contains("its format is 7, this version reads 5");
        assertThat(lines.get(2)).contains("no such folder");
        assertThat(lines).noneMatch(line -> line.contains("Exception"));
    }

    @Test
    void aBuildMayFailOnAVerdict() throws IOException {
        Campaigns.write(folder, 2, "jetty", 0.6);
        Path junit = folder.resolve("out/verdicts.xml");

        assertThat(run("report", folder, "--junit", junit)).isZero();
        assertThat(run("report", folder, "--junit", junit, "--fail-on", "slower"))
                .isEqualTo(3);
        assertThat(err.toString().lines())
                .isNotEmpty()
                .allMatch(line -> line.startsWith("report: slower: For ") && line.contains("Jetty"));
        assertThat(Files.readString(junit)).contains("<failure message=");
    }

    @Test
    void aBrokenControlHasAnExitCodeOfItsOwn() throws IOException {
        Campaigns.write(folder, 2, "tomcat-nio-control", 1.5);

        assertThat(run("report", folder)).isEqualTo(Exit.CONTROL_BROKEN.code()).isEqualTo(4);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("report: VOID, no verdict of this campaign may be used: ");
        assertThat(run("report", folder, "--fail-on", "never")).isZero();
    }

    @Test
    void resultsForProgramsAreWrittenAndReplaced() throws IOException {
        Campaigns.write(folder, 2, "jetty", 1.0);
        for (ResultFile one : ResultFile.values()) {
            Path file = folder.resolve("out/" + one.key());
            for (int i = 0; i < 2; i++) {
                assertThat(run("report", folder, "--" + one.key(), file))
                        .as(err.toString())
                        .isZero();
            }
            assertThat(file).isNotEmptyFile();
        }
    }

    /** Such a path is detected before anything else is done. */
    @Test
    void aResultThatCannotBeWrittenOrWouldReplaceSomethingElseIsBadUsage() throws IOException {
        Campaigns.write(folder, 2, "jetty", 1.0);
        Path other = Files.writeString(folder.resolve("package.json"), "{\"name\": \"shop\"}");
        Path file = Files.writeString(folder.resolve("file"), "");
        for (ResultFile one : ResultFile.values()) {
            err.getBuffer().setLength(0);
            assertThat(run("report", folder, "--" + one.key(), other)).isEqualTo(2);
            assertThat(run("report", folder, "--" + one.key(), folder)).isEqualTo(2);
            assertThat(run("report", folder, "--" + one.key(), file.resolve("below")))
                    .isEqualTo(2);
            assertThat(err.toString().lines())
                    .hasSize(3)
                    .satisfiesExactly(
                            line -> assertThat(line).contains(": the file exists and is something else"),
                            line -> assertThat(line).contains(" is a folder: name a file"),
                            line -> assertThat(line).contains(": cannot be written ("));
        }
        assertThat(run("report", folder, "--bmf", folder.resolve("a"), "--summary", folder.resolve("b/../a")))
                .isEqualTo(2);
        assertThat(run("compare", "--dry-run", "--bmf", folder.resolve("a"))).isEqualTo(2);
        assertThat(run("report", folder, "--fail-on", "sometimes")).isEqualTo(2);
        assertThat(err.toString().lines().skip(3))
                .satisfiesExactly(
                        line -> assertThat(line).contains("two results cannot share a file"),
                        line -> assertThat(line).contains("--bmf: a dry run has no results"),
                        line -> assertThat(line).contains("--fail-on sometimes: give slower, undecided, never"));
        assertThat(folder.resolve("index.html")).doesNotExist();
        assertThat(Files.readString(other)).isEqualTo("{\"name\": \"shop\"}");
    }

    /** A pool has a summary, but no verdicts. */
    @Test
    void aMachineWhoseControlIsBrokenIsNamedAndLeftOutOfThePool() throws IOException {
        Path[] shards = new Path[4];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = folder.resolve("shard" + i);
            Campaigns.write(shards[i], 3 + i, i == 1 ? "tomcat-nio-control" : "jetty", i == 1 ? 1.5 : 0.7);
        }
        Path summary = folder.resolve("summary.md");

        assertThat(run("report", shards[0], shards[1], shards[2], shards[3], "--summary", summary))
                .isZero();
        assertThat(err.toString().strip())
                .isEqualTo(
                        "report: campaign campaign-4 is left out: two copies of the same arm came out different there"
                                + " (its A/A check failed)");
        assertThat(Files.readString(summary))
                .startsWith("<!-- servlet-bench: pooled -->\n### Over 3 campaigns, ")
                .containsPattern("### .* the highest throughput for hello at 100 users")
                .contains("- campaign campaign-4 is left out: ", "| next campaign |");
    }

    @Test
    void twoCampaignsStandSideBySideAndThreeArePooled() throws IOException {
        Path[] campaigns = new Path[3];
        for (int i = 0; i < campaigns.length; i++) {
            campaigns[i] = folder.resolve("campaign" + i);
            Campaigns.write(campaigns[i], 3 + i, "jetty", 0.7);
        }

        assertThat(run("report", campaigns[0], campaigns[1])).isZero();
        assertThat(out.toString().strip())
                .isEqualTo(campaigns[1].resolve("comparison.html").toString());
        assertThat(run("report", campaigns[0], campaigns[1], campaigns[2])).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.matches(
                        "For hello at 100 users, the throughput of Jetty \\(boot3\\) is .*; the next campaign: .*\\."))
                .last()
                .isEqualTo(campaigns[2].resolve("comparison.html").toString());
        assertThat(campaigns[2].resolve("tables/pooled.csv")).exists();
    }

    @Test
    void severalCampaignsAreNoGate() throws IOException {
        Campaigns.write(folder.resolve("one"), 3, "jetty", 0.7);
        for (String option : List.of("--fail-on=slower", "--junit=" + folder.resolve("verdicts.xml"))) {
            assertThat(run("report", folder.resolve("one"), folder.resolve("one"), option))
                    .isEqualTo(2);
        }
        assertThat(err.toString().lines())
                .allMatch(line -> line.contains("needs verdicts, and several campaigns have none: give one DIR"));
    }

    @Test
    void aGateOnOneCampaignFailsForSlowerNotForInconclusiveAndIsRejectedWithoutVerdicts() throws IOException {
        Path slower = folder.resolve("slower");
        Path faster = folder.resolve("faster");
        Path unfinished = folder.resolve("unfinished");
        Campaigns.write(slower, 2, "jetty", 0.6);
        Campaigns.write(faster, 2, "jetty", 1.0);
        Campaigns.unfinished(unfinished, 2, "jetty", 0.6);
        Path junit = folder.resolve("verdicts.xml");

        assertThat(run("report", slower, "--fail-on", "slower")).isEqualTo(3);
        assertThat(run("report", slower, "--fail-on", "never")).isZero();
        assertThat(run("report", faster, "--fail-on", "slower", "--junit", junit))
                .isZero();
        assertThat(run("report", faster, "--fail-on", "undecided")).isEqualTo(3);
        assertThat(Files.readString(junit)).contains("<skipped message=");
        assertThat(run("report", unfinished, "--junit", junit)).isZero();
        assertThat(Files.readString(junit)).contains("<skipped message=\"No verdicts: the campaign has not reached");
        err.getBuffer().setLength(0);
        assertThat(run("report", unfinished, "--fail-on", "slower")).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("report: --fail-on needs verdicts: the campaign has not reached the end of its 10 blocks");
    }
}
