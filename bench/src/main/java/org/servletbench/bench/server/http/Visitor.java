package org.servletbench.bench.server.http;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.UserSession;
import org.servletbench.bench.model.Workload;

/**
 * A user of our own client. Sends a workload in order, keeps cookies, and extracts values from answers that later
 * requests need.
 */
public final class Visitor {
    private final URI server;
    private final List<Workload> requests;
    private final List<RequestSpec> specs;
    private final LongSupplier passes;
    private final boolean isNewInEachPass;
    private Cookies cookies;
    private UserSession visit = new UserSession();
    private final HttpWire.Request[] plain;
    private UserSession.Step step;

    /** @param passes number of passes through the workload that all users have started at this server */
    public Visitor(URI server, Workload workload, AtomicLong passes) {
        this.server = server;
        this.requests = workload.parts();
        this.specs = requests.stream().map(Workload::sending).toList();
        this.isNewInEachPass = specs.stream().anyMatch(RequestSpec::isOfNewUsers);
        this.passes = passes::getAndIncrement;
        this.cookies = new Cookies(server);
        this.plain = new HttpWire.Request[requests.size()];
    }

    /**
     * One answer.
     *
     * @param request the request that was sent
     * @param missing expected content that the answer lacks; empty if it lacks none
     * @param endsPass true if the next request is the first of another pass
     */
    public record Answered(Workload request, HttpWire.Answer answer, Optional<String> missing, boolean endsPass) {

        /** True if status and content are as expected. */
        public boolean isRight() {
            return answer.status() == request.sending().status() && missing.isEmpty();
        }
    }

    /** Sends the next request. */
    public Answered ask(HttpWire.Connection connection) throws IOException {
        if (isNewInEachPass && !visit.isWithin(specs.size())) {
            visit = new UserSession();
            cookies = new Cookies(server);
        }
        step = visit.next(specs, passes);
        return again(connection);
    }

    /** Sends the last request again. */
    public Answered again(HttpWire.Connection connection) throws IOException {
        Workload request = requests.get(step.request());
        HttpWire.Answer answer = connection.ask(ready(request)).decoded();
        cookies.keep(path(request), answer);
        return new Answered(
                request,
                answer,
                visit.answered(request.sending(), answer.status(), answer::header, answer::text),
                step.request() + 1 == requests.size());
    }

    private HttpWire.Request ready(Workload request) throws IOException {
        RequestSpec spec = request.sending();
        if (spec.varies() || !cookies.isEmpty()) {
            String path = path(request);
            return HttpWire.request(server, path, spec.filled(step.pass(), visit.taken()), cookies.of(path));
        }
        // Most requests are always the same.
        if (plain[step.request()] == null) {
            plain[step.request()] = HttpWire.request(server, request.path(), spec);
        }
        return plain[step.request()];
    }

    private String path(Workload request) {
        return request.sending().path(request.path(), step.pass(), visit.taken());
    }
}
