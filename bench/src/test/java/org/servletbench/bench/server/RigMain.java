package org.servletbench.bench.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A separate servlet-bench process for tests that kill it. It starts a server, prints its process id and waits for its
 * end.
 */
final class RigMain {

    private RigMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Map<String, String> options = Arrays.stream(args)
                .skip(1)
                .map(option -> option.split("=", 2))
                .collect(Collectors.toMap(option -> option[0], option -> option[1]));
        Target target = Arms.open(options, Arms.FOLDER, Path.of(args[0]));
        System.out.println(new ObjectMapper()
                .readTree(target.folder().resolve("server.json").toFile())
                .get("pid"));
        Thread.sleep(Long.MAX_VALUE);
    }
}
