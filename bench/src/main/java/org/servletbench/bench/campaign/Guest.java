package org.servletbench.bench.campaign;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;

final class Guest implements GroupLoad.Server {
    final Session.Place place;
    final Path folder;
    private final List<Workload> served;
    final String started = Session.now();
    /** Null until it is up. */
    volatile Target target;
    /** Null until it is warm. */
    WarmUp.Outcome warmUp;

    Guest(Session.Place place, Path folder, List<Workload> served) {
        this.place = place;
        this.served = served;
        this.folder = folder;
    }

    @Override
    public String arm() {
        return place.arm().id();
    }

    @Override
    public URI url() {
        return target.url();
    }

    @Override
    public List<Long> pids() {
        return target.pids();
    }

    @Override
    public List<Workload> served() {
        return served;
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public OptionalLong mark() {
        return target.mark();
    }

    @Override
    public void watchGenerator(ProcessHandle process) {
        target.watchGenerator(process);
    }

    @Override
    public Optional<String> death() {
        return target == null ? Optional.empty() : target.death();
    }
}
