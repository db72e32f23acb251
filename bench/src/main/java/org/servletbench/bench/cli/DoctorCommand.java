package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.servletbench.bench.host.Host;
import org.servletbench.bench.host.HostCheck;
import org.servletbench.bench.host.HostJava;
import org.servletbench.bench.host.RemoteJvm;
import org.servletbench.bench.model.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reports which needs of servlet-bench this machine meets, what each is for, and how to meet the others. */
@Command(
        name = "doctor",
        description = "Checks what this machine has, and says how to get what is missing.",
        footer = {
            "",
            "Exit codes: 0 mvn -Pjetty gatling:test and mvn -Pcompare verify can run (in the unzipped folder, which needs no Maven:"
                    + " comparisons of finished jars), 1 something that they need is missing, 2 invalid usage.",
            "With --hosts: 0 all of them can be used, 1 one has a problem."
        })
final class DoctorCommand extends BenchCommand implements Callable<Integer> {

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "the clone of servlet-bench; default: found from the jar or this folder")
    private Path root;

    @Option(
            names = "--hosts",
            paramLabel = "LIST",
            split = ",",
            description = "check these other machines instead: what they are, and why they cannot be used")
    private List<String> hosts;

    @Option(names = "--host-jdk", paramLabel = "HOME", description = "with --hosts: the JDK there")
    private String hostJdk;

    @Option(names = "--ssh-config", paramLabel = "FILE", description = "with --hosts: configuration of ssh")
    private Path sshConfig;

    @Override
    public Integer call() {
        if (hosts != null) {
            return checkHosts();
        }
        Doctor.Readings machine = DoctorReadings.take(Repository.root(root));
        List<Doctor.Line> lines = Doctor.check(machine);
        print(lines, machine.hasSources(), console());
        return lines.stream().anyMatch(Doctor.Line::fails) ? Exit.FAILED.code() : 0;
    }

    private int checkHosts() {
        HostJava java = new HostJava(Optional.ofNullable(hostJdk));
        List<Host> all = hosts.stream()
                .map(name -> Host.of("--hosts", name.strip(), Optional.ofNullable(sshConfig)))
                .toList();
        PrintWriter out = console();
        Path clone = Repository.root(root);
        boolean good = true;
        for (Host host : all) {
            good &= isUsable(host, java, clone, out);
            out.flush();
        }
        return good ? 0 : Exit.FAILED.code();
    }

    private static boolean isUsable(Host host, HostJava java, Path clone, PrintWriter out) {
        HostCheck check = HostCheck.of(host, java);
        List<String> problems = new ArrayList<>(check.problems());
        List<Doctor.Line> lines = List.of();
        if (problems.isEmpty()) {
            try (RemoteJvm there = RemoteJvm.connect(host, java)) {
                lines = Doctor.check(DoctorReadings.take(clone, there));
            } catch (TargetException e) {
                problems.add(e.getMessage());
            }
        }
        if (check.unreachable().isEmpty()) {
            out.println("ok       " + Main.oneLine(check.describe())
                    + lines.stream()
                            .filter(line -> line.state() == Doctor.State.OK)
                            .map(line -> ", " + line.name() + ": " + line.found())
                            .collect(Collectors.joining()));
        }
        lines.stream()
                .filter(line -> line.state() != Doctor.State.OK)
                .forEach(line -> out.println("warning  " + host.name() + ": " + reported(line)));
        problems.forEach(problem -> out.println("missing  " + Main.oneLine(problem)));
        return problems.isEmpty();
    }

    private static String reported(Doctor.Line line) {
        return line.name() + ": " + line.found() + "; for " + line.purpose() + "; fix: " + line.hint();
    }

    private static void print(List<Doctor.Line> lines, boolean clone, PrintWriter out) {
        int width = lines.stream().mapToInt(line -> line.name().length()).max().orElse(1);
        for (Doctor.Line line : lines) {
            out.println(text(
                            "%-7s  %-" + width + "s  %s; for %s",
                            line.state().name().toLowerCase(Locale.ROOT),
                            line.name(),
                            Main.oneLine(line.found()),
                            line.purpose())
                    + (line.state() == Doctor.State.OK ? "" : "; fix: " + line.hint()));
        }
        out.println(Doctor.conclusion(lines, clone));
    }
}
