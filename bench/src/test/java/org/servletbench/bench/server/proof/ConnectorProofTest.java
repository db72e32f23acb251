package org.servletbench.bench.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.ArchiveKind;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.process.ClassArchive;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.TargetSpec;

class ConnectorProofTest {

    private static final List<String> OPTIONS = List.of("-Xmx1g", "-Xss256k");
    private static final TargetSpec SPEC = spec(
            new ContainerProfile(
                    "tomcat-nio", "Tomcat NIO", "tomcat", "nio", "NioProtocol", List.of("boot3"), "", Optional.empty()),
            "boot3");

    private static TargetSpec own(ContainerProfile profile) {
        return spec(profile, TargetSpec.OWN);
    }

    private static TargetSpec spec(ContainerProfile profile, String line) {
        return new TargetSpec(
                new TargetSpec.Application(Path.of("app.jar"), profile, line, "3.5.0", "10.1.0", Optional.empty()),
                new TargetSpec.Start(
                        new Jdk(
                                Path.of("/opt/jdk-25"),
                                "25.0.3",
                                "25.0.3+9-LTS",
                                "Eclipse Adoptium",
                                "OpenJDK 64-Bit Server VM"),
                        new JvmOptions(OPTIONS, Path.of("jvm.options")),
                        "equalised",
                        Path.of(System.getProperty("bench.root")).resolve("profiles/settings/equalised.properties"),
                        List.of()),
                new TargetSpec.Endpoint(
                        TargetSpec.LOOPBACK, OptionalInt.empty(), Duration.ofSeconds(1), TargetSpec.READY_PATH),
                ThreadingMode.USUAL,
                ArmSpec.USUAL);
    }

    private static final Map<String, String> IDENTITY = Map.ofEntries(
            Map.entry("container", "tomcat"),
            Map.entry("container.version", "10.1.0"),
            Map.entry("connector.class", "NioProtocol"),
            Map.entry("connector.port", "8080"),
            Map.entry("boot.version", "3.5.0"),
            Map.entry("jvm.version", "25.0.3"),
            Map.entry("jvm.vendor", "Eclipse Adoptium"),
            Map.entry("jvm.name", "OpenJDK 64-Bit Server VM"),
            Map.entry("jvm.home", "/opt/jdk-25"),
            Map.entry("jvm.option.0", "-Xmx1g"),
            Map.entry("jvm.option.1", "-Xss256k"));

    @Test
    void acceptsWhatTheProfileSays() {
        ConnectorProof proof = ConnectorProof.of(IDENTITY, SPEC, 8080, OPTIONS);

        assertThat(proof.describe())
                .isEqualTo("tomcat 10.1.0, connector nio (NioProtocol), boot3 (Spring Boot 3.5.0), JDK 25.0.3");
    }

    @ParameterizedTest
    @CsvSource({
        "container, jetty, container is jetty and should be tomcat",
        "container.version, 10.1.1, version is 10.1.1 and should be 10.1.0",
        "connector.class, AprProtocol, connector is AprProtocol and should be NioProtocol",
        "connector.port, 80, port is 80 and should be 8080",
        "boot.version, 2.7.0, Spring Boot is 2.7.0 and should be 3.5.0",
        "jvm.version, 25.0.2, jvm.version is 25.0.2 and should be 25.0.3",
        "jvm.vendor, Debian, jvm.vendor is Debian and should be Eclipse Adoptium",
        "jvm.name, OpenJ9, jvm.name is OpenJ9 and should be OpenJDK 64-Bit Server VM",
        "jvm.home, /opt/jdk-26, jvm.home is /opt/jdk-26 and should be /opt/jdk-25",
        "effective.threads.max, 7, effective.threads.max is 7 and should be 200",
        "effective.max-connections, 8192, effective.max-connections is 8192 and should be 20000",
        "effective.accept-count, 100, effective.accept-count is 100 and should be 4096",
        "jvm.option.1, -Xss1m, JVM options is -Xmx1g -Xss1m and should be -Xmx1g -Xss256k",
        "jvm.option.2, -Xint, JVM options is -Xmx1g -Xss256k -Xint and should be -Xmx1g -Xss256k"
    })
    void refusesOneThatDiffersInOneThing(String key, String value, String difference) {
        Map<String, String> identity = new HashMap<>(IDENTITY);
        identity.put(key, value);

        assertThatThrownBy(() -> ConnectorProof.of(identity, SPEC, 8080, OPTIONS))
                .isInstanceOf(TargetException.class)
                .hasMessage("the running server is not what the profile tomcat-nio says: " + difference);
    }

