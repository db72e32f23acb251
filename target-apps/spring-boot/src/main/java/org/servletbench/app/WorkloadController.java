package org.servletbench.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.util.StreamUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The workloads {@code hello} and {@code payload}, and work for comparisons whose handler must do some. {@code static}
 * and {@code metrics} are Spring Boot's own.
 */
@RestController
class WorkloadController {

    private final String payload;

    WorkloadController() throws IOException {
        payload = StreamUtils.copyToString(
                new ClassPathResource("payload.txt").getInputStream(), StandardCharsets.US_ASCII);
    }

    @GetMapping(path = "/hello", produces = MediaType.TEXT_PLAIN_VALUE)
    String hello() {
        return "world";
    }

    @GetMapping(path = "/payload", produces = MediaType.TEXT_PLAIN_VALUE)
    String payload() {
        return payload;
    }

    /** Sorts this many numbers. They are always the same ones, so that each call costs as much as the last. */
    @GetMapping(path = "/work/{numbers}", produces = MediaType.TEXT_PLAIN_VALUE)
    String work(@PathVariable("numbers") int numbers) {
        return String.valueOf(
                new Random(1).ints(numbers).sorted().asLongStream().sum());
    }
}
