package org.servletbench.bench.server.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ServerIdentityTest {

    /** A web server that servlet-bench does not know. */
    private static final class Other {}

    @Test
    void anUnknownWebServerIsNotTakenForAnother() {
        Answer answer = new Answer();
        assertThatThrownBy(() -> ServerIdentity.describe(new Other(), answer))
                .isInstanceOf(ReflectiveOperationException.class)
                .hasMessage("its web server " + Other.class.getName()
                        + " is not of Tomcat, Jetty, Undertow or Netty, which are known");
        assertThat(answer.text()).doesNotContain("container");
    }

    @Test
    void eventLoopsOfNettyWaitForSockets() throws InterruptedException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        CountDownLatch end = new CountDownLatch(1);
        ThreadRoles roles = new ThreadRoles(threads);
        for (String name : new String[] {"reactor-http-epoll-1", "reactor-http-nio-2", "boundedElastic-1"}) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    name);
            thread.start();
            roles.count(threads.getThreadInfo(thread.getId()));
        }
        Answer answer = new Answer();
        roles.describe(answer);
        end.countDown();
        assertThat(answer.text()).contains("threads.io=2", "threads.worker=0", "threads.acceptor=0");
    }
}
