package org.servletbench.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.ContainerProfile.NativeLibrary;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.TargetSpec;

class WireTest {

    private static Object sent(Object one) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Wire wire = new Wire(bytes)) {
            wire.writeObject(one);
        }
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    @Test
    void pathsAndOptionalValuesTravel() throws Exception {
        List<Object> all = List.of(
                Path.of("/a/b"),
                Optional.of(Path.of("c")),
                Optional.empty(),
                OptionalInt.of(3),
                OptionalInt.empty(),
                OptionalLong.of(4),
                OptionalLong.empty());

        assertThat(sent(all)).isEqualTo(all);
    }

    @Test
    void aSpecificationArrivesAsItWasSent() throws Exception {
        TargetSpec spec = new TargetSpec(
                new TargetSpec.Application(
                        Path.of("app.jar"),
                        new ContainerProfile(
                                "tomcat-apr",
                                "Tomcat APR",
                                "tomcat",
                                "apr",
                                "Apr",
                                List.of("boot2"),
                                "no",
                                Optional.of(new NativeLibrary("libtcnative-1.so", "libtcnative-1"))),
                        "boot2",
                        "2.7",
                        "9",
                        Optional.empty()),
                new TargetSpec.Start(
                        Jdk.own(),
                        new JvmOptions(List.of("-Xmx1g"), Path.of("jvm.options")),
                        "equalised",
                        Path.of("equalised.properties"),
                        List.of()),
                new TargetSpec.Endpoint(TargetSpec.LOOPBACK, OptionalInt.of(8080), Duration.ofSeconds(60), "/ready"),
                ThreadingMode.USUAL,
                ArmSpec.USUAL.withHeap(new Size("256m")));

        assertThat(sent(spec)).isEqualTo(spec);
    }
}
