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
        @Key(means = "gatling, jmeter, wrk, ab, siege", standard = "=")
        List<String> generators,

        @Key(
                means = "measured time of each server, for each load and round; with find that of each step",
                standard = "in turns by the noise, 8 to 60 s; else 12s")
        Time hold,

        @Key(means = "how often each load is measured in each JVM", standard = "=")
        Integer rounds,

        @Key(means = "shortest turn of a server; 0s: one whole window after the other", standard = "=")
        Time turn,

        @Key(
                means =
                        "least load in turns before anything is counted; it goes on while a server becomes faster or compiles",
                standard = "=")
        Time settle,

        @Key(means = "maximum warm-up of each server; it ends as soon as the server is warm", standard = "=")
        Time warmup,

        @Key(means = "maximum warm-up of the generator", standard = "=")
        Time generatorWarmup,

        @Key(
                means = "whether all servers of a baseline are up at once and take turns; not with find and starts",
                standard = "=")
        Boolean together,

        @Key(means = "whether heaps are touched before the application starts", standard = "=; with starts false")
        Boolean preTouch,

        @Key(means = "whether raw logs are kept", standard = "=")
        Boolean keepRaw,

        @Key(means = "file with the JVM options of every server", standard = "profiles/jvm.options")
        String jvmOptions,

        @Key(means = "how long a request of the workload delay waits", standard = "of the profiles")
        Time delay,

        @Key(means = "with server.compression.enabled; Gatling, wrk", standard = "none", form = Form.GZIP)
        String acceptEncoding,

        @Key(
                means = "database of the workload query, such as jdbc:postgresql://127.0.0.1/bench?user=me",
                standard = "H2 in each server")
        String dbUrl,

        @Key(means = "of archive aot: number of caches of each arm", standard = "=")
        Integer aotCaches,

        @Key(means = "of archive aot: length of each training", standard = "=")
        Time aotTraining,

        @Key(
                means = "machine of the servers, such as me@app1; ssh must get there without a prompt",
                standard = "this one")
        String targetHost,

        @Key(means = "where servers listen there", standard = "of ssh's configuration")
        String targetAddress,

        @Key(means = "machines of the load", standard = "this one")
        List<String> loadHosts,

        @Key(means = "JDK of other machines", standard = "java on their paths")
        String hostJdk,

        @Key(means = "configuration of ssh", standard = "~/.ssh/config")
        String sshConfig,

        @Key(means = "true: the other machines are yours to load", standard = "false")
        Boolean targetAllowRemote) {}
