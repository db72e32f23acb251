package org.servletbench.micronaut;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The workloads {@code hello} and {@code payload}, and handlers that work or wait, as in the app on Spring Boot. */
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

    @Get(uri = "/work/{numbers}", produces = MediaType.TEXT_PLAIN)
    String work(int numbers) {
        return String.valueOf(new Random(1).ints(numbers).sorted().asLongStream().sum());
    }

    /** Waits for a time, but never on an event loop, which must not wait. */
    @Get(uri = "/delay/{ms}", produces = MediaType.TEXT_PLAIN)
    @ExecuteOn(TaskExecutors.BLOCKING)
    String delay(long ms) throws InterruptedException {
        Thread.sleep(ms);
        return "slept";
    }
}
