package shop;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Adds a cost to each request, for tests of servlet-bench: CPU time, ns, memory, bytes, a wait, ms, and a lock that is held, ms. If an
 * arm is named, only that arm gets the CPU time. All arms have the filter, so that its own cost is the same for all.
 */
@Component
class Cost extends OncePerRequestFilter {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Field that keeps the JIT compiler from removing the allocation as unused. */
    static volatile byte[] garbage;

    private final long burn;
    private final int allocate;
    private final long waits;
    private final long locks;

    Cost(
            @Value("${shop.burn:0}") long burn,
            @Value("${shop.burn-of:}") String of,
            @Value("${shop.arm:}") String arm,
            @Value("${shop.allocate:0}") int allocate,
            @Value("${shop.wait:0}") long waits,
            @Value("${shop.lock:0}") long locks) {
        this.burn = of.isEmpty() || of.equals(arm) ? burn : 0;
        this.allocate = allocate;
        this.waits = waits;
        this.locks = locks;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long end = THREADS.getCurrentThreadCpuTime() + burn;
        garbage = new byte[allocate];
        while (THREADS.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
        try {
            if (waits > 0) {
                Thread.sleep(waits);
            }
            if (locks > 0) {
                synchronized (THREADS) {
                    Thread.sleep(locks);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        chain.doFilter(request, response);
    }
}
