package org.servletbench.bench.generator.jmeter.launch;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** Helps servlet-bench's main classes for JMeter to call JMeter's own main class. */
public final class JMeterMain {

    private JMeterMain() {}

    /**
     * Calls JMeter's main class. Ends this JVM if JMeter fails.
     *
     * @param args the main class, followed by its arguments
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
