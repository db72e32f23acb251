package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.proof.ServerFile;

class ExternalServerTest {

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "http://localhost:8080/", "http://[::1]:8080", "http://127.0.0.1"})
    void takesWhatIsOnThisMachine(String url) {
        assertThat(ExternalServer.checked(url, false).getPort()).isPositive();
        assertThat(ExternalServer.checked(url, false).getPath()).isEmpty();
    }

    @Test
    void takesAnotherMachineOnlyWhenToldSo() {
        assertThatThrownBy(() -> ExternalServer.checked("http://192.0.2.1:8080", false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("-Dtarget.allow-remote=true");
        assertThat(ExternalServer.checked("http://192.0.2.1:8080", true)).hasHost("192.0.2.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:8080",
                "https://127.0.0.1:8080",
                "http://127.0.0.1:8080/hello",
                "http://me@127.0.0.1",
                "http://127.0.0.1/?a=b",
                "not an address",
                "http://"
            })
    void refusesWhatIsNoPlainAddress(String url) {
        assertThatThrownBy(() -> ExternalServer.checked(url, true))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is not understood: give a server such as http://127.0.0.1:8080");
    }

    @Test
    void whatNobodyCouldTellIsNullInTheRecord(@TempDir Path folder) throws IOException {
        ServerFile serverFile = new ServerFile(folder, ServerRecord.EMPTY);

        serverFile.put(
                "warm-up", new WarmUp.Outcome(true, "", 1, List.of(new WarmUp.Burst(1, 12.5, Double.NaN, Double.NaN))));

        assertThat(Files.readString(folder.resolve("server.json")))
                .contains("\"requestsPerSecond\" : 12.5", "\"backlog\" : null");
    }
}
