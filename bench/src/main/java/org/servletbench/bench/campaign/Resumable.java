package org.servletbench.bench.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Campaign;

/**
 * Checks that a campaign can be resumed. Its verdict is based on all blocks, so later ones must be measured like the
 * first ones.
 */
final class Resumable {

    /** Facts of a machine that affect figures. */
    private static final List<String> OF_MACHINE = List.of("cpu", "cores", "target.cpu", "target.cores");

    /** Conditions that do not affect the figures of a block. */
    private static final List<String> OF_NO_BLOCK = List.of("folder", "command", "given", "followedLoad");

    private Resumable() {}

    /**
     * Compares a campaign as it started with the same campaign as it would start now. ({@link ServerLauncher} checks
     * the JDK.)
     *
     * @param say receives a line if only the sources of servlet-bench differ
     * @throws TargetException if something that affects figures differs; it names the difference and the solution
     */
    static void require(Campaign then, Campaign now, Consumer<String> say) {
        for (int i = 0; i < then.arms().size(); i++) {
            if (!then.arms().get(i).sha256().equals(now.arms().get(i).sha256())) {
                throw new TargetException(
                        "the application of " + then.arms().get(i).id()
                                + " is not the one that was measured before (its SHA-256 differs): start a new campaign, and"
                                + " compare the two with report");
            }
        }
        List<String> differences = new ArrayList<>();
        compare("", deciding(then), deciding(now), differences);
        if (!differences.isEmpty()) {
            throw new TargetException("the campaign cannot go on: it would mix figures from different conditions: "
                    + String.join("; ", differences)
                    + ": restore that, or start a new campaign");
        }
        if (!then.commit().isEmpty() && !then.commit().equals(now.commit())) {
            say.accept("warning: the campaign began with servlet-bench of commit " + then.commit()
                    + " and goes on with " + now.commit() + ": if how it measures has changed, start a new one");
        }
    }

    /** Returns the recorded values that affect figures. */
    private static JsonNode deciding(Campaign campaign) {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        ObjectNode conditions = (ObjectNode) new Secrets().hidden(campaign.conditions());
        tree.setAll((ObjectNode) conditions.without(OF_NO_BLOCK));
        ((ObjectNode) tree.path("options")).remove(Machines.CONFIG);
        ObjectNode versions = Json.MAPPER.valueToTree(campaign.versions());
        Set<String> generators = new TreeSet<>(campaign.plan().tools());
        generators.add(Campaign.SIMULATIONS);
        tree.set("versions", versions.retain(generators));
        ObjectNode machine = Json.MAPPER.valueToTree(campaign.machine());
        Set<String> facts = new TreeSet<>(OF_MACHINE);
        campaign.machine().keySet().stream()
                .filter(key -> key.startsWith(Campaign.LOAD_HOST))
                .forEach(facts::add);
        tree.set("machine", machine.retain(facts));
        tree.put("pinning", campaign.pinning());
        return tree;
    }

    /** Lists the paths of all values that differ. */
    private static void compare(String path, JsonNode was, JsonNode is, List<String> differences) {
        if (was.isObject() && is.isObject()) {
            Set<String> keys = new TreeSet<>();
            was.fieldNames().forEachRemaining(keys::add);
            is.fieldNames().forEachRemaining(keys::add);
            keys.forEach(
                    key -> compare(path.isEmpty() ? key : path + "." + key, was.path(key), is.path(key), differences));
        } else if (!was.equals(is)) {
            differences.add(path + " was " + words(was) + " and is " + words(is));
        }
    }

    private static String words(JsonNode value) {
        return value.isMissingNode()
                ? "not set"
                : "'" + (value.isValueNode() ? value.asText() : value.toString()) + "'";
    }
}