    private static TargetSpec asking(TargetSpec spec, String arm) throws IOException {
        return new TargetSpec(
                spec.application(),
                spec.start(),
                spec.endpoint(),
                spec.serving(),
                Json.MAPPER.readValue(arm, ArmSpec.class));
    }

    /** Without its limit, the arm would silently be a different one. */
    @ParameterizedTest
    @ValueSource(strings = {"", ", \"command\": [\"java\"]", ", \"command\": [\"./run.sh\"]"})
    void limitsAreReadBackFromTheKernel(String program) throws IOException {
        TargetSpec limited = asking(SPEC, "{\"cpus\": \"0.5\", \"memory\": \"1g\"" + program + "}");
        Map<String, String> identity = new HashMap<>(IDENTITY);
        identity.put(Proven.CPU_LIMIT, "500m");
        identity.put(Proven.MEMORY_LIMIT, "1024 MiB");
        ConnectorProof.of(identity, limited, 8080, OPTIONS);
        identity.put(Proven.CPU_LIMIT, "none");
        identity.put(Proven.MEMORY_LIMIT, "none: the server is not in its cgroup");
        assertThatThrownBy(() -> ConnectorProof.of(identity, limited, 8080, OPTIONS))
                .isInstanceOf(TargetException.class)
                .hasMessageEndingWith(
                        "the CPU limit is none and should be 500m; the memory limit is none: the server is"
                                + " not in its cgroup and should be 1024 MiB");
    }

    /** A service may replace the executor that its property would give it. */
    @ParameterizedTest
    @CsvSource({
        "tomcat, false, true",
        "jetty, false, true",
        "undertow, false, true",
        "jetty, true, false",
        "tomcat, , false"
    })
    void aServiceThatAsksForVirtualThreadsGetsThem(String container, String virtual, boolean refused)
            throws IOException {
        TargetSpec asked = asking(
                own(new ProfilesFolder(Path.of("../profiles")).ofService("shop", null)),
                "{\"properties\": {\"spring.threads.virtual.enabled\": \"true\"}}");
        Map<String, String> identity = new HashMap<>(IDENTITY);
        identity.put("container", container);
        identity.put("effective.threads.max", "200");
        Optional.ofNullable(virtual).ifPresent(is -> identity.put("effective.threads.virtual", is));
        Throwable said = catchThrowable(() -> ConnectorProof.of(identity, asked, 8080, OPTIONS));
        if (refused) {
            assertThat(said)
                    .hasMessage(
                            "the running server is not what the arm shop says: spring.threads.virtual.enabled has no"
                                    + " effect, because requests run on a pool of 200 platform threads, which the"
                                    + " service's own code configures: leave it out");
        } else {
            assertThat(said).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8, ",
        "'10, 8', ",
        "not known, ",
        "10, 'HikariCP''s pool should have 8 connections, but has 10'",
        "'18, 10', 'HikariCP''s pool should have 8 connections, but has 18, 10'",
        ", 'HikariCP''s pool should have 8 connections, but HikariCP is not loaded'"
    })
    void theSizeOfAPoolIsReadBack(String pools, String difference) throws IOException {
        TargetSpec asked = asking(SPEC, "{\"properties\": {\"spring.datasource.hikari.maximum-pool-size\": \"8\"}}");
        Map<String, String> identity = new HashMap<>(IDENTITY);
        Optional.ofNullable(pools).ifPresent(sizes -> identity.put("effective.pool.max", sizes));
        Throwable said = catchThrowable(() -> ConnectorProof.of(identity, asked, 8080, OPTIONS));
        if (difference == null) {
            assertThat(said).isNull();
        } else {
            assertThat(said).hasMessage("the running server is not what the profile tomcat-nio says: " + difference);
        }
    }

