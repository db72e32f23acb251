package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Workload;

/**
 * Conditions of a campaign besides its plan and its arms. In files, the components of all parts are on one level.
 *
 * @param followedLoad shortest and longest load of a block, if it depended on the noise of earlier blocks; empty if it
 *     was the planned load
 */
public record Conditions(
        @JsonUnwrapped Asked asked, @JsonUnwrapped Servers servers, String followedLoad) {

    /** Conditions of a campaign about which nothing is known. */
    public static final Conditions NONE = new Conditions(
            new Asked("", "", Map.of(), List.of()),
            new Servers(List.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of()),
            "");

    /**
     * How the campaign was requested.
     *
     * @param folder folder in which it was written, relative to the root of the repository if it is inside; empty if
     *     not known
     * @param command command that started it, without the number of blocks and the time limit; empty if none did
     * @param options options that were in force, by name
     * @param given names of the options that the user gave; others had their defaults
     */
    public record Asked(String folder, String command, Map<String, String> options, List<String> given) {}

    /**
     * Settings of its servers.
     *
     * @param jvmOptions options of every server, which come before those of its arm
     * @param settings Spring Boot properties of the settings set
     * @param workloads workloads that were used
     * @param exchanges by an arm's id, the libraries that were removed and added to swap its container
     * @param setByRig by an arm's id, the settings that servlet-bench adds to a user's own service, and the service's
     *     own that are kept
     * @param changed differences between the two builds that are compared, one line each; empty unless there are two
     */
    public record Servers(
            List<String> jvmOptions,
            Map<String, String> settings,
            List<Workload> workloads,
            Map<String, String> exchanges,
            Map<String, String> setByRig,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> changed) {

        public Servers {
            // Most campaigns have one build, and do not record differences.
            changed = changed == null ? List.of() : changed;
        }
    }

    /** Returns these conditions with another command. */
    public Conditions by(String other) {
        return with(new Asked(folder(), other, options(), given()));
    }

    /** Returns these conditions with more options in force. */
    public Conditions with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(options());
        all.putAll(more);
        return with(new Asked(folder(), command(), all, given()));
    }

    private Conditions with(Asked other) {
        return new Conditions(other, servers, followedLoad);
    }

    /** Returns these conditions with other options for all JVMs. */
    public Conditions ofJvm(List<String> others) {
        return new Conditions(
                asked, new Servers(others, settings(), workloads(), exchanges(), setByRig(), changed()), followedLoad);
    }

    public String folder() {
        return asked.folder;
    }

    public String command() {
        return asked.command;
    }

    public Map<String, String> options() {
        return asked.options;
    }

    public List<String> given() {
        return asked.given;
    }

    public List<String> jvmOptions() {
        return servers.jvmOptions;
    }

    public Map<String, String> settings() {
        return servers.settings;
    }

    public List<Workload> workloads() {
        return servers.workloads;
    }

    public Map<String, String> exchanges() {
        return servers.exchanges;
    }

    public Map<String, String> setByRig() {
        return servers.setByRig;
    }

    public List<String> changed() {
        return servers.changed;
    }

    /** Returns everything except the folder, for people, as text by name. */
    public SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        texts.put("command", command());
        texts.put("given", String.join(",", given()));
        texts.put("jvm.options", String.join(" ", jvmOptions()));
        texts.put("load", followedLoad);
        options().forEach((name, value) -> texts.put("option " + name, value));
        settings().forEach((name, value) -> texts.put("setting " + name, value));
        workloads().forEach(one -> texts.put("workload " + one.name(), words(one)));
        exchanges().forEach((arm, value) -> texts.put("exchange " + arm, value));
        setByRig().forEach((arm, value) -> texts.put("service " + arm, value));
        texts.values().removeIf(String::isEmpty);
        return texts;
    }

    private static String words(Workload workload) {
        String simulation = workload.isSimulation() ? "simulation " + workload.simulation() : "";
        String parts = (workload.isKnown() ? workload.parts() : List.<Workload>of())
                .stream()
                        .map(part -> (part == workload ? "" : part.labelIn(workload) + ": ") + request(part))
                        .collect(Collectors.joining("; "));
        return simulation
                + (simulation.isEmpty() || parts.isEmpty() ? "" : ", checked and warmed up by ")
                + parts
                + (workload.reset() == null
                        ? ""
                        : ", reset by " + workload.reset().sending().words()
                                + workload.reset().request());
    }

    private static String request(Workload request) {
        return request.sending().words() + request.path() + ", "
                + (request.hasLength()
                        ? request.minBytes() + ".." + request.maxBytes() + " bytes"
                        : request.lengthWords())
                + (request.hasOwnWarmUp() ? ", warmed up with " + request.warmUpPath() : "");
    }
}
