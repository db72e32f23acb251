package org.servletbench.bench.record;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Workload;

/**
 * Conditions of a campaign besides its plan and its arms.
 *
 * @param folder in which it was written, from the root of the repository if it is inside; empty if not known
 * @param command that started it, without the number of blocks and the time limit; empty if none did
 * @param options that were in force, by name
 * @param given names of the options that the user gave; others had their defaults
 * @param jvmOptions of every server, before those of its arm
 * @param settings Spring Boot properties of the settings set
 * @param workloads that were used
 * @param exchanges by an arm's id: the libraries that were removed and added to swap its container
 * @param setByRig by an arm's id: the settings that servlet-bench makes for a service of the user's own, and the service's own that
 *     stay
 * @param followedLoad shortest and longest load of a block that followed the noise of earlier blocks; empty: the planned load
 */
public record Conditions(
        String folder,
        String command,
        Map<String, String> options,
        List<String> given,
        List<String> jvmOptions,
        Map<String, String> settings,
        List<Workload> workloads,
        Map<String, String> exchanges,
        Map<String, String> setByRig,
        String followedLoad) {

    /** For campaigns whose conditions are not known. */
    public static final Conditions NONE =
            new Conditions("", "", Map.of(), List.of(), List.of(), Map.of(), List.of(), Map.of(), Map.of(), "");

    /** Returns these conditions with another command. */
    public Conditions by(String other) {
        return new Conditions(
                folder, other, options, given, jvmOptions, settings, workloads, exchanges, setByRig, followedLoad);
    }

    /** Returns these conditions with more options in force. */
    public Conditions with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(options);
        all.putAll(more);
        return new Conditions(
                folder, command, all, given, jvmOptions, settings, workloads, exchanges, setByRig, followedLoad);
    }

    /** Returns these conditions with other options for all JVMs. */
    public Conditions ofJvm(List<String> others) {
        return new Conditions(
                folder, command, options, given, others, settings, workloads, exchanges, setByRig, followedLoad);
    }

    /** Returns all but the folder, as text by name, for people. */
    public SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        texts.put("command", command);
        texts.put("given", String.join(",", given));
        texts.put("jvm.options", String.join(" ", jvmOptions));
        texts.put("load", followedLoad);
        options.forEach((name, value) -> texts.put("option " + name, value));
        settings.forEach((name, value) -> texts.put("setting " + name, value));
        workloads.forEach(one -> texts.put("workload " + one.name(), words(one)));
        exchanges.forEach((arm, value) -> texts.put("exchange " + arm, value));
        setByRig.forEach((arm, value) -> texts.put("service " + arm, value));
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
