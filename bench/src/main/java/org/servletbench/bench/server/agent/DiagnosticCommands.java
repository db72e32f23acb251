package org.servletbench.bench.server.agent;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The JVM's diagnostic commands, which {@code jcmd} also runs. */
final class DiagnosticCommands {

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    /**
     * Returns what a command without arguments prints; empty text if this JVM does not have it.
     *
     * @param operation the command as an operation of the JVM's MBean: {@code compilerQueue} for {@code Compiler.queue}
     */
    String run(String operation) {
        try {
            return (String) server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    operation,
                    new Object[0],
                    new String[0]);
        } catch (JMException | RuntimeException e) {
            return "";
        }
    }
}
