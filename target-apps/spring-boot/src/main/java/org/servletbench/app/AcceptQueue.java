package org.servletbench.app;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Sets how many connections may wait until Jetty accepts them. This is the only connection limit that is a Spring Boot
 * property for Tomcat and Undertow, but not for Jetty. Without {@code bench.accept-queue}, Jetty keeps its own limit.
 *
 * <p>It uses reflection, because Spring Boot's types for Jetty moved between its versions, and are missing with other
 * containers.
 */
@Component
class AcceptQueue implements WebServerFactoryCustomizer<ConfigurableWebServerFactory> {

    private static final String ADD = "addServerCustomizers";

    private final int length;

    AcceptQueue(@Value("${bench.accept-queue:0}") int length) {
        this.length = length;
    }

    @Override
    public void customize(ConfigurableWebServerFactory factory) {
        if (length > 0 && factory.getClass().getSimpleName().startsWith("Jetty")) {
            Method add = Arrays.stream(factory.getClass().getMethods())
                    .filter(method -> method.getName().equals(ADD))
                    .findFirst()
                    .orElseThrow();
            Class<?> type = add.getParameterTypes()[0].getComponentType();
            Object customizer = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::called);
            Object all = Array.newInstance(type, 1);
            Array.set(all, 0, customizer);
            try {
                add.invoke(factory, all);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Jetty's accept queue cannot be set", e);
            }
        }
    }

    /**
     * Handles a customizer's only method, with Jetty's server as its argument. The other methods are those of any
     * object.
     */
    private Object called(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "hashCode":
                return System.identityHashCode(proxy);
            case "equals":
                return proxy == arguments[0];
            case "toString":
                return "accept queue of " + length;
            default:
                for (Object connector : (Object[]) call(arguments[0], "getConnectors")) {
                    call(connector, "setAcceptQueueSize", length);
                }
                return null;
        }
    }

    /** Calls a public method without arguments or with a number. */
    private static Object call(Object object, String name, Object... numbers) {
        try {
            Class<?>[] types = numbers.length == 0 ? new Class<?>[0] : new Class<?>[] {int.class};
            return object.getClass().getMethod(name, types).invoke(object, numbers);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Jetty's accept queue cannot be set", e);
        }
    }
}
