package org.servletbench.bench.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Proven;

/**
 * {@code server.json}: the server that ran, the facts it reported, and its end. A component is null until it is known,
 * and is not in the file until then. In the file, the keys of all parts are on one level.
 *
 * @param asked the requested server; empty for third-party servers
 * @param life its life from start to end
 * @param proof facts reported by the running server
 * @param run facts about its use by servlet-bench
 * @param remote machine on which it ran; empty for this machine
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServerRecord(
        @JsonUnwrapped Asked asked,
        @JsonUnwrapped Life life,
        @JsonUnwrapped Proof proof,
        @JsonUnwrapped Run run,
        @JsonUnwrapped Remote remote) {

    /** File name in the folder of a server. */
    public static final String FILE = "server.json";

    /** A record without any facts. */
    public static final ServerRecord EMPTY = new ServerRecord(null, null, null, null, null);

    /**
     * Its arm, profile and settings.
     *
     * @param arm name of the arm
     * @param profile profile of the container
     * @param line version of Spring Boot
     * @param settings name of the settings set
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Asked(String arm, String profile, String connector, String line, String settings) {
        private static final Asked UNKNOWN = new Asked(null, null, null, null, null);
    }

    /**
     * Its life from start to end.
     *
     * @param started time of the start, UTC, ISO 8601
     * @param readyMs time from its start to its first correct answer, ms
     * @param startUp figures of its start, in their units, by name
     * @param leftBehind processes that it had started and that had to be killed
     * @param died why it ended, if it ended during the run
     * @param ended how it ended, for people
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Life(
            String started,
            String url,
            Long pid,
            @JsonProperty("ready.ms") Long readyMs,
            @JsonProperty("start-up") Map<String, Number> startUp,
            @JsonProperty("left.behind") List<String> leftBehind,
            String died,
            String ended) {
        private static final Life UNKNOWN = new Life(null, null, null, null, null, null, null, null);
    }

    /**
     * Facts that the server reported.
     *
     * @param proven null if it has not been asked
     * @param jvmOptions options with which its JVM was started, as the JVM reports them, in order
     * @param encoding encoding of its answers, if requests accept gzip
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Proof(
            Proven proven,
            @JsonProperty("jvm.options") List<String> jvmOptions,
            @JsonProperty("the encoding of answers") String encoding) {
        private static final Proof UNKNOWN = new Proof(null, null, null);
    }

    /**
     * Facts about its use by servlet-bench.
     *
     * @param machine facts about the machine of servlet-bench, by name
     * @param pinning processors of the server and the generator, for people
     * @param cpuProfile why there is no CPU profile; null if there is one, or none was requested
     * @param jmeterPlan file name of the user's own plan that loaded it
     * @param code code that it ran when each load of a single run began, by load; empty if it cannot be sampled
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Run(
            @JsonProperty("warm-up") WarmUp warmUp,
            Map<String, String> machine,
            String pinning,
            @JsonProperty("cpu.profile") String cpuProfile,
            @JsonProperty("jmeter.plan") String jmeterPlan,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, CodeTiers> code) {
        private static final Run UNKNOWN = new Run(null, null, null, null, null, null);

        public Run {
            code = code == null ? Map.of() : new LinkedHashMap<>(code);
        }
    }

    /**
     * The course of a warm-up.
     *
     * @param settled true if it ended because the server was found to be warm
     * @param seconds duration, s; 0 if there was none
     * @param code last samples of the server's code; null if it cannot be sampled
     */
    public record WarmUp(
            Boolean settled,
            String reason,
            Double seconds,
            List<Burst> bursts,
            @JsonInclude(JsonInclude.Include.NON_NULL) CodeTiers code) {

        public boolean hasSettled() {
            return Boolean.TRUE.equals(settled);
        }
    }

    /**
     * One burst of a warm-up.
     *
     * @param seconds duration, s
     * @param requestsPerSecond throughput, requests/s
     * @param compilerPercent CPU time of the server's JIT compiler, percent of the server's own; null if not known
     * @param backlog number of methods that are waiting for the compiler or being compiled at the end of the burst;
     *     null if not known
     */
    public record Burst(Double seconds, Double requestsPerSecond, Double compilerPercent, Double backlog) {}

    /**
     * Another machine.
     *
     * @param host name of the machine
     * @param aheadMs how far its clock is ahead of ours, ms
     * @param uncertaintyMs maximum error of that, ms
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Remote(
            String host,
            @JsonProperty("clock.ahead.ms") Double aheadMs,
            @JsonProperty("clock.uncertainty.ms") Double uncertaintyMs) {
        private static final Remote UNKNOWN = new Remote(null, null, null);
    }

    public ServerRecord {
        asked = asked == null ? Asked.UNKNOWN : asked;
        life = life == null ? Life.UNKNOWN : life;
        proof = proof == null ? Proof.UNKNOWN : proof;
        run = run == null ? Run.UNKNOWN : run;
        remote = remote == null ? Remote.UNKNOWN : remote;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it is missing or damaged; the message is one line for people
     */
    public static ServerRecord read(Path file) throws IOException {
        return Json.read(file, ServerRecord.class);
    }

    /**
     * Returns this record with other values of some keys.
     *
     * @param values values by key
     * @throws IllegalArgumentException if the record has no such key, or a value has a component that the record lacks
     */
    public ServerRecord with(Map<String, ?> values) {
        ObjectNode tree = Json.MAPPER.valueToTree(this);
        values.forEach((key, value) -> tree.set(key, Json.MAPPER.valueToTree(value)));
        try {
            ServerRecord changed = Json.MAPPER.treeToValue(tree, ServerRecord.class);
            ObjectNode kept = Json.MAPPER.valueToTree(changed);
            for (String key : values.keySet()) {
                if (!tree.get(key).equals(kept.get(key))) {
                    throw new IllegalArgumentException(
                            FILE + " has no place for '" + key + "' as it is here: " + tree.get(key));
                }
            }
            return changed;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(FILE + ": " + Json.why(e), e);
        }
    }

    /** Returns its proven facts; empty for a third-party server, or if the server has not been asked. */
    public Proven proven() {
        return proof.proven == null ? Proven.NOTHING : proof.proven;
    }
}
