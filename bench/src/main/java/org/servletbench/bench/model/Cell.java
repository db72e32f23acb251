package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What is measured in every invocation: a workload under one load from one generator.
 *
 * @param workload the request kind
 * @param tier concurrent users of the closed model; 0 in the open one
 * @param rate requests/s of the open model; 0 in the closed one
 * @param generator {@code gatling}, {@code jmeter}, {@code wrk}, {@code ab} or {@code siege}
 */
public record Cell(String workload, int tier, double rate, String generator) {

    /** What a campaign of starts measures: no load, and no generator. */
    public static final Cell START_UP = new Cell("start-up", 0, 0, "none");

    /** Whether it is {@link #START_UP}. */
    @JsonIgnore
    public boolean isStartUp() {
        return equals(START_UP);
    }

    /** The load and its generator, for people: {@code hello 100 users, gatling}; {@code start-up}. */
    @JsonIgnore
    public String words() {
        return isStartUp() ? workload : load().name() + ", " + generator;
    }

    /** The load in file names: {@code hello-100-gatling}, {@code hello-200rps-gatling}; {@code start-up}. */
    @JsonIgnore
    public String id() {
        return isStartUp()
                ? workload
                : workload + "-" + (tier > 0 ? tier : load().plainRate() + "rps") + "-" + generator;
    }

    /** Without the generator. */
    @JsonIgnore
    public Load load() {
        return new Load(workload, tier, rate);
    }
}