    /** The server of a service reports its container, whatever the service's name is. */
    @ParameterizedTest
    @CsvSource({
        "tomcat-nio, , container, undertow, container is undertow and should be tomcat",
        "tomcat-nio, , connector.class, Nio2, connector is Nio2 and should be org.apache.coyote.http11.Http11NioProtocol",
        "shop, jetty, container, tomcat, container is tomcat and should be jetty",
        "shop, , container, undertow, ",
    })
    void aServiceMustBeWhatItsArmSays(String arm, String container, String key, String value, String difference) {
        TargetSpec service = own(new ProfilesFolder(Path.of("../profiles")).ofService(arm, container));
        Map<String, String> identity = new HashMap<>(IDENTITY);
        identity.put("connector.class", "org.apache.coyote.http11.Http11NioProtocol");
        identity.put(key, value);
        Throwable said = catchThrowable(() -> ConnectorProof.of(identity, service, 8080, OPTIONS));

        if (difference == null) {
            assertThat(said).isNull();
            assertThat(ConnectorProof.of(identity, service, 8080, OPTIONS).describe())
                    .contains(", connector (org.apache.coyote.http11.Http11NioProtocol), own");
        } else {
            assertThat(said)
                    .hasMessageStartingWith("the running server is not what the arm " + arm + " says: " + difference);
        }
    }

    @Test
    void aRequestMustBeServedByTheKindOfThreadThatWasAskedFor() {
        Map<String, String> identity = new HashMap<>(IDENTITY);
        identity.put(ServedAtOnce.KIND, "virtual");
        identity.put(ServedAtOnce.LIMIT, "200");

        assertThat(ConnectorProof.of(identity, SPEC.with(new ThreadingMode(Threads.VIRTUAL, true, 250)), 8080, OPTIONS)
                        .describe())
                .endsWith("JDK 25.0.3, virtual threads, requests served at once: 200");
        assertThatThrownBy(() -> ConnectorProof.of(identity, SPEC, 8080, OPTIONS))
                .isInstanceOf(TargetException.class)
                .hasMessageEndingWith("says: the thread of a request is virtual and should be platform");
    }

    @Test
    void aServerMustSpeakTheProtocolThatWasAskedFor() {
        TargetSpec spec = SPEC.with(ThreadingMode.USUAL.over(Protocol.H2));
        Map<String, String> identity = new HashMap<>(IDENTITY);
        identity.put(HttpWire.PROTOCOL, "h2");
        assertThat(ConnectorProof.of(identity, spec, 8080, OPTIONS).describe()).endsWith("JDK 25.0.3, h2");

        identity.put(HttpWire.PROTOCOL, "https");
        assertThatThrownBy(() -> ConnectorProof.of(identity, spec, 8080, OPTIONS))
                .isInstanceOf(TargetException.class)
                .hasMessageEndingWith("says: the protocol is https and should be h2");
    }

    @Test
    void refusesAServerThatDoesNotSay() {
        assertThatThrownBy(() -> ConnectorProof.of(Map.of("error", "no context"), SPEC, 8080, OPTIONS))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("no context");
    }

    private static void accept(String archived, String others) {
        Map<String, String> identity = new HashMap<>(IDENTITY);
        identity.put("classes.archived", archived);
        identity.put("classes.others", others);
        ConnectorProof.of(
                identity,
                SPEC.with(new ClassArchive(ArchiveKind.AOT, Path.of("app.jar"), Path.of("c.aot"), 1, "0")),
                8080,
                OPTIONS);
    }

    @Test
    void aServerWithAnArchiveMustHaveTakenMostClassesFromIt() {
        accept("8121", "284");
        assertThatThrownBy(() -> accept("1070", "7000"))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("only 1070 of its 8070 classes come from the AOT cache");
        assertThatThrownBy(() -> accept("", ""))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("does not say how many classes come from the AOT cache");
    }
}
