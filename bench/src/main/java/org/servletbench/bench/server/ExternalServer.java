package org.servletbench.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.process.RunFolder;
import org.servletbench.bench.server.proof.ServerFile;

/** A server that servlet-bench did not start. We know only its address, and every record says so. */
record ExternalServer(URI url, Path folder, ServerFile serverFile) implements Target {

    private static final int LAST_PORT = 65_535;

    static ExternalServer open(URI url, Path results, LoadPlan plan) {
        Workload first = plan.workloads().get(0);
        try {
            int status = HttpWire.status(url, first.path());
            if (status != 200) {
                throw new TargetException(url + first.path() + " answers " + status + " and not 200");
            }
        } catch (IOException e) {
            throw new TargetException(
                    "nothing answers at " + url + " (" + e.getMessage() + "): start the server first");
        }
        Path folder = RunFolder.create(results, "foreign-" + url.getHost() + "-" + url.getPort());
        ServerFile serverFile = new ServerFile(
                folder, ServerRecord.EMPTY.with(Map.of("url", url.toString(), "proven", Proven.NOTHING)));
        return new ExternalServer(url, folder, serverFile);
    }

    /** Returns the address, after checking that load may be sent to it. */
    static URI checked(String text, boolean allowRemote) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw notAnAddress(text);
        }
        if (!"http".equals(url.getScheme())
                || url.getHost() == null
                || url.getUserInfo() != null
                || url.getQuery() != null
                || url.getFragment() != null
                || !(url.getPath().isEmpty() || url.getPath().equals("/"))) {
            throw notAnAddress(text);
        }
        if (!allowRemote && !isLoopback(url.getHost())) {
            throw new UsageException("-Dtarget.url=" + text
                    + " is not on this machine: add -Dtarget.allow-remote=true if the server is yours to load");
        }
        int port = url.getPort() == -1 ? 80 : url.getPort();
        if (port < 1 || port > LAST_PORT) {
            throw new UsageException("-Dtarget.url=" + text + ": a port is from 1 to " + LAST_PORT);
        }
        return URI.create("http://" + url.getHost() + ":" + port);
    }

    private static UsageException notAnAddress(String text) {
        return new UsageException(
                "-Dtarget.url=" + text + " is not understood: give a server such as http://127.0.0.1:8080");
    }

    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new UsageException("-Dtarget.url: no such host as " + host);
        }
    }

    @Override
    public String description() {
        return "server at " + url + ", not started by servlet-bench: nothing about it is proven";
    }

    @Override
    public Optional<String> death() {
        return Optional.empty();
    }

    @Override
    public void note(String what, Object value) {
        serverFile.put(what, value);
    }

    @Override
    public void close(String how) {
        serverFile.put("ended", how.equals("stopped") ? "left running" : how);
    }
}
