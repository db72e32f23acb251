package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One load of a campaign, measured in every server run: a workload at a number of users or at a rate, with one
 * generator.
 *
 * @param users concurrent users in the closed model; 0 in the open model
 * @param rate requests/s in the open model; 0 in the closed model
 * @param settings settings of the tool, if an article prescribes some
 */
public record MeasuredLoad(
        String workload,
        int users,
        double rate,
        @JsonProperty("generator") String tool,

        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = ToolSettings.IsPlain.class)
        ToolSettings settings) {

    /** Placeholder in campaigns of starts, which have neither load nor generator. */
    public static final MeasuredLoad START_UP = new MeasuredLoad("start-up", 0, 0, "none");

    /** In files, plain settings are left out. */
    public MeasuredLoad {
        settings = settings == null ? ToolSettings.PLAIN : settings;
    }

    public MeasuredLoad(String workload, int users, double rate, String tool) {
        this(workload, users, rate, tool, ToolSettings.PLAIN);
    }

    /** Returns the generator's name on pages and in files; see {@link ToolSettings#label}. */
    public String generator() {
        return settings.label(tool);
    }

    @JsonIgnore
    public boolean isStartUp() {
        return equals(START_UP);
    }

    /** True if its highest rate is searched for. It then has neither users nor a rate. */
    @JsonIgnore
    public boolean isCapacity() {
        return withoutGenerator().isUnknown() && !isStartUp();
    }

    /** Returns the load and its generator, for people: {@code hello 100 users, gatling}; {@code start-up}. */
    public String words() {
        return isStartUp()
                ? workload
                : (isCapacity() ? "capacity of " : "") + withoutGenerator().name() + ", " + generator();
    }

    /**
     * Returns the load's name in file names: {@code hello-100-gatling}, {@code hello-100-pausing-20ms-gatling},
     * {@code hello-200rps-gatling}; {@code start-up}.
     */
    public String id() {
        return isStartUp()
                ? workload
                : workload + "-"
                        + (users > 0
                                ? users + pausing()
                                : rate > 0 ? withoutGenerator().plainRate() + "rps" : "capacity")
                        + "-" + generator();
    }

    private String pausing() {
        return settings.pause().isNone()
                ? ""
                : "-pausing-" + settings.pause().text().replace(' ', '-');
    }

    public Load withoutGenerator() {
        return new Load(workload, users, rate, settings.pause());
    }
}
