package org.servletbench.bench.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.servletbench.bench.Mirror;

/** Runs the real Maven, the same that runs these tests, as a user would. */
final class Maven {

    static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private static boolean isSource(Path folder) {
        boolean built =
                folder.getFileName().toString().equals("target") && Files.exists(folder.resolveSibling("pom.xml"));
        return !built && !folder.getFileName().toString().equals(".git");
    }

    /**
     * Output and exit code of a command.
     *
     * @param exitCode 0 for success
     * @param output standard output and error
     */
    record Result(int exitCode, String output) {

        List<String> lines() {
            return output.lines().toList();
        }

        /** Returns the lines that servlet-bench itself printed. */
        List<String> ours() {
            return lines().stream()
                    .filter(line -> line.startsWith("servlet-bench: "))
                    .toList();
        }
    }

    private Maven() {}

    /** Returns a command line of the Maven that runs these tests. */
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-Dstyle.color=never"));
        String repository = System.getProperty("maven.repo.local");
        if (repository != null) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        command.addAll(List.of(arguments));
        return command;
    }

    static Result run(Path folder, String... arguments) throws IOException, InterruptedException {
        return exec(folder, command(arguments));
    }

    static Result exec(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process = start(folder, command, ProcessBuilder.Redirect.PIPE);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    static Process start(Path folder, List<String> command, ProcessBuilder.Redirect output) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
    }

    /** Copies the sources without build results, as in a fresh clone. */
    static Path freshClone(Path folder) throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path source, BasicFileAttributes attributes) throws IOException {
                if (!isSource(source)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(folder.resolve(ROOT.relativize(source)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path source, BasicFileAttributes attributes) throws IOException {
                Files.copy(source, folder.resolve(ROOT.relativize(source)));
                return FileVisitResult.CONTINUE;
            }
        });
        return folder;
    }

    /** Makes a fresh clone with a smaller heap than the published one, so that tests can run next to other programs. */
    static Path modestClone(Path folder) throws IOException {
        freshClone(folder);
        Files.writeString(folder.resolve("profiles/jvm.options"), Mirror.MODEST_JVM);
        return folder;
    }

    /** Returns the process ids of all JVMs on this machine whose command line contains this text. */
    static List<Long> javaProcesses(String text) throws IOException {
        List<Long> found = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                if (process.getFileName().toString().matches("\\d+")) {
                    String commandLine = commandLine(process);
                    if (commandLine.contains("java") && commandLine.contains(text)) {
                        found.add(Long.valueOf(process.getFileName().toString()));
                    }
                }
            }
        }
        return found;
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // It has ended in the meantime.
        }
    }
}
