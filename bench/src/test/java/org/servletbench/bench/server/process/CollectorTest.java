package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Tests the collector as a separate process. */
class CollectorTest {

    /** An export of two empty spans, nested in a resource and a scope. */
    private static final byte[] TWO_SPANS = {1 << 3 | 2, 6, 2 << 3 | 2, 4, 2 << 3 | 2, 0, 2 << 3 | 2, 0};

    private final HttpClient client = HttpClient.newHttpClient();

    private int post(URI address, String path, byte[] body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .header("Content-Type", "application/x-protobuf");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.body()).isEmpty();
        return answer.statusCode();
    }

    private static Map<String, Long> totals(long requests, long bytes, long spans) {
        return Map.of("exported.requests", requests, "exported.bytes", bytes, "exported.spans", spans);
    }

    @Test
    void whatEachServerExportsIsCountedApart() throws IOException, InterruptedException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(TWO_SPANS);
        }
        URI one;
        try (Collector collector = Collector.start(Optional.empty())) {
            one = collector.address("agent-exports");
            URI two = collector.address("starter+x");
            assertThat(one.getHost()).isEqualTo("127.0.0.1");
            assertThat(Collector.totals(one)).isEqualTo(totals(0, 0, 0));

            assertThat(post(one, "/v1/traces", TWO_SPANS)).isEqualTo(200);
            assertThat(post(one, "/v1/traces", zipped.toByteArray(), "Content-Encoding", "gzip"))
                    .isEqualTo(200);
            // Neither metrics nor unreadable exports count as spans.
            assertThat(post(one, "/v1/metrics", TWO_SPANS)).isEqualTo(200);
            assertThat(post(two, "/v1/traces", new byte[] {1, 2, 3})).isEqualTo(400);

            assertThat(Collector.totals(one)).isEqualTo(totals(3, 2 * TWO_SPANS.length + zipped.size(), 4));
            assertThat(Collector.totals(two)).isEqualTo(totals(1, 3, 0));
            assertThat(Collector.totals(collector.address("agent"))).isEqualTo(totals(0, 0, 0));
        }
        assertThatThrownBy(() -> Collector.totals(one)).isInstanceOf(IOException.class);
    }
}
