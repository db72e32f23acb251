package org.servletbench.bench.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.load.LoadException;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What {@code mvn -Pcompare verify} and {@code mvn -Preproduce verify} run inside Maven's JVM: a command of {@link Main}
 * whose options are Maven's {@code -D} properties of the same names.
 */
public final class FromMaven {

    private FromMaven() {}

    /**
     * @param args the command
     * @throws LoadException if the command fails; it has said why
     */
    public static void main(String[] args) {
        CommandLine command = new CommandLine(new Main()).getSubcommands().get(args[0]);
        List<String> words = new ArrayList<>(List.of(args));
        for (OptionSpec option : command.getCommandSpec().options()) {
            String name = option.longestName().substring(2);
            value(name).ifPresent(value -> {
                if (option.arity().max() == 0) {
                    if (!value.equals("false")) {
                        words.add("--" + name);
                    }
                } else if (!value.isBlank()) {
                    words.add("--" + name);
                    words.add(value);
                }
            });
        }
        value("ids").ifPresent(ids -> words.addAll(List.of(ids.split(","))));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = Main.run(out, err, words.toArray(String[]::new));
        if (code != 0) {
            throw new LoadException("'" + args[0] + "' ended with exit code " + code + ": the reason stands above");
        }
    }

    /** Maven's own version and help switches are not ours. */
    private static Optional<String> value(String name) {
        return name.equals("help") || name.equals("version")
                ? Optional.empty()
                : Optional.ofNullable(System.getProperty(name))
                        .or(() -> Optional.ofNullable(System.getProperty(name.replace('-', '.'))));
    }
}
