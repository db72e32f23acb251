package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One load of a campaign, measured in every invocation: a workload at a number of users or a rate, from one generator.
 *
 * @param tier concurrent users of the closed model; 0 in the open one
 * @param rate requests/s of the open model; 0 in the closed one
 * @param settings of the tool, if an article prescribes some
 */
public record Cell(
        String workload,
        int tier,
        double rate,
        @JsonProperty("generator") String tool,

        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = ToolSettings.IsPlain.class)
        ToolSettings settings) {

    /** Stands for a campaign of starts: no load and no generator. */
    public static final Cell START_UP = new Cell("start-up", 0, 0, "none");

    /** Files leave plain settings out. */
    public Cell {
        settings = settings == null ? ToolSettings.PLAIN : settings;
    }

    public Cell(String workload, int tier, double rate, String tool) {
        this(workload, tier, rate, tool, ToolSettings.PLAIN);
    }

    /** Returns the generator as pages and files name it; see {@link ToolSettings#label}. */
    public String generator() {
        return settings.label(tool);
    }

    @JsonIgnore
    public boolean isStartUp() {
        return equals(START_UP);
    }

    /** True if its highest rate is searched for: it has neither users nor a rate. */
    @JsonIgnore
    public boolean isCapacity() {
        return load().isUnknown() && !isStartUp();
    }

    /** Returns the load and its generator, for people: {@code hello 100 users, gatling}; {@code start-up}. */
    public String words() {
        return isStartUp() ? workload : (isCapacity() ? "capacity of " : "") + load().name() + ", " + generator();
    }

    /**
     * Returns the load in file names: {@code hello-100-gatling}, {@code hello-100-pausing-20ms-gatling}, {@code
     * hello-200rps-gatling}; {@code start-up}.
     */
    public String id() {
        return isStartUp()
                ? workload
                : workload + "-" + (tier > 0 ? tier + pausing() : rate > 0 ? load().plainRate() + "rps" : "capacity")
                        + "-" + generator();
    }

    private String pausing() {
        return settings.pause().isNone()
                ? ""
                : "-pausing-" + settings.pause().text().replace(' ', '-');
    }

    public Load load() {
        return new Load(workload, tier, rate, settings.pause());
    }
}
