package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A separate servlet-bench process for tests that kill it. It starts nginx, prints its process ids and waits for its
 * end.
 */
final class NginxRigMain {

    private NginxRigMain() {}

    /** @param args the folder for the results */
    public static void main(String[] args) throws IOException, InterruptedException {
        Target target = Target.reference(Maven.ROOT, Path.of(args[0], "nginx"));
        ProcessHandle master = ProcessHandle.of(new com.fasterxml.jackson.databind.ObjectMapper()
                        .readTree(target.folder().resolve("server.json").toFile())
                        .get("pid")
                        .longValue())
                .orElseThrow();
        System.out.println(Stream.concat(Stream.of(master), master.descendants())
                .map(process -> Long.toString(process.pid()))
                .collect(Collectors.joining("\n")));
        Thread.sleep(Long.MAX_VALUE);
    }
}
