package org.servletbench.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.exchange.ContainerSwap;
import org.servletbench.bench.server.exchange.ContainerSwap.Exchange;
import org.servletbench.bench.server.exchange.ContainerSwap.Outcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replaces the servlet container of a service's jar. */
@Command(
        name = "exchange",
        description = "Exchanges the servlet container of a finished Spring Boot jar.",
        footer = {
            "",
            "The libraries of the new container are those of the jar's own version of Spring Boot; Maven resolves them.",
            "Exit code: 0 done, 1 failed, 2 bad usage, or a jar whose container cannot be exchanged."
        })
final class ExchangeCommand extends BenchCommand implements Callable<Integer> {

    @Parameters(paramLabel = "JAR", description = "an executable jar of Spring Boot 2.7, 3 or 4")
    private Path jar;

    @Option(names = "--container", required = true, paramLabel = "NAME", description = "tomcat, jetty or undertow")
    private String container;

    @Option(
            names = "--container-version",
            paramLabel = "V",
            description = "its version. Default: the one that the jar's Spring Boot has chosen")
    private String version;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "the new jar; must not exist")
    private Path out;

    @Override
    public Integer call() throws IOException {
        if (Files.exists(out)) {
            throw new UsageException("--out " + out + " exists: give a new file");
        }
        Outcome outcome =
                ContainerSwap.in(Repository.root(null)).exchange(jar, container, Optional.ofNullable(version), false);
        Path folder = out.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Files.copy(outcome.jar(), out, StandardCopyOption.COPY_ATTRIBUTES);
        Exchange exchange = outcome.exchange();
        console().println(exchange.words() + " (Spring Boot " + exchange.bootVersion() + ")");
        print("removed", exchange.removed());
        print("added", exchange.added());
        exchange.warnings().forEach(errors()::println);
        console().println("jar: " + out);
        return 0;
    }

    private void print(String what, List<String> libraries) {
        console().println(what + " " + libraries.size() + ": " + Text.plain(String.join(" ", libraries)));
    }
}
