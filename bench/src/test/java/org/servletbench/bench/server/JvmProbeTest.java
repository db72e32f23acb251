package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.server.agent.ProbeAgent;

class JvmProbeTest {

    /** A class that the server's JVM lacks would silence the agent, and only there. */
    @Test
    void theAgentsJarHasAllOfItsClasses() throws Exception {
        Path classes = Path.of(ProbeAgent.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve(ProbeAgent.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(classes)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                            .map(name -> name.replace(".class", "")))
                    .containsExactlyInAnyOrderElementsOf(JvmProbe.AGENT_CLASSES);
        }
    }
}
