package org.servletbench.bench.generator.jmeter.launch;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** Helps our main classes of a JMeter's JVM to call JMeter's own. */
public final class JMeterMain {

    private JMeterMain() {}

    /**
     * Calls JMeter's main class; ends this JVM if JMeter fails.
     *
     * @param args the main class, then its arguments
     */
    static void call(String[] args) throws ReflectiveOperationException {
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            System.err.println(e.getCause());
            System.exit(1);
        }
    }
}
