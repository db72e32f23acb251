package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.host.Host;
import org.servletbench.bench.host.HostCheck;
import org.servletbench.bench.host.HostJava;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ToolSettings;

/** Tests the limits of open files for the processes of a campaign, on each machine. */
class ServerMachineTest {

    private static final Host APP = new Host("app1", Optional.empty());
    private static final Host FIRST = new Host("load1", Optional.empty());
    private static final Host SECOND = new Host("load2", Optional.empty());

    /** @param files limit of open files per process, by host */
    private static ServerMachine machine(List<Host> load, Map<Host, Integer> files) {
        Machines machines = new Machines(Optional.of(APP), load, new HostJava(Optional.empty()), Optional.empty());
        List<HostCheck> hosts = Stream.concat(Stream.of(APP), load.stream())
                .map(host -> new HostCheck(host, Map.of("files", "" + files.get(host)), List.of(), Optional.empty()))
                .toList();
        return new ServerMachine(machines, List.of(), Map.of(), Map.of(), 1, 1, hosts);
    }

    private static List<MeasuredLoad> loads(String generator, int users) {
        return List.of(new MeasuredLoad("hello", 100, 0, generator), new MeasuredLoad("hello", users, 0, generator));
    }

    private static void rejected(ServerMachine machine, String generator, int together, String message) {
        assertThatThrownBy(() -> machine.requireFileHandles(loads(generator, 1500), together))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith(message);
    }

    private static void accepted(ServerMachine machine, String generator, int together) {
        assertThatCode(() -> machine.requireFileHandles(loads(generator, 1500), together))
                .doesNotThrowAnyException();
    }

    @Test
    void loadHostsShareTheUsersOfAGeneratorInTurns() {
        List<Host> both = List.of(FIRST, SECOND);
        ServerMachine roomy = machine(both, Map.of(APP, 4096, FIRST, 4096, SECOND, 4096));
        accepted(roomy, "gatling", 5);
        ServerMachine narrow = machine(both, Map.of(APP, 4096, FIRST, 4096, SECOND, 4000));
        rejected(narrow, "gatling", 5, "too few file handles for 3750 connections: load2 allows 4000 open files");
        accepted(narrow, "gatling", 4);
    }

    @Test
    void aServerHasAConnectionForEachUser() {
        rejected(
                machine(List.of(), Map.of(APP, 1700)),
                "wrk",
                1,
                "too few file handles for 1500 connections: app1 allows 1700 open files");
    }

    @Test
    void aToolWithSettingsOfAnArticleIsTheTool() {
        MeasuredLoad paused = new MeasuredLoad(
                "hello", 1500, 0, "siege", new ToolSettings(Pause.parse("up to 1s"), 0, 0, true, List.of()));
        assertThatCode(() -> machine(List.of(), Map.of(APP, 1756)).requireFileHandles(List.of(paused), 3))
                .doesNotThrowAnyException();
    }

    @Test
    void whatOnlyStartsHasNoUsers() {
        assertThatCode(() -> machine(List.of(FIRST), Map.of(APP, 300, FIRST, 300))
                        .requireFileHandles(List.of(MeasuredLoad.START_UP), 1))
                .doesNotThrowAnyException();
    }
}
