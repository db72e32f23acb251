package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.ContainerProfile.NativeLibrary;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.TargetException;

class PreflightTest {

    @Test
    void saysHowManyFileHandlesAreNeeded() {
        assertThatThrownBy(() -> Preflight.fileHandles(1500, 1024, "this shell", "run: ulimit -n "))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "too few file handles for 1500 connections: this shell allows 1024 open files for a process;"
                                + " run: ulimit -n 1756");
        assertThatCode(() -> Preflight.fileHandles(1500, 1756, "this shell", ""))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Preflight.fileHandles(4500, 4096, "load1"))
                .isInstanceOf(TargetException.class)
                .hasMessage("too few file handles for 4500 connections: load1 allows 4096 open files for a process;"
                        + " raise the hard limit of `ulimit -n` there to 4756");
        assertThatCode(() -> Preflight.fileHandles(4500, 4756, "load1")).doesNotThrowAnyException();
    }

    @Test
    void saysHowMuchMemoryIsMissing() {
        JvmOptions options = new JvmOptions(List.of("-Xmx2g", "-XX:MaxMetaspaceSize=256m"), Path.of("jvm.options"));

        assertThatThrownBy(() -> Preflight.memory(options, 1L << 30))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("not enough memory for the server: jvm.options asks for 2304 MiB and 1024 MiB");
        assertThatCode(() -> Preflight.memory(options, 3L << 30)).doesNotThrowAnyException();
    }

    @Test
    void namesThePackageOfAMissingLibrary() {
        assertThatThrownBy(() -> Preflight.folderOf(new NativeLibrary("libnosuch-1.so", "libnosuch-1")))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("apt-get install libnosuch-1");
        assertThatCode(() -> Preflight.folderOf(new NativeLibrary("libc.so", "libc6")))
                .doesNotThrowAnyException();
    }

    @Test
    void seesAPortInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Preflight.freePort(TargetSpec.LOOPBACK, taken.getLocalPort()))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("port " + taken.getLocalPort() + " on 127.0.0.1 is in use");
        }
    }
}
