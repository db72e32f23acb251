package org.servletbench.proofs;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;

/**
 * Sizes of the experiments: small by default, to try them out; {@code -Dproofs.size=full} for those of docs/proof.md;
 * or set one by one, such as {@code -Dproofs.kills=5}.
 */
final class Sizes {

    private static final String PREFIX = "proofs.";
    /**
     * Properties that are no sizes: the results' folder, the selection of experiments, and properties for Maven itself.
     */
    private static final List<String> OTHERS = List.of("size", "folder", "groups", "skip", "root", "version");

    /**
     * Sizes: name of the property, value for a trial, value for a full run. An empty value keeps that of the quick
     * plan.
     */
    private enum Size {
        NULL_BLOCKS("blocks", "4", "20"),
        NULL_LIMIT("limit", "20m", "140m"),
        NULL_ARMS("arms", "6", "8"),
        CHUNK("chunk", "2", "5"),
        BLIND_CAMPAIGNS("campaigns", "2", "10"),
        BLIND_BLOCKS("blocks", "2", "4"),
        /** Even, so that long time slices come first as often as short ones. */
        CONTROLS_CAMPAIGNS("campaigns", "2", "4"),
        CONTROLS_BLOCKS("blocks", "2", "2"),
        REASONS_BLOCKS("blocks", "3", "8"),
        GATES_BLOCKS("blocks", "3", "40"),
        WARMTH_BLOCKS("blocks", "2", "8"),
        KILLS("kills", "1", "20"),
        HOLD("hold", "", ""),
        WARMUP("warmup", "", "");

        private final String key;
        private final String small;
        private final String full;

        Size(String key, String small, String full) {
            this.key = key;
            this.small = small;
            this.full = full;
        }
    }

    private final UnaryOperator<String> given;
    private final boolean isFull;

    private Sizes(UnaryOperator<String> given, boolean isFull) {
        this.given = given;
        this.isFull = isFull;
    }

    /**
     * Reads and checks all sizes.
     *
     * @throws UsageException if one is unknown or out of its range, which would otherwise come to light after hours
     */
    static Sizes of(Properties properties) {
        Collection<String> known =
                Arrays.stream(Size.values()).map(size -> size.key).collect(Collectors.toSet());
        for (String name : properties.stringPropertyNames()) {
            String key = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
            if (!key.isEmpty() && !known.contains(key) && !OTHERS.contains(key)) {
                throw new UsageException("no size -D" + name + ": choose from "
                        + known.stream().sorted().map(PREFIX::concat).collect(Collectors.joining(", ")));
            }
        }
        String size = properties.getProperty(PREFIX + "size", "small");
        if (!List.of("small", "full").contains(size)) {
            throw new UsageException("-Dproofs.size=" + size + ": choose small or full");
        }
        Sizes sizes = new Sizes(key -> properties.getProperty(PREFIX + key, ""), size.equals("full"));
        sizes.arms();
        sizes.chunk();
        sizes.blindCampaigns();
        sizes.controlsCampaigns();
        sizes.kills();
        for (Map<String, String> plan : List.of(sizes.ofNull(), sizes.ofBlind(), sizes.ofControls())) {
            Options options = new Options(PREFIX, plan, Map.of());
            options.integer("blocks", 2, 1000);
            List.of("limit", "hold", "warmup").stream().filter(options::isGiven).forEach(options::duration);
        }
        return sizes;
    }

    private String text(Size size) {
        String own = given.apply(size.key);
        return own.isEmpty() ? isFull ? size.full : size.small : own;
    }

    private int number(Size size, int least, int most) {
        return new Options(PREFIX, Map.of(size.key, text(size)), Map.of()).integer(size.key, least, most);
    }

    /** Returns the options that override those of the quick plan. */
    private Map<String, String> plan(Size blocks, String limit) {
        Map<String, String> plan = new HashMap<>(Map.of("blocks", text(blocks), "limit", limit));
        for (Size size : List.of(Size.HOLD, Size.WARMUP)) {
            if (!text(size).isEmpty()) {
                plan.put(size.key, text(size));
            }
        }
        return plan;
    }

    Map<String, String> ofNull() {
        return plan(Size.NULL_BLOCKS, text(Size.NULL_LIMIT));
    }

    Map<String, String> ofBlind() {
        return plan(Size.BLIND_BLOCKS, "0s");
    }

    Map<String, String> ofControls() {
        return plan(Size.CONTROLS_BLOCKS, "0s");
    }

    Map<String, String> ofReasons() {
        return plan(Size.REASONS_BLOCKS, "0s");
    }

    /** Options of the campaign of each container. */
    Map<String, String> ofWarmth() {
        return plan(Size.WARMTH_BLOCKS, "0s");
    }

    Map<String, String> ofGates() {
        return plan(Size.GATES_BLOCKS, "0s");
    }

    /** Returns the number of copies of one jar that run at once. */
    int arms() {
        return number(Size.NULL_ARMS, 2, 16);
    }

    /** Returns the number of blocks of a pseudo-campaign of {@code null} and {@code spike}. */
    int chunk() {
        return number(Size.CHUNK, 2, 1000);
    }

    int blindCampaigns() {
        return number(Size.BLIND_CAMPAIGNS, 1, 1000);
    }

    int controlsCampaigns() {
        return number(Size.CONTROLS_CAMPAIGNS, 1, 1000);
    }

    /** Returns the number of kills for each kind of process. */
    int kills() {
        return number(Size.KILLS, 1, 1000);
    }
}
