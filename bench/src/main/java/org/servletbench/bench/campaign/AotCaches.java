package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.AotCache;
import org.servletbench.bench.server.RunFolder;
import org.servletbench.bench.server.TargetException;
import org.servletbench.bench.server.TargetSpec;

/**
 * The AOT caches of a campaign's arms. One training is one draw of profiles, so each arm has several, and each block draws
 * one of them. The control has caches of its own: it differs from the baseline by its trainings, as other arms do.
 *
 * <p>Caches are kept in a folder for each {@link #key}, and used again by the next campaign.
 */
final class AotCaches {

    /** An odd number with well-mixed bits, so that arms and cycles get distant seeds. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    record Training(int caches, Duration length, WarmUpPlan load, List<Workload> workloads) {}

    private final Path folder;
    private final long seed;
    private final Training training;
    private final Map<String, List<AotCache>> byArm = new HashMap<>();

    AotCaches(Path folder, long seed, Training training) {
        this.folder = folder;
        this.seed = seed;
        this.training = training;
    }

    /**
     * Trains what is missing.
     *
     * @param spec of its servers, without a cache
     * @throws TargetException if the application cannot be extracted or trained
     */
    void prepare(Arm arm, TargetSpec spec, Consumer<String> say) {
        try {
            String key = key(arm, spec, training);
            Path own = Files.createDirectories(
                    folder.resolve(arm.profile() + "-" + Sha256.of(key).substring(0, 16)));
            Files.writeString(own.resolve("key.txt"), key);
            TargetSpec extracted = spec.withJar(application(spec, own));
            List<AotCache> caches = new ArrayList<>();
            for (int number = 1; number <= training.caches(); number++) {
                Path file = own.resolve("cache-" + number + ".aot");
                if (!Files.isRegularFile(file)) {
                    long begin = System.nanoTime();
                    AotCache.train(extracted, training.workloads(), training.load(), training.length(), own, file);
                    say.accept(text(
                            "AOT cache %d of %d of %s: trained in %.0f s, %d MiB",
                            number,
                            training.caches(),
                            arm.id(),
                            (System.nanoTime() - begin) / 1e9,
                            Files.size(file) >> 20));
                }
                caches.add(new AotCache(extracted.jar(), file, number, Sha256.of(file)));
            }
            byArm.put(arm.id(), caches);
        } catch (IOException e) {
            throw new TargetException("cannot keep AOT caches of " + arm.id() + " (" + e.getMessage() + ")");
        }
    }

    /** The extracted application; made in one step, because a cache belongs to these very files. */
    private static Path application(TargetSpec spec, Path own) throws IOException {
        Path app = own.resolve("app");
        if (!Files.isDirectory(app)) {
            Path part = own.resolve("app.part");
            RunFolder.delete(part);
            AotCache.extract(spec.jdk(), spec.jar(), part);
            Files.move(part, app, StandardCopyOption.ATOMIC_MOVE);
        }
        return app.resolve(spec.jar().getFileName());
    }

    /** Everything that a cache depends on, a line each. */
    static String key(Arm arm, TargetSpec spec, Training training) throws IOException {
        return String.join(
                "\n",
                "jar " + arm.sha256(),
                "jdk " + spec.jdk().vm() + ", " + spec.jdk().runtimeVersion() + ", "
                        + spec.jdk().vendor() + ", " + spec.jdk().home(),
                "jvm.options " + String.join(" ", spec.jvmOptions().values()),
                "settings " + Sha256.of(spec.settings()),
                "threads " + spec.serving().threads().key(),
                "workloads " + training.workloads().stream().map(Workload::path).collect(Collectors.joining(" ")),
                "training " + training.length() + ", " + training.load().users() + " users, bursts of "
                        + training.load().burst() + ", pauses of "
                        + training.load().pause(),
                "copy " + (arm.role() == Arm.Role.CONTROL ? "control" : "arm"),
                "");
    }

    AotCache of(Arm arm, int block) {
        List<AotCache> caches = byArm.get(arm.id());
        return caches.get(draw(seed, arm.id(), block, caches.size()) - 1);
    }

    /**
     * Which cache a block draws: in each cycle of as many blocks as there are caches, all of them in random order. It
     * follows from the seed, the arm and the block alone, so that blocks that are added later do not change earlier ones.
     *
     * @return from 1
     */
    static int draw(long seed, String arm, int block, int caches) {
        int cycle = (block - 1) / caches;
        List<Integer> order =
                new ArrayList<>(IntStream.rangeClosed(1, caches).boxed().toList());
        Collections.shuffle(order, new Random(seed + STEP * (arm.hashCode() + 31L * cycle)));
        return order.get((block - 1) % caches);
    }
}
