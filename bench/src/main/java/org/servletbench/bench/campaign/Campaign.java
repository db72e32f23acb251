package org.servletbench.bench.campaign;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.profile.JvmOptions;

/**
 * {@code campaign.json}: written before the first load.
 *
 * @param format version of this file's form
 * @param id the folder's name
 * @param created UTC, ISO 8601
 * @param commit of the sources, with {@code -dirty} when they were changed; empty when not known
 * @param plan what was decided
 * @param arms all, in the order in which they were given; controls and references among them
 * @param order for each block the arms' ids in the order in which they run
 * @param machine {@code cpu}, {@code cores}, {@code memory.bytes}, {@code os}, {@code kernel}, {@code governor}, …
 * @param versions of the JDK, the generators and servlet-bench
 * @param options the files that decide: JVM options, the settings' values
 * @param pinning how processors were divided, in words
 */
public record Campaign(
        int format,
        String id,
        String created,
        String commit,
        Plan plan,
        List<Arm> arms,
        List<List<String>> order,
        Map<String, String> machine,
        Map<String, String> versions,
        Map<String, String> options,
        String pinning) {

    /** The version of the form that this code writes and reads. */
    public static final int FORMAT = 1;

    /** Before an arm's id in {@link #options}: options of that arm's JVMs alone, after those of all. */
    public static final String ARM_OPTIONS = "arm.options ";

    /**
     * The arm with this id.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Arm arm(String id) {
        return arms.stream()
                .filter(arm -> arm.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no arm " + id));
    }

    /** Whether its servers used their whole heap before the application started: see {@link Metric#isShapedByPreTouch}. */
    @JsonIgnore
    public boolean isPreTouched() {
        String values = options == null ? "" : options.getOrDefault("jvm.options", "");
        return JvmOptions.isPreTouched(List.of(values.strip().split("\\s+")));
    }

    /** The groups, in the order of their first arms. */
    @JsonIgnore
    public List<String> groups() {
        return arms.stream().map(Arm::group).distinct().toList();
    }
}
