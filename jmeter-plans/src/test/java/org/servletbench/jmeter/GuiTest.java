package org.servletbench.jmeter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.cli.Main;
import org.servletbench.bench.load.jmeter.JMeterDesk;
import org.servletbench.bench.model.UsageException;

/** Tests of the GUI, on a display of its own. */
class GuiTest {

    @TempDir
    Path folder;

    @Test
    void opensThePlanWithoutAnError() throws Exception {
        Rig.requireTool("Xvfb", "xvfb");
        Rig.requireTool("xwininfo", "x11-utils");
        // Xvfb picks a free display and prints its number.
        Process screen = new ProcessBuilder(
                        "Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String display = ":" + screen.inputReader().readLine();
            JMeterDesk desk = new JMeterDesk(Rig.jmeter(Map.of()), folder);
            Thread gui = new Thread(() ->
                    desk.gui(Rig.TIERS, URI.create("http://127.0.0.1:8080"), Optional.empty(), Optional.of(display)));
            gui.start();
            try {
                Rig.await("a window that names the plan", () -> {
                    assertThat(gui.isAlive()).as("the GUI runs").isTrue();
                    return windows(display)
                            .contains("\"tiers.jmx (" + Rig.TIERS + ") - Apache JMeter ("
                                    + System.getProperty("jmeter.version") + ")\"");
                });
            } finally {
                gui.interrupt();
                gui.join();
            }
            assertThat(Files.readString(folder.resolve("jmeter.log")))
                    .doesNotContain(" ERROR ")
                    .doesNotContain(" WARN ");
            RunTest.assertNoChild();
        } finally {
            screen.destroy();
            screen.waitFor();
        }
    }

    private static String windows(String display) throws Exception {
        Process tree = new ProcessBuilder("xwininfo", "-root", "-tree", "-display", display)
                .redirectErrorStream(true)
                .start();
        String text = new String(tree.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        tree.waitFor();
        return text;
    }

    /** The tests' JVM has no display (see the pom), like a machine without one. */
    @Test
    void noDisplayIsOneLine() {
        StringWriter err = new StringWriter();
        assertThat(Main.run(new PrintWriter(System.out), new PrintWriter(err), "jmeter", "gui"))
                .isEqualTo(UsageException.EXIT_CODE);
        assertThat(err.toString())
                .startsWith("jmeter gui: no display for JMeter's GUI")
                .hasLineCount(1);
    }
}
