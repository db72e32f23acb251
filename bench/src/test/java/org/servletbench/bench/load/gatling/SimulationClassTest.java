package org.servletbench.bench.load.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractCollection;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Tests the check of a class; WaysInIT tests it with a simulation that extends Gatling's own base class. */
class SimulationClassTest {

    private static final ClassLoader LOADER = SimulationClassTest.class.getClassLoader();

    @Test
    void aClassExtendsItsBaseHoweverFarAway() {
        String base = AbstractCollection.class.getName();
        assertThat(SimulationClass.wrong(ArrayList.class.getName(), base, LOADER))
                .isEmpty();
        assertThat(SimulationClass.wrong(base, base, LOADER)).isEmpty();
        assertThat(SimulationClass.wrong("shop.None", base, LOADER))
                .hasValueSatisfying(why -> assertThat(why).startsWith("there is no such class among the compiled"));
    }

    /** A simulation that does not extend ours starts no server, and would load whatever listens at its own address. */
    @Test
    void anotherBaseIsNamedInOneLine() {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            SimulationClass.main(new String[] {String.class.getName()});
        } finally {
            System.setOut(before);
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("-Dgatling.simulationClass=java.lang.String: it does not extend"
                        + " org.servletbench.simulations.JourneySimulation, which starts the server")
                .doesNotContain("\n");
    }
}
