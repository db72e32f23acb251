package org.servletbench.bench.server.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.instrument.Instrumentation;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Answers servlet-bench's questions from within the server's JVM, over a Unix domain socket on which servlet-bench
 * listens, so that the server opens no port. JMX's own local connector would listen on every network interface.
 *
 * <p>A question is one line: {@code identify}, {@code sample}, {@code backlog}, or {@code held} with a method. An
 * answer consists of {@code key=value} lines and an empty line.
 */
public final class ProbeAgent {

    /** Name of the agent's only thread, which is not included in thread counts. */
    static final String THREAD = "servlet-bench-probe";

    private static final String HELD = "held ";

    private ProbeAgent() {}

    /**
     * Called by the JVM when servlet-bench loads the agent.
     *
     * @param socket path of servlet-bench's socket
     */
    public static void agentmain(String socket, Instrumentation instrumentation) {
        Thread thread = new Thread(() -> answer(Path.of(socket), instrumentation), THREAD);
        thread.setDaemon(true);
        thread.start();
    }

    private static void answer(Path socket, Instrumentation instrumentation) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            BufferedReader questions = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            Writer answers = Channels.newWriter(channel, StandardCharsets.UTF_8);
            JvmSample jvm = new JvmSample();
            HeldRequests held = new HeldRequests();
            ConnectionWaits waits = ConnectionWaits.in(instrumentation.getAllLoadedClasses());
            for (String question = questions.readLine(); question != null; question = questions.readLine()) {
                Answer answer = new Answer();
                if (question.equals("identify")) {
                    ServerIdentity.describe(instrumentation, answer);
                } else if (question.equals("backlog")) {
                    jvm.describeBacklog(answer);
                } else if (question.equals("compiled")) {
                    answer.put(
                            FinalC1Code.METHODS, FinalC1Code.methods(new DiagnosticCommands().run("compilerCodelist")));
                } else if (question.startsWith(HELD)) {
                    held.describe(instrumentation, question.substring(HELD.length()), answer);
                } else {
                    jvm.describe(answer);
                    waits.describe(answer);
                }
                answers.write(answer.text());
                answers.flush();
            }
        } catch (IOException e) {
            // servlet-bench has gone, so there is nobody to report to.
        }
    }
}
