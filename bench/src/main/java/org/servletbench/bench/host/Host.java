package org.servletbench.bench.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;

/**
 * A machine that the user's {@code ssh} reaches without a prompt, with the user's keys, agent, known hosts and
 * configuration.
 *
 * @param destination host in ssh's format: {@code app1}, {@code user@app1}, or a name from the configuration
 * @param config a configuration file other than {@code ~/.ssh/config}
 */
public record Host(String destination, Optional<Path> config) {

    /** A valid destination. It is not an option of ssh, and contains no characters that a shell would interpret. */
    private static final Pattern DESTINATION = Pattern.compile("([A-Za-z0-9_][\\w.-]*@)?[A-Za-z0-9][\\w.:-]*");

    /** Time after which a host that does not answer counts as unreachable, s. */
    private static final int CONNECT_SECONDS = 10;

    /**
     * @param option option that contained the destination, for the message
     * @throws UsageException if it is not a destination
     */
    public static Host of(String option, String destination, Optional<Path> config) {
        if (!DESTINATION.matcher(destination).matches()) {
            throw new UsageException(option + ": '" + destination + "' is not a host such as app1 or user@app1");
        }
        return new Host(destination, config);
    }

    /** Returns the destination without the user, for people and file names. */
    public String name() {
        return destination.substring(destination.indexOf('@') + 1);
    }

    /**
     * Returns the message that ssh did not reach the host.
     *
     * @param reason message of ssh
     */
    String unreachable(String reason) {
        return name() + " cannot be reached: " + reason + "; `ssh " + destination + " true` must work without a prompt";
    }

    /**
     * Returns the command that runs a program on the host. ssh never prompts, and notices a dead connection within 15
     * s.
     */
    List<String> ssh(String... command) {
        return ssh(List.of("-T"), command);
    }

    private List<String> ssh(List<String> options, String... command) {
        List<String> words = new ArrayList<>(List.of("ssh"));
        config.ifPresent(file -> words.addAll(List.of("-F", file.toString())));
        words.addAll(options);
        words.addAll(List.of(
                "-o", "BatchMode=yes",
                "-o", "ConnectTimeout=" + CONNECT_SECONDS,
                "-o", "ServerAliveInterval=5",
                "-o", "ServerAliveCountMax=3",
                "--", destination));
        words.addAll(List.of(command));
        return words;
    }

    /**
     * Returns the host's address from ssh's configuration. The load uses this address, too.
     *
     * @throws TargetException if ssh is not installed
     */
    public String address() {
        return Stream.of(Ssh.run(ssh(List.of("-G")), Optional.empty()).output().split("\n"))
                .filter(line -> line.startsWith("hostname "))
                .map(line -> line.substring("hostname ".length()).strip())
                .findFirst()
                .orElse(name());
    }
}
