package org.servletbench.bench.load.gatling;

import java.util.Optional;

/**
 * Checks that a class is a simulation whose server servlet-bench starts. The simulations' pom.xml runs this check
 * before anything starts, with only their class path.
 */
final class SimulationClass {
    static final String PACKAGE = "org.servletbench.simulations.";
    /** Base class of simulations that users write. */
    static final String OWN = PACKAGE + "JourneySimulation";
    /** Base class of every simulation that a single run may use. */
    private static final String ANY = PACKAGE + "BenchSimulation";

    private SimulationClass() {}

    /**
     * Prints what is wrong, in one line; prints nothing if all is well.
     *
     * @param args the value of {@code -Dgatling.simulationClass}
     */
    public static void main(String[] args) {
        wrong(args[0], ANY, SimulationClass.class.getClassLoader())
                .ifPresent(why -> System.out.print("-Dgatling.simulationClass=" + args[0] + ": " + why));
    }

    /**
     * Returns why a class must not run as a simulation; empty if it may.
     *
     * @param base class that it must extend
     * @param loader class loader of the compiled simulations; the class is not initialised
     */
    static Optional<String> wrong(String name, String base, ClassLoader loader) {
        try {
            Class<?> one = Class.forName(name, false, loader);
            while (one != null && !one.getName().equals(base)) {
                one = one.getSuperclass();
            }
            return one != null
                    ? Optional.empty()
                    : Optional.of("it does not extend " + OWN
                            + ", which starts the server and sends to it: no server would be started, and whatever listens at"
                            + " the simulation's own address would be loaded (docs/extending.md has an example)");
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.of(
                    "there is no such class among the compiled simulations: put it into"
                            + " simulations/src/test/scala or java, and build it with mvn -pl .,bench,simulations test-compile");
        }
    }
}
