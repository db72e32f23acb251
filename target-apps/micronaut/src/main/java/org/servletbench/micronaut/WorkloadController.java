package org.servletbench.micronaut;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The workloads {@code hello} and {@code payload}, as in the app on Spring Boot. */
@Controller
class WorkloadController {

    private final String payload;

    WorkloadController() throws IOException {
        try (InputStream in = WorkloadController.class.getResourceAsStream("/payload.txt")) {
            payload = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Get(uri = "/hello", produces = MediaType.TEXT_PLAIN)
    String hello() {
        return "world";
    }

    @Get(uri = "/payload", produces = MediaType.TEXT_PLAIN)
    String payload() {
        return payload;
    }
}
