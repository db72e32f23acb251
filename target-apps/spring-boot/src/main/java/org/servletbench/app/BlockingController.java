package org.servletbench.app;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The workload {@code delay}, and the two requests by which servlet-bench determines the kind of threads that serve
 * requests, and how many requests are served at once.
 */
@RestController
class BlockingController {

    /** Waits like a handler that makes a remote call. */
    @GetMapping(path = "/delay/{ms}", produces = MediaType.TEXT_PLAIN_VALUE)
    String delay(@PathVariable("ms") long millis) throws InterruptedException {
        Thread.sleep(millis);
        return "slept";
    }

    /** Returns the kind of the thread that serves this request. */
    @GetMapping(path = "/proof/thread", produces = MediaType.TEXT_PLAIN_VALUE)
    String thread() throws ReflectiveOperationException {
        boolean isVirtual;
        try {
            isVirtual = (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
        } catch (NoSuchMethodException e) {
            // Before JDK 21.
            isVirtual = false;
        }
        return isVirtual ? "virtual" : "platform";
    }

    /** Blocks until servlet-bench has counted the held requests. */
    @GetMapping(path = "/proof/held", produces = MediaType.TEXT_PLAIN_VALUE)
    String held() throws InterruptedException {
        HeldRequests.hold();
        return "held";
    }
}
