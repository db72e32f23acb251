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
 * What a change costs each request, for tests of the rig: CPU time, ns, and memory, bytes. The CPU time is that of an arm alone, where one
 * is named. All arms have it, so that its own cost is the same for all.
 */
@Component
class Cost extends OncePerRequestFilter {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Where the JIT compiler cannot see that nobody uses it. */
    static volatile byte[] garbage;

    private final long burn;
    private final int allocate;

    Cost(
            @Value("${shop.burn:0}") long burn,
            @Value("${shop.burn-of:}") String of,
            @Value("${shop.arm:}") String arm,
            @Value("${shop.allocate:0}") int allocate) {
        this.burn = of.isEmpty() || of.equals(arm) ? burn : 0;
        this.allocate = allocate;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long end = THREADS.getCurrentThreadCpuTime() + burn;
        garbage = new byte[allocate];
        while (THREADS.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
        chain.doFilter(request, response);
    }
}
