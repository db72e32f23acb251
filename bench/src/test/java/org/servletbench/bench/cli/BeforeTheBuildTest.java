package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.host.Machines;

/** Tests {@link BeforeTheBuild} alone; WaysInIT runs it as Maven does. */
class BeforeTheBuildTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private static List<String> words(String line) {
        return List.of(line.split(" "));
    }

    private static String misspelt(List<String> given) throws IOException {
        return BeforeTheBuild.misspelt(given, BeforeTheBuild.names(ROOT)).orElse("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -Pjetty gatling:test -Duser=5 -Dworkload=hello      | user      | users
            gatling:test --define workload=hello                | workload  | workloads
            gatling:test -D worklaods=hello                     | worklaods | workloads
            gatling:test -Dtarget.prot=8080                     | target.prot | target.port
            gatling:test -Dslos=p95<1ms                         | slos      | slo
            gatling:test -Dgatling.simulationclass=shop.Buy     | gatling.simulationclass | gatling.simulationClass
            -Pcompare verify -DdryRun                           | dryRun    | dry-run
            -Pcompare verify -Darm=jetty                        | arm       | arms
            -Pcompare verify -Dboot3.tomcat.verison=10.1.60     | boot3.tomcat.verison | boot3.tomcat.version
            """)
    void aSlipIsNamedWithTheNameThatIsMeant(String line, String given, String meant) throws IOException {
        assertThat(misspelt(BeforeTheBuild.options(words(line))))
                .isEqualTo("-D" + given + " is not an option; did you mean -D" + meant + "?");
    }

    @Test
    void aFormerNameLeadsToTheNewOne() throws IOException {
        assertThat(misspelt(List.of("arms", "tiers"))).isEqualTo("-Dtiers is called -Dusers now");
        assertThat(misspelt(List.of("explain"))).isEqualTo("-Dexplain is called -Dcpu-profile now");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            verify -Pfast
            -pl .,bench test -Dtest=FooTest -DskipITs -Dsurefire.failIfNoSpecifiedTests=false
            verify -Dit.test=WaysInIT -DskipTests -Dmaven.test.skip=true
            verify -Dos.name=X -Duser.home=/home/x -Dfile.encoding=UTF-8 -Dstyle.color=never
            dependency:tree -Dscope=test -Dincludes=a:b -Dhttp.proxyHost=proxy -Dmy.own=1
            -Pcompare verify -Dtarget-host=app1 -Dpre.touch=false
            """)
    void whatIsNoSlipIsLeftAlone(String line) throws IOException {
        assertThat(misspelt(BeforeTheBuild.options(words(line)))).isEmpty();
    }

    /** Our options are declared in several places. None of them may be mistaken for a typo. */
    @Test
    void noOptionOfOursIsTakenForASlip() throws IOException {
        List<String> ours = Stream.of(
                        CampaignOptions.ALL.stream().map(CampaignOptions.Planned::key),
                        Comparison.options().stream(),
                        Machines.OPTIONS.stream(),
                        SingleRun.TAKEN.stream(),
                        SingleRun.OF_COMMANDS.stream(),
                        SingleRun.DOTTED.stream(),
                        FromMaven.OF_ONE_RUN.stream(),
                        FromMaven.REPLACED.stream())
                .flatMap(names -> names)
                .distinct()
                .toList();
        assertThat(ours).hasSizeGreaterThan(50);
        assertThat(misspelt(ours)).isEmpty();
        Pattern option = Pattern.compile("-D([A-Za-z][A-Za-z0-9.-]*)");
        try (Stream<Path> docs = Stream.concat(
                Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"), ROOT.resolve("pom.xml")),
                Files.list(ROOT.resolve("docs")).filter(file -> file.toString().endsWith(".md")))) {
            for (Path file : docs.toList()) {
                assertThat(misspelt(option.matcher(Files.readString(file))
                                .results()
                                .map(found -> found.group(1))
                                .toList()))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    /** These plug-ins are not part of the build; users call their goals by name. */
    @Test
    void noOptionOfGatlingsOrJMetersPlugInIsTakenForASlip() throws IOException {
        Pattern property = Pattern.compile("\\$\\{([a-zA-Z.]+)}");
        for (var file : Collections.list(getClass().getClassLoader().getResources("META-INF/maven/plugin.xml"))) {
            try (InputStream in = file.openStream()) {
                List<String> names = property.matcher(
                                new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                        .results()
                        .map(found -> found.group(1))
                        .toList();
                assertThat(misspelt(names)).as(file.toString()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -Pjetty gatling:test                               | ''       | true
            gatling:test -Dtarget.url=http://127.0.0.1:8080    | ''       | false
            -Pcompare verify                                   | compare  | true
            -Pcompare verify -Ddry-run=true                    | compare  | false
            -Pcompare verify -Ddry-run                         | compare  | false
            -Pcompare verify -Ddry-run=false                   | compare  | true
            -Pjetty,serve verify                               | serve    | true
            verify -Pfast                                      | ''       | false
            package -DskipTests                                | ''       | false
            """)
    void onlySomeGoalsStartServers(String line, String work, boolean starts) {
        assertThat(BeforeTheBuild.startsServers(words(line), work)).isEqualTo(starts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -Ptomcat gatling:test          | there is no profile tomcat; did you mean tomcat-apr, tomcat-nio, tomcat-nio2? (docs/single-runs.md lists all)
            -Pboot3,jety gatling:test      | there is no profile jety; did you mean jetty? (docs/single-runs.md lists all)
            -Pjetty,boot4,query,serve      | ''
            -Pcorp,compare verify          | ''
            -Pmy-settings,!jetty verify    | ''
            """)
    void aProfileThatIsNone(String line, String said) throws IOException {
        assertThat(BeforeTheBuild.noProfile(words(line), BeforeTheBuild.profiles(ROOT))
                        .orElse(""))
                .isEqualTo(said);
    }

    @Test
    void aPathThatBuildsWouldSplit() {
        assertThat(BeforeTheBuild.splitPath("/home/me/a;b"))
                .contains("the path of this clone contains ';', where builds would split it: move /home/me/a;b");
        assertThat(BeforeTheBuild.splitPath("/home/me/a b")).isEmpty();
    }

    @Test
    void aMachineOnWhichNoServerCanBeStarted(@TempDir Path bin) throws IOException {
        assertThat(BeforeTheBuild.unfit("Mac OS X", ""))
                .contains(
                        "servers are started on Linux only, and this is Mac OS X: use Linux, WSL 2 or a Linux container"
                                + " (README has what it needs)");
        assertThat(BeforeTheBuild.unfit("Linux", bin.toString(), List.of()))
                .contains("setpriv is not on this machine: install util-linux");
        assertThat(bin.resolve("setpriv").toFile().createNewFile()).isTrue();
        assertThat(bin.resolve("setpriv").toFile().setExecutable(true)).isTrue();
        assertThat(BeforeTheBuild.unfit("Linux", bin.toString(), List.of()))
                .contains("setsid is not on this machine: install util-linux");
        assertThat(BeforeTheBuild.unfit("Linux", System.getenv("PATH"))).isEmpty();
    }

    /** When Ant itself fails, Maven prints eight lines about an exception. .mvn/Refusal.java replaces them. */
    @Test
    void whatIsRefusedIsSaidInOneLine() throws IOException {
        Path root = Path.of(System.getProperty("bench.root"));
        for (String pom : List.of("pom.xml", "simulations/pom.xml")) {
            assertThat(root.resolve(pom)).content().contains("<refuse ").doesNotContain("<fail ");
        }
    }
}
