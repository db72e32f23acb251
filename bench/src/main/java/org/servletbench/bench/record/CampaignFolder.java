package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.verdict.Stopping;

/**
 * A campaign's folder as read from disk.
 *
 * @param campaign {@code campaign.json}
 * @param serverRuns every readable {@code blocks/BLOCK/FOLDER/server-run.json}, in the order of their paths
 * @param folders each server run's own folder, relative to the campaign's, with {@code /}; by identity
 * @param problems one line for each {@code server-run.json} that could not be read, with its path and the reason
 * @param times time of each phase; empty if not known
 * @param root the folder itself; empty if there is none
 */
public record CampaignFolder(
        Campaign campaign,
        List<ServerRun> serverRuns,
        Map<ServerRun, String> folders,
        List<String> problems,
        Optional<PhaseTimes> times,
        Optional<Path> root) {

    /** Upper limit of a margin or precision, as a share. The planner allows half as much. */
    private static final double MOST_SHARE = 1;

    private static final int LONGEST_LABEL = 1000;
    /** Upper limit of any figure, in any unit. */
    private static final double MOST = 1e15;

    private static final int MOST_BLOCKS = 10_000;
    /** Whole numbers that may be negative. */
    private static final Set<String> SIGNED =
            Set.of("Design.seed", "Handler.minBytes", "Handler.maxBytes", "Exchange.status");

    /** Maximum size of a file, bytes: a thousand times the size of a server's results. */
    private static final int LONGEST = 64 << 20;

    static final String CAMPAIGN = "campaign.json";
    static final String SERVER_RUN = "server-run.json";
    /** Components that a file may lack because there is nothing to record. */
    private static final Set<String> OPTIONAL = Set.of(
            "Before.warmUp",
            "WarmUpRecord.code",
            "SeenCode.warmUp",
            "SeenCode.unseen",
            "Results.threads",
            "Results.profile",
            "Results.course",
            "StartCourse.unseen",
            "Course.trend",
            "Workload.reset",
            "ClaimList.published",
            "Rule.earlyEnd",
            "Subject.factorial",
            "Part.least",
            "Part.most");

    /**
     * Reads a campaign's folder. Damaged server runs are listed in {@link #problems}; all others are included.
     *
     * @throws IOException if it is not a campaign's folder, or {@code campaign.json} cannot be read; the message is one
     *     line for people
     */
    public static CampaignFolder read(Path folder) throws IOException {
        Path file = folder.resolve(CAMPAIGN);
        if (!Files.isRegularFile(file)) {
            throw new IOException(folder + ": no campaign: there is no " + CAMPAIGN + " in it");
        }
        Campaign campaign;
        try {
            String text = SafeFiles.textInFolder(file, LONGEST);
            requireForm(Json.MAPPER.readTree(text));
            campaign = Json.MAPPER.readValue(text, Campaign.class);
            requireWhole(campaign, "");
            check(campaign);
        } catch (JacksonException | Damaged e) {
            throw new IOException(file + ": damaged: " + Json.why(e), e);
        }
        List<ServerRun> serverRuns = new ArrayList<>();
        Map<ServerRun, String> folders = new IdentityHashMap<>();
        List<String> problems = new ArrayList<>();
        Optional<PhaseTimes> times = Optional.empty();
        try {
            times = PhaseTimes.read(folder);
        } catch (IOException e) {
            problems.add(e.getMessage() + "; it is left out");
        }
        for (Path found : found(folder)) {
            String name = folder.relativize(found).toString().replace('\\', '/');
            try {
                ServerRun serverRun = Json.MAPPER.readValue(SafeFiles.textInFolder(found, LONGEST), ServerRun.class);
                need(serverRun, "it is empty");
                requireWhole(serverRun, "");
                check(serverRun, campaign);
                serverRuns.add(serverRun);
                folders.put(serverRun, name.substring(0, name.length() - SERVER_RUN.length() - 1));
            } catch (JacksonException | IllegalArgumentException e) {
                problems.add(name + ": damaged: " + Json.why(e) + "; it is left out");
            } catch (IOException e) {
                problems.add(name + ": cannot be read: " + e.getMessage() + "; it is left out");
            }
        }
        return new CampaignFolder(
                campaign.withoutIdleEnd(serverRuns),
                List.copyOf(serverRuns),
                folders,
                List.copyOf(problems),
                times,
                Optional.of(folder));
    }

    /**
     * Returns this folder as it is published: with {@linkplain Json#rounded rounded} numbers, and a change applied to
     * each text, and to each key that is a path.
     */
    public CampaignFolder published(UnaryOperator<String> change) {
        List<ServerRun> changed = new ArrayList<>();
        Map<ServerRun, String> places = new IdentityHashMap<>();
        for (ServerRun one : serverRuns) {
            ServerRun other = published(one, ServerRun.class, change);
            changed.add(other);
            places.put(other, folder(one));
        }
        return new CampaignFolder(
                published(campaign, Campaign.class, change), List.copyOf(changed), places, problems, times, root);
    }

    private static <T> T published(T record, Class<T> type, UnaryOperator<String> change) {
        try {
            return Json.MAPPER.treeToValue(
                    withPaths(Secrets.each(Json.rounded(Json.MAPPER.valueToTree(record)), change), change), type);
        } catch (JacksonException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode withPaths(JsonNode node, UnaryOperator<String> change) {
        if (node instanceof ObjectNode object) {
            ObjectNode changed = Json.MAPPER.createObjectNode();
            object.properties()
                    .forEach(one -> changed.set(
                            one.getKey().contains("/") ? change.apply(one.getKey()) : one.getKey(),
                            withPaths(one.getValue(), change)));
            return changed;
        }
        if (node instanceof ArrayNode list) {
            ArrayNode changed = Json.MAPPER.createArrayNode();
            list.forEach(one -> changed.add(withPaths(one, change)));
            return changed;
        }
        return node;
    }

    /** Returns the number of complete blocks, in which every arm has a measured server run: {@link #isMeasured}. */
    public int completeBlocks() {
        return (int) IntStream.rangeClosed(1, campaign.order().size())
                .filter(block -> isMeasured(block, campaign.order().get(block - 1)))
                .count();
    }

    /** True if all of these arms were measured in a block. An arm whose heap is too small does not count as missing. */
    public boolean isMeasured(int block, List<String> arms) {
        Set<String> without = RateOutcome.givenUp(campaign, serverRuns);
        return arms.stream().filter(arm -> !without.contains(arm)).allMatch(arm -> serverRuns.stream()
                .anyMatch(serverRun ->
                        serverRun.block() == block && serverRun.arm().equals(arm) && serverRun.measured()));
    }

    /** True if any of these arms was measured in a block. */
    public boolean isAnyMeasured(int block, List<String> arms) {
        return serverRuns.stream().anyMatch(one -> one.block() == block && arms.contains(one.arm()) && one.measured());
    }

    /** Returns the folder of a server run, relative to the campaign's. The server run's links are relative to it. */
    public String folder(ServerRun serverRun) {
        return folders.getOrDefault(serverRun, usualFolder(serverRun));
    }

    /** Returns the default folder of a server run: {@code blocks/1/2-jetty}. */
    public static String usualFolder(ServerRun serverRun) {
        return "blocks/" + serverRun.block() + "/" + serverRun.position() + "-" + serverRun.arm();
    }

    private static List<Path> found(Path folder) throws IOException {
        Path blocks = folder.resolve("blocks");
        if (!Files.isDirectory(blocks)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(blocks, 3)) {
            return paths.filter(path -> path.getNameCount() == blocks.getNameCount() + 3)
                    .filter(path -> path.getFileName().toString().equals(SERVER_RUN))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void requireForm(JsonNode campaign) {
        need(campaign.isEmpty() ? null : campaign, "it is empty");
        String other = "measure again, or read it with the version that wrote it";
        int format = campaign.path("format").asInt();
        if (format != Campaign.FORMAT) {
            throw new Damaged("its format is " + format + ", this version reads " + Campaign.FORMAT + ": " + other);
        }
    }

    private static void check(Campaign campaign) {
        Plan plan = campaign.plan();
        if (!(plan.alpha() > 0 && plan.alpha() < 0.8 && plan.margin().areWithin(0, Double.POSITIVE_INFINITY))) {
            throw new Damaged("the plan's alpha and margin are " + plan.alpha() + " and " + plan.margin());
        }
        if (!(plan.margin().areWithin(0, MOST_SHARE) && plan.precisions().areWithin(-Double.MIN_VALUE, MOST_SHARE))) {
            throw new Damaged("the plan's margin and precision are " + plan.margin() + " and " + plan.precisions());
        }
        if (plan.loads().isEmpty()) {
            throw new Damaged("the plan has no load");
        }
        requireWithin("plan.blocks", plan.blocks(), MOST_BLOCKS);
        requireWithin("the length of order", campaign.order().size(), MOST_BLOCKS);
        plan.loads().stream()
                .filter(load -> !load.equals(MeasuredLoad.START_UP))
                .map(MeasuredLoad::tool)
                .filter(name -> GeneratorFacts.find(name).isEmpty())
                .findFirst()
                .ifPresent(name -> {
                    throw new Damaged("there is no load generator '" + Text.shown(name) + "'");
                });
        campaign.earlyEnd()
                .map(CampaignEvent::after)
                .filter(blocks -> blocks < Stopping.FIRST_LOOK
                        || blocks > campaign.order().size())
                .ifPresent(blocks -> {
                    throw new Damaged("a claim ended it after " + blocks + " blocks, and there are "
                            + Stopping.FIRST_LOOK + " to " + campaign.order().size());
                });
        // The ids become names of folders.
        campaign.arms().stream()
                .map(Arm::id)
                .filter(id -> !SafeFiles.isName(id))
                .findFirst()
                .ifPresent(id -> {
                    throw new Damaged("'" + Text.shown(id) + "' is not a valid name of an arm");
                });
        campaign.arms().stream()
                .map(Arm::label)
                .filter(label -> label.length() > LONGEST_LABEL)
                .findFirst()
                .ifPresent(label -> {
                    throw new Damaged("the label of an arm is longer than " + LONGEST_LABEL + " characters");
                });
        List<String> ids = campaign.arms().stream().map(Arm::id).toList();
        if (!campaign.order().stream().allMatch(ids::containsAll)) {
            throw new Damaged("an order names an arm that is not there");
        }
        List<String> together = campaign.arms().stream()
                .filter(arm -> arm.isRanked()
                        && arm.group().equals(campaign.arms().get(0).group()))
                .map(Arm::id)
                .toList();
        if (plan.factorial().filter(design -> !design.isOf(together)).isPresent()) {
            throw new Damaged("the design is not that of its arms");
        }
        if (campaign.arms().stream().map(arm -> arm.id()).distinct().count()
                != campaign.arms().size()) {
            throw new Damaged("an arm appears twice");
        }
    }

    private static void check(ServerRun serverRun, Campaign campaign) {
        campaign.arm(serverRun.arm());
        requireWithin("block", serverRun.block(), campaign.order().size());
        requireWithin("position", serverRun.position(), campaign.arms().size());
        requireWithin("attempt", serverRun.attempt(), MOST_BLOCKS);
    }

    private static void requireWithin(String name, int number, int most) {
        if (number < 1 || number > most) {
            throw new Damaged(name + " is " + number + ", and there are 1 to " + most);
        }
    }

    /**
     * Checks that a record is complete. Jackson sets components to null that a file lacks. Only {@link #OPTIONAL}
     * parts, keys of arms, and numbers in lists may be null. Numbers must be possible measurements.
     *
     * @param path path of the record in the file, for messages; empty for the file itself
     */
    private static void requireWhole(Record one, String path) {
        for (RecordComponent part : one.getClass().getRecordComponents()) {
            String name = one.getClass().getSimpleName() + "." + part.getName();
            // In files, the components of a part are on the level of the whole.
            boolean isPart = part.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
            String at = isPart ? path : path.isEmpty() ? part.getName() : path + "." + part.getName();
            Object value;
            try {
                value = part.getAccessor().invoke(one);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
            boolean ofArm = one instanceof ArmSpec || one.getClass().getDeclaringClass() == ArmSpec.class;
            if (!OPTIONAL.contains(name) && !ofArm) {
                need(value, "no " + at);
            }
            boolean mayBeNull =
                    value == null || part.getGenericType().getTypeName().contains("java.util.List<java.lang.Double>");
            // The interval of a trend may have no end.
            boolean any = SIGNED.contains(name) || one instanceof Trend;
            requireInside(value, at, mayBeNull, any);
        }
    }

    /** Checks a value and its contents. Messages name elements by their numbers, entries by their keys. */
    private static void requireInside(Object value, String at, boolean mayBeNull, boolean any) {
        if (value instanceof Record whole) {
            requireWhole(whole, at);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> requireInside(each, at + "." + Text.shown(String.valueOf(key)), mayBeNull, any));
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                Object each = list.get(i);
                // Names of many numbers would take more space than the numbers.
                if (!(each instanceof Double number) || !any && isImpossible(number)) {
                    requireInside(each, at + "[" + i + "]", mayBeNull, any);
                }
            }
        } else if (value == null && !mayBeNull) {
            throw new Damaged(at + " is empty");
        } else if (!any && isImpossible(value)) {
            throw new Damaged(at + " is " + value + ", which nothing measures");
        }
    }

    /** True for a number out of range. Unknown values may be written as NaN. */
    private static boolean isImpossible(Object value) {
        return value instanceof Double number && Math.abs(number) > MOST
                || value instanceof Integer whole && whole < 0
                || value instanceof Long count && count < 0;
    }

    private static void need(Object value, String otherwise) {
        if (value == null) {
            throw new Damaged(otherwise);
        }
    }

    private static final class Damaged extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        Damaged(String message) {
            super(message);
        }
    }
}
