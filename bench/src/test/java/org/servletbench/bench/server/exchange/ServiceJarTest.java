package org.servletbench.bench.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.Protocol;

class ServiceJarTest {

    @TempDir
    private Path folder;

    private ServiceJar read(String yaml, String... profiles) throws IOException {
        Path jar = Jars.service("tomcat-embed-core-10.1.40.jar")
                .with("BOOT-INF/classes/application.yml", yaml)
                .with("BOOT-INF/classes/application-prod.yml", "server: {port: 81}\n")
                .write(folder.resolve("shop.jar"));
        return ServiceJar.read(jar, folder, List.of(profiles));
    }

    @Test
    void propertiesAreThoseThatSpringWouldRead() throws IOException {
        String yaml = """
                server:
                  tomcat: {maxThreads: 5, threads.max: 50}
                  port: 80
                management.server.port: 9001
                ---
                spring.config.activate.on-profile: prod
                server.tomcat.threads.max: 99
                """;
        ServiceJar jar = read(yaml);
        assertThat(jar.bootVersion()).isEqualTo("3.5.16");
        assertThat(jar.value("server.tomcat.threads.max")).contains("50");
        assertThat(jar.value("server.tomcat.max-threads")).contains("5");
        assertThat(jar.value("spring.application.name")).contains("shop");
        assertThat(jar.value("server.port")).contains("80");
        assertThat(jar.managementPort()).contains("9001");

        ServiceJar prod = read(yaml, "prod");
        assertThat(prod.value("server.tomcat.threads.max")).contains("99");
        assertThat(prod.value("server.port")).contains("81");

        Files.createDirectories(folder.resolve("config"));
        Files.writeString(
                folder.resolve("config/application.properties"), "server.port=82\nspring.profiles.active=prod\n");
        assertThat(read(yaml).value("server.tomcat.threads.max")).contains("99");
    }

    /** This is detected before the container is swapped. */
    @Test
    void pagesOfJspDoNotRunOnUndertow() throws IOException {
        ServiceJar plain = ServiceJar.read(
                Jars.war("tomcat-embed-core-10.1.40.jar").write(folder.resolve("plain.war")), folder, List.of());
        ServiceJar pages = ServiceJar.read(
                Jars.war("tomcat-embed-core-10.1.40.jar")
                        .with("WEB-INF/jsp/home.jsp", "")
                        .write(folder.resolve("pages.war")),
                folder,
                List.of());
        assertThat(ContainerSwap.containers(plain.file())).containsExactly("tomcat", "jetty", "undertow");
        assertThat(ContainerSwap.containers(pages.file())).containsExactly("tomcat", "jetty");
        assertThat(plain.lacks("undertow")).isEmpty();
        assertThat(pages.lacks("jetty")).isEmpty();
        assertThat(pages.lacks("undertow"))
                .contains("Spring Boot does not run its JSP pages on Undertow: leave this arm out");
    }

    @Test
    void whatIsNoYamlSaysNothing() throws IOException {
        assertThat(read("a: [\n\t}").value("server.port")).isEmpty();
        assertThat(read("a: &x [1]\nb: *x\n- 1").managementPort()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', HTTP",
        "'server.ssl.key-store: classpath:a.p12', HTTPS",
        "'server.ssl: {enabled: false, key-store: classpath:a.p12}', HTTP",
        "'server: {ssl.bundle: own, http2.enabled: true}', H2",
        "'server.http2.enabled: true', HTTP"
    })
    void aServiceSpeaksWhatItsPropertiesSay(String yaml, Protocol protocol) throws IOException {
        assertThat(read(yaml + "\n").protocol()).isEqualTo(protocol);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:mem:shop, false",
        "jdbc:h2:file:./shop, true",
        "jdbc:h2:~/shop, true",
        "'jdbc:h2:./shop;AUTO_SERVER=TRUE', false",
        "jdbc:h2:tcp://localhost/shop, false",
        "jdbc:hsqldb:mem:shop, false",
        "jdbc:hsqldb:file:shop, true",
        "jdbc:sqlite:shop.db, true",
        "jdbc:derby:memory:shop, false",
        "jdbc:postgresql://localhost/shop, false",
        "${DB:jdbc:h2:file:./shop}, true"
    })
    void aDatabaseInAFileIsKnown(String url, boolean file) {
        assertThat(ServiceJar.fileOf(url).isPresent()).isEqualTo(file);
    }
}
