package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import org.servletbench.bench.model.Time;

/** How a campaign is measured. */
@Section(
        title = "How it is measured",
        place = "Below `measure`; what is not given comes from profiles/campaign.properties")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MeasureSpec(
        @Key(means = "load generators: gatling, jmeter, wrk, ab, siege", standard = "=")
        List<String> generators,

        @Key(
                means = "measured time of each server, for each load and round; with `search-rate-under`: of each step",
                standard = "in time slices by the noise, 8 to 60 s; else 12s")
        Time hold,

        @Key(means = "how often each load is measured in each JVM", standard = "=")
        Integer rounds,

        @Key(
                means = "shortest time slice of a server; 0s: no time slices, each server gets its load in one piece",
                standard = "=")
        Time slice,

        @Key(
                means =
                        "shortest uncounted load in time slices before the measurement; it goes on while a server still becomes faster or compiles",
                standard = "=")
        Time settlingTime,

        @Key(means = "maximum warm-up of each server; it ends as soon as the server is warm", standard = "=")
        Time warmup,

        @Key(means = "maximum warm-up of the generator", standard = "=")
        Time generatorWarmup,

        @Key(
                means =
                        "whether a baseline and all arms compared with it run at the same time and take turns under load; not with `search-rate-under` and `starts`",
                standard = "=")
        Boolean together,

        @Key(means = "maximum time until a server answers", standard = "60s")
        Time startTimeout,

        @Key(
                means =
                        "with `starts`: time from the start of each process to the end of its load, at least 20s, to find the time to its own peak; a second start shows when its code is warm",
                standard = "no load")
        Time peak,

        @Key(
                means =
                        "whether the JVM uses its whole heap, in huge pages where the kernel allows it, before the application starts (-XX:+AlwaysPreTouch -XX:+UseTransparentHugePages); of a heap that is a share of the memory, only what it starts with",
                standard = "=; with starts false")
        Boolean preTouch,

        @Key(
                means =
                        "whether a CPU profile of an uncounted load, a few seconds for each server of a block, says in which layers the CPU time is spent",
                standard = "=")
        Boolean cpuProfile,

        @Key(means = "whether raw logs are kept", standard = "=")
        Boolean keepRaw,

        @Key(means = "file with the JVM options of every server", standard = "profiles/jvm.options")
        String jvmOptions,

        @Key(means = "how long a request of the workload delay waits", standard = "of the profiles")
        Time delay,

        @Key(
                means = "asks for compressed answers; arms need server.compression.enabled; Gatling, wrk",
                standard = "none",
                form = Form.GZIP)
        String acceptEncoding,

        @Key(
                means =
                        "database of the workload query, such as jdbc:postgresql://127.0.0.1/bench?user=me; one of another machine on the command line only",
                standard = "H2 in each server")
        String dbUrl,

        @Key(means = "with `archive: aot`: number of caches of each arm", standard = "=")
        Integer aotCaches,

        @Key(means = "with `archive: aot`: length of each training", standard = "=")
        Time aotTraining,

        @Key(
                means =
                        "machine on which servers run, such as me@app1; ssh must connect without a prompt; on the command line only",
                standard = "this one")
        String targetHost,

        @Key(
                means = "address on which servers listen there; on the command line only",
                standard = "of ssh's configuration")
        String targetAddress,

        @Key(means = "machines that generate the load; on the command line only", standard = "this one")
        List<String> loadHosts,

        @Key(means = "home of the JDK on other machines; on the command line only", standard = "java on their paths")
        String hostJdk,

        @Key(means = "configuration file of ssh; on the command line only", standard = "~/.ssh/config")
        String sshConfig,

        @Key(
                means = "true states that you may put load on the other machines; on the command line only",
                standard = "false")
        Boolean targetAllowRemote) {}
