package org.servletbench.bench.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.servletbench.bench.comparison.Keys;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.report.Html;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point with one subcommand per task. The exit codes are in {@link Exit}. */
@Command(
        name = Main.NAME,
        description = "Compares embedded servlet containers under Spring Boot.",
        subcommands = {
            CompareCommand.class,
            DoctorCommand.class,
            MeasureCommand.class,
            ReportCommand.class,
            PublishCommand.class,
            JMeterCommand.class,
            ExchangeCommand.class,
            DiffCommand.class,
            BisectCommand.class,
            AutoComplete.GenerateCompletion.class
        })
public final class Main extends BenchCommand implements Callable<Integer> {

    /** Prefix of errors outside a command, and the name that shells complete. */
    static final String NAME = "servlet-bench";

    /** Returns the version of the build, packaged or not. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"servlet-bench " + version()};
        }
    }

    static String version() {
        Properties build = new Properties();
        try (InputStream in = LoadException.class.getResourceAsStream("build.properties")) {
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty("version");
    }

    /** Ends the JVM with the command's exit code. */
    public static void main(String[] args) {
        // Names in logs are UTF-8, but the terminal's locale may be unset.
        PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /**
     * Runs a command.
     *
     * @param out for results
     * @param err for errors, one line each
     * @return the exit code
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return run(out, err, option -> null, args);
    }

    /** @param defaults values of options that are not on the command line */
    static int run(PrintWriter out, PrintWriter err, IDefaultValueProvider defaults, String... args) {
        Secrets.forget();
        CommandLine commands = new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setDefaultValueProvider(defaults)
                .setParameterExceptionHandler((e, given) -> failed(e.getCommandLine(), e, nearest(e) + seeHelp(e)))
                .setExecutionStrategy(parsed -> {
                    requireValues(parsed);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setExecutionExceptionHandler((e, command, parsed) -> failed(command, e, ""));
        HelpText.install(commands);
        if (!List.of(args)
                .contains(AutoComplete.GenerateCompletion.class
                        .getAnnotation(Command.class)
                        .name())) {
            commands.setCommandName(OwnCommand.NAME);
        }
        try {
            return commands.execute(args);
        } catch (StackOverflowError e) {
            err.println("the input is nested too deeply, or too long, to be read");
            return Exit.FAILED.code();
        } catch (OutOfMemoryError e) {
            err.println("not enough memory: give Java a larger heap, e.g. -Xmx256m");
            return Exit.FAILED.code();
        } finally {
            out.flush();
            err.flush();
        }
    }

    /**
     * Rejects empty values. They usually come from an unset variable of a shell or of CI, and running with the default
     * would mislead.
     */
    private static void requireValues(ParseResult parsed) {
        for (CommandLine command : parsed.asCommandLineList()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                boolean optional = option.arity().min() == 0;
                Object value = option.getValue();
                if (!optional
                        && value != null
                        && (value instanceof List<?> many ? many : List.of(value))
                                .stream().anyMatch(one -> one.toString().isBlank())) {
                    throw new ParameterException(command, option.longestName() + " has an empty value");
                }
            }
        }
    }

    /**
     * Returns a suggestion, such as {@code : did you mean '--app'?}, for an unknown option or command; empty if no name
     * is similar.
     */
    private static String nearest(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        CommandSpec command = e.getCommandLine().getCommandSpec();
        List<String> known = unmatched.isUnknownOption()
                ? command.options().stream().map(OptionSpec::longestName).toList()
                : List.copyOf(command.subcommands().keySet());
        return Keys.near(unmatched.getUnmatched().get(0).replaceFirst("=.*", ""), known)
                .orElse("");
    }

    private static String seeHelp(ParameterException e) {
        return " (see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help)";
    }

    /**
     * Turns an exception into one line and an exit code. This happens only here; no command catches an exception to
     * print it.
     */
    private static int failed(CommandLine command, Exception e, String help) {
        CommandSpec of = command.getCommandSpec();
        String name = of.parent() == null
                ? NAME
                : of.qualifiedName().substring(of.root().name().length() + 1);
        new PlainWriter(command.getErr()).println(name + ": " + reason(e) + help);
        return e instanceof UsageException || e instanceof ParameterException ? Exit.USAGE.code() : Exit.FAILED.code();
    }

    /** Returns the reason for a failure in words. Some exceptions' messages do not contain it. */
    static String reason(Throwable e) {
        if (e instanceof NoSuchFileException) {
            return "no such file: " + oneLine(e.getMessage());
        }
        if (e instanceof InterruptedException) {
            return "interrupted";
        }
        boolean forPeople = e instanceof IOException
                || e instanceof UsageException
                || e instanceof ParameterException
                || e instanceof TargetException
                || e instanceof LoadException;
        // When a template of a page fails, the actual exception is the cause.
        return !forPeople && e.getCause() != null
                ? reason(e.getCause())
                : oneLine(forPeople && e.getMessage() != null ? e.getMessage() : e.toString());
    }

    /** Returns the text without line breaks and other control characters, which could control a terminal. */
    static String oneLine(String text) {
        return Html.plain(Secrets.scrubbed(text));
    }

    /** Prints the help as an error, because no command was given. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.USAGE.code();
    }
}
