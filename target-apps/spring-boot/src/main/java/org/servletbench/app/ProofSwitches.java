package org.servletbench.app;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;
import org.springframework.ui.ModelMap;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.WebRequestInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The switches of {@link Proof} that act before a request is handled. It uses Spring's own interceptor instead of a
 * servlet filter, because the servlet API's package differs between Spring Boot versions, and this source serves all of
 * them.
 */
@Component
@Conditional(Proof.Asked.class)
class ProofSwitches implements WebMvcConfigurer, WebRequestInterceptor, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(ProofSwitches.class);
    private static final String SEEN = ProofSwitches.class.getName();

    private static final int HANDS = 8;

    private final ProofBurner burner;
    /** Null unless requests hand off a task. */
    private final ExecutorService hands;
    /** Null unless requests write. */
    private final OutputStream nowhere;

    private final OptionalLong delay = Proof.nanos(Proof.DELAY);
    private final long turnNanos;
    private final AtomicLong turn = new AtomicLong(System.nanoTime());
    private final long failEvery;
    private final long truncateEvery;
    private final String[] header;
    private final AtomicLong requests = new AtomicLong();

    ProofSwitches() throws IOException {
        Proof.requireKnown();
        OptionalLong burn = Proof.nanos(Proof.BURN);
        burner = burn.isPresent() ? new ProofBurner(burn.getAsLong()) : null;
        hands = Boolean.getBoolean(Proof.HAND_OVER) ? Executors.newFixedThreadPool(HANDS, ProofSwitches::hand) : null;
        nowhere = Boolean.getBoolean(Proof.WRITE) ? Files.newOutputStream(Path.of("/dev/null")) : null;
        long rate = Long.parseLong(System.getProperty(Proof.RATE, "0"));
        turnNanos = rate > 0 ? 1_000_000_000 / rate : 0;
        failEvery = Long.parseLong(System.getProperty(Proof.FAIL_EVERY, "0"));
        truncateEvery = Long.parseLong(System.getProperty(Proof.TRUNCATE_EVERY, "0"));
        header = System.getProperty(Proof.HEADER, "").split(":", 2);
        if (rate < 0
                || failEvery < 0
                || truncateEvery < 0
                || System.getProperty(Proof.HEADER) != null && header.length != 2) {
            throw new IllegalArgumentException("give " + Proof.RATE + "=150, " + Proof.FAIL_EVERY + "=100, "
                    + Proof.TRUNCATE_EVERY + "=100, " + Proof.HEADER + "=Name:value");
        }
        LOG.warn("Proof switches are on, for experiments with the rig only: {}", Proof.on());
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addWebRequestInterceptor(this).excludePathPatterns("/proof/**");
    }

    @Override
    public void preHandle(WebRequest request) throws IOException {
        // The page at / is answered by a second, internal request for index.html.
        if (request.getAttribute(SEEN, WebRequest.SCOPE_REQUEST) != null) {
            return;
        }
        request.setAttribute(SEEN, true, WebRequest.SCOPE_REQUEST);
        long number = requests.incrementAndGet();
        if (header.length == 2) {
            ((ServletWebRequest) request).getResponse().setHeader(header[0], header[1]);
        }
        if (failEvery > 0 && number % failEvery == 0) {
            ((ServletWebRequest) request).getResponse().setStatus(500);
        }
        if (truncateEvery > 0 && number % truncateEvery == 0) {
            truncate((ServletWebRequest) request);
        }
        if (burner != null) {
            burner.burn();
        }
        if (hands != null) {
            handOver();
        }
        if (nowhere != null) {
            nowhere.write(number % 2 == 0 ? 'a' : 'b');
        }
        delay.ifPresent(ProofSwitches::sleep);
        if (turnNanos > 0) {
            long now = System.nanoTime();
            sleep(turn.accumulateAndGet(now, (last, at) -> Math.max(last + turnNanos, at)) - now);
        }
    }

    private static Thread hand(Runnable work) {
        Thread thread = new Thread(work, "proof-hand-over");
        thread.setDaemon(true);
        return thread;
    }

    private void handOver() throws IOException {
        try {
            hands.submit(() -> {}).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }

    /**
     * Truncates an answer. After part of it has been sent, an exception forces a container to close the connection. The
     * length leaves room for the error page, which Tomcat adds nevertheless.
     */
    private static void truncate(ServletWebRequest request) throws IOException {
        request.getResponse().setHeader("Content-Length", "65536");
        request.getResponse().getOutputStream().write('w');
        request.getResponse().flushBuffer();
        throw new IOException("truncated, as asked for by " + Proof.TRUNCATE_EVERY);
    }

    private static void sleep(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void postHandle(WebRequest request, ModelMap model) {}

    @Override
    public void afterCompletion(WebRequest request, Exception e) {}

    @Override
    public void destroy() {
        LOG.info(
                "Proof switches: {} requests{}{}",
                requests,
                failEvery > 0 ? ", failed " + requests.get() / failEvery : "",
                burner == null ? "" : ", " + burner);
    }
}
