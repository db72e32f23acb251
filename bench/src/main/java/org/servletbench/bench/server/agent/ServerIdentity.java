package org.servletbench.bench.server.agent;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.instrument.Instrumentation;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Asks the running server for its container, version and connector, by walking from Spring Boot's application context
 * to the container's own objects. It needs nothing from the application, so it works for any Spring Boot jar.
 *
 * <p>It uses only reflection, because the agent is compiled without any container, and classes have moved between
 * versions of Spring Boot.
 */
final class ServerIdentity {

    /** Key for whether virtual threads serve requests; absent if that is not known. */
    private static final String VIRTUAL = "effective.threads.virtual";

    private static final String NOT_KNOWN = "not known";

    /** Length of the accept queue of a ServerSocketChannel that is bound without a length. */
    private static final int JAVAS_ACCEPT_QUEUE = 50;

    /** HotSpot's heap flags, which contain what the JVM made of its options. */
    private static final List<String> HEAP_FLAGS =
            List.of(("MaxHeapSize InitialHeapSize MinHeapSize SoftMaxHeapSize NewSize MaxNewSize NewRatio"
                            + " G1NewSizePercent G1MaxNewSizePercent")
                    .split(" "));

    private ServerIdentity() {}

    static void describe(Instrumentation instrumentation, Answer answer) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        answer.put("jvm.version", System.getProperty("java.version"))
                .put("jvm.vendor", runtime.getVmVendor())
                .put("jvm.name", runtime.getVmName())
                .put("jvm.home", System.getProperty("java.home"))
                .put("jvm.processors", Runtime.getRuntime().availableProcessors())
                .put("jvm.collectors", collectors())
                .put("jvm.top-tier", topTier());
        for (String flag : HEAP_FLAGS) {
            String value = option(flag);
            if (!value.isEmpty()) {
                answer.put("jvm.heap." + flag, value);
            }
        }
        List<String> arguments = runtime.getInputArguments();
        for (int i = 0; i < arguments.size(); i++) {
            answer.put("jvm.option." + i, arguments.get(i));
        }
        if (arguments.stream()
                .anyMatch(one -> one.startsWith("-XX:AOTCache=") || one.startsWith("-XX:SharedArchiveFile="))) {
            ArchivedClasses.describe(instrumentation, answer);
        }
        try {
            Class<?> application = loaded(instrumentation, "org.springframework.boot.SpringApplication");
            answer.put(
                    "boot.version",
                    Reflect.callStatic(
                            Reflect.sibling(application, "org.springframework.boot.SpringBootVersion"), "getVersion"));
            Object context = webContext(application);
            describe(Reflect.call(context, "getWebServer"), answer);
            describePools(instrumentation, context, answer);
        } catch (ReflectiveOperationException | RuntimeException e) {
            answer.put("error", e);
        }
    }

    private static String collectors() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
    }

    /** Returns the best code that this JVM can produce, as a name of TopTier. */
    private static String topTier() {
        if (System.getProperty("java.vm.info", "").contains("interpreted mode")) {
            return "INTERPRETER";
        }
        if ("true".equals(option("UseJVMCICompiler"))) {
            return "JVMCI";
        }
        // Without tiered compilation, HotSpot ignores the level unless it is 0.
        boolean tiered = "true".equals(option("TieredCompilation"));
        return switch (option("TieredStopAtLevel")) {
            case "0" -> "INTERPRETER";
            case "1", "2", "3" -> tiered ? "C1" : "C2";
            default -> "quick-only".equals(option("CompilationMode")) ? "C1" : "C2";
        };
    }

    /** Returns a HotSpot flag; empty text if there is none with this name. */
    private static String option(String name) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption(name)
                    .getValue();
        } catch (RuntimeException | LinkageError e) {
            return "";
        }
    }

    static Class<?> loaded(Instrumentation instrumentation, String name) throws ClassNotFoundException {
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.getName().equals(name)) {
                return type;
            }
        }
        throw new ClassNotFoundException(name + ": not a Spring Boot application");
    }

    /**
     * Returns the application context with the web server. Spring Boot keeps its live contexts for the shutdown hook.
     */
    private static Object webContext(Class<?> application) throws ReflectiveOperationException {
        Object hook = Reflect.field(application, null, "shutdownHook");
        for (Object context : (Iterable<?>) Reflect.field(hook.getClass(), hook, "contexts")) {
            if (Reflect.has(context, "getWebServer")) {
                return context;
            }
        }
        throw new ReflectiveOperationException("no application context with a web server");
    }

    /** Describes the sizes of HikariCP's pools, if the application has loaded HikariCP. This creates no bean. */
    private static void describePools(Instrumentation instrumentation, Object context, Answer answer) {
        List<String> sizes = new ArrayList<>();
        try {
            Class<?> pool = loaded(instrumentation, "com.zaxxer.hikari.HikariDataSource");
            Object beans = Reflect.call(context, "getBeanFactory");
            Method bean = beans.getClass().getMethod("getSingleton", String.class);
            for (String name : (String[]) Reflect.call(beans, "getSingletonNames")) {
                Object one = bean.invoke(beans, name);
                if (pool.isInstance(one)) {
                    sizes.add(Reflect.call(one, "getMaximumPoolSize").toString());
                }
            }
        } catch (ClassNotFoundException e) {
            return;
        } catch (ReflectiveOperationException | RuntimeException e) {
            // The context is of another kind.
            sizes.clear();
        }
        answer.put("effective.pool.max", sizes.isEmpty() ? NOT_KNOWN : String.join(", ", sizes));
    }

    static void describe(Object server, Answer answer) throws ReflectiveOperationException {
        answer.put("web.server", server.getClass().getName());
        if (Reflect.has(server, "getTomcat")) {
            describeTomcat(Reflect.call(Reflect.call(server, "getTomcat"), "getConnector"), answer);
        } else if (Reflect.has(server, "getServer")) {
            describeJetty(Reflect.call(server, "getServer"), answer);
        } else if (Reflect.hasField(server, "undertow")) {
            describeUndertow(Reflect.field(server.getClass(), server, "undertow"), answer);
            undertowIsVirtual(server).ifPresent(is -> answer.put(VIRTUAL, is));
        } else if (Reflect.hasField(server, "disposableServer")) {
            describeNetty(server, answer);
        } else {
            throw new ReflectiveOperationException("its web server "
                    + server.getClass().getName() + " is not of Tomcat, Jetty, Undertow or Netty, which are known");
        }
    }

    private static void describeTomcat(Object connector, Answer answer) throws ReflectiveOperationException {
        Object handler = Reflect.call(connector, "getProtocolHandler");
        Class<?> info = Reflect.sibling(connector.getClass(), "org.apache.catalina.util.ServerInfo");
        String version = String.valueOf(Reflect.callStatic(info, "getServerInfo"));
        Object threads = Reflect.call(handler, "getMaxThreads");
        answer.put("container", "tomcat")
                .put("container.version", version.substring(version.indexOf('/') + 1))
                .put("connector.class", handler.getClass().getName())
                .put("connector.address", Reflect.call(handler, "getAddress"))
                .put("connector.port", Reflect.call(connector, "getLocalPort"))
                .put("effective.threads.max", threads)
                .put("effective.max-keep-alive-requests", Reflect.call(handler, "getMaxKeepAliveRequests"))
                .put("effective.max-connections", Reflect.call(handler, "getMaxConnections"))
                .put("effective.accept-count", Reflect.call(handler, "getAcceptCount"));
        // Tomcat knows the size only of a pool of platform threads.
        if ((Integer) threads > 0) {
            answer.put(VIRTUAL, false);
        }
        if (handler.getClass().getName().contains("Apr")) {
            Class<?> library = Reflect.sibling(connector.getClass(), "org.apache.tomcat.jni.Library");
            answer.put("native.version", Reflect.callStatic(library, "versionString"));
        }
    }

    private static void describeJetty(Object server, Answer answer) throws ReflectiveOperationException {
        Object[] connectors = (Object[]) Reflect.call(server, "getConnectors");
        Object connector = connectors[0];
        Class<?> type = connector.getClass();
        // Some versions of Spring Boot have a subclass for TLS.
        Class<?> own = type.getName().startsWith("org.springframework.") ? type.getSuperclass() : type;
        Object pool = Reflect.call(server, "getThreadPool");
        answer.put("container", "jetty")
                .put("container.version", Reflect.callStatic(server.getClass(), "getVersion"))
                .put("connector.class", own.getName())
                .put("connector.address", Reflect.call(connector, "getHost"))
                .put("connector.port", Reflect.call(connector, "getLocalPort"))
                .put("effective.threads.max", jettyThreads(pool))
                .put("effective.acceptors", Reflect.call(connector, "getAcceptors"))
                .put("effective.accept-count", acceptQueue(Reflect.call(connector, "getAcceptQueueSize")))
                .put(
                        "effective.selectors",
                        Reflect.call(Reflect.call(connector, "getSelectorManager"), "getSelectorCount"));
        jettyIsVirtual(pool).ifPresent(is -> answer.put(VIRTUAL, is));
    }

    /** Returns the accept queue's length; 0 means Java's default. */
    private static Object acceptQueue(Object length) {
        return Integer.valueOf(0).equals(length) ? JAVAS_ACCEPT_QUEUE : length;
    }

    /**
     * Describes Jetty's thread pool. A pool of virtual threads limits its tasks instead, under another name in each
     * version.
     */
    private static Object jettyThreads(Object pool) throws ReflectiveOperationException {
        for (String method : List.of("getMaxConcurrentTasks", "getMaxThreads")) {
            if (Reflect.has(pool, method)) {
                return Reflect.call(pool, method);
            }
        }
        return NOT_KNOWN;
    }

    /** Returns whether Jetty's pool gives requests to virtual threads; empty if the pool is of some other kind. */
    private static Optional<Boolean> jettyIsVirtual(Object pool) throws ReflectiveOperationException {
        String executor = "getVirtualThreadsExecutor";
        if (pool.getClass().getSimpleName().equals("VirtualThreadPool")) {
            return Optional.of(true);
        }
        return Reflect.has(pool, executor) ? Optional.of(Reflect.call(pool, executor) != null) : Optional.empty();
    }

    /** Returns whether Undertow's requests run on virtual threads; empty if they have an executor of some other kind. */
    private static Optional<Boolean> undertowIsVirtual(Object server) throws ReflectiveOperationException {
        if (!Reflect.hasField(server, "manager")) {
            return Optional.empty();
        }
        Object deployment = Reflect.call(Reflect.field(server.getClass(), server, "manager"), "getDeployment");
        Object executor = Reflect.call(Reflect.call(deployment, "getDeploymentInfo"), "getExecutor");
        if (executor == null) {
            return Optional.of(false);
        }
        return executor.getClass().getSimpleName().contains("Virtual") ? Optional.of(true) : Optional.empty();
    }

    private static void describeUndertow(Object undertow, Answer answer) throws ReflectiveOperationException {
        Object worker = Reflect.call(undertow, "getWorker");
        Object bean = Reflect.call(worker, "getMXBean");
        Object listener = ((List<?>) Reflect.call(undertow, "getListenerInfo")).get(0);
        SocketAddress address = (SocketAddress) Reflect.call(listener, "getAddress");
        answer.put("container", "undertow")
                .put(
                        "container.version",
                        Reflect.callStatic(
                                Reflect.sibling(undertow.getClass(), "io.undertow.Version"), "getVersionString"))
                .put("connector.class", worker.getClass().getName());
        if (address instanceof InetSocketAddress inet) {
            answer.put("connector.address", inet.getAddress()).put("connector.port", inet.getPort());
        }
        answer.put("effective.io-threads", Reflect.call(bean, "getIoThreadCount"))
                .put("effective.threads.max", Reflect.call(bean, "getMaxWorkerPoolSize"));
    }

    /**
     * Describes Netty, whose event loops accept connections and serve requests, without workers or a limit on
     * concurrent requests.
     */
    private static void describeNetty(Object server, Answer answer) throws ReflectiveOperationException {
        Object http = Reflect.field(server.getClass(), server, "httpServer");
        Object bound = Reflect.field(server.getClass(), server, "disposableServer");
        Object channel = Reflect.call(bound, "channel");
        InetSocketAddress address = (InetSocketAddress) Reflect.call(bound, "address");
        answer.put("container", "netty")
                .put("container.version", http.getClass().getPackage().getImplementationVersion())
                .put("connector.class", channel.getClass().getName())
                .put("connector.address", address.getAddress())
                .put("connector.port", address.getPort())
                .put("effective.threads.max", "none: event loops serve")
                .put(
                        "effective.max-keep-alive-requests",
                        Reflect.call(Reflect.call(http, "configuration"), "maxKeepAliveRequests"))
                .put("effective.accept-count", Reflect.call(Reflect.call(channel, "config"), "getBacklog"));
    }
}
