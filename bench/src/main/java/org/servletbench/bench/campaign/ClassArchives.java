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
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.model.ArchiveKind;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.server.process.ClassArchive;
import org.servletbench.bench.server.process.RunFolder;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * The class archives with which a campaign's servers start. Each training of an AOT cache samples other profiles, so
 * each arm has several archives, and a seed assigns one to each block. The A/A copy has archives of its own; it differs
 * from the baseline by its trainings, as other arms do.
 *
 * <p>Archives are kept in a folder for each {@link #key}, and reused by the next campaign.
 */
final class ClassArchives {

    /** An odd number with well-mixed bits, so that the seeds of arms and cycles are far apart. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    /**
     * @param archives number of archives of each arm
     *
     * @param length duration of the training load of each archive
     */
    record Training(ArchiveKind kind, int archives, Duration length, WarmUpPlan load, List<Workload> workloads) {}

    private final Path folder;
    private final long seed;
    private final Training training;
    private final Map<String, List<ClassArchive>> byArm = new HashMap<>();

    ClassArchives(Path folder, long seed, Training training) {
        this.folder = folder;
        this.seed = seed;
        this.training = training;
    }

    /**
     * Trains missing archives.
     *
     * @param spec spec of the arm's servers, without an archive
     * @throws TargetException if the application cannot be extracted or trained
     */
    void prepare(Arm arm, TargetSpec spec, Consumer<String> say) {
        try {
            String key = key(arm, spec);
            Path own = SafeFiles.ownFolder(own(arm, key));
            Json.replace(own.resolve("key.txt"), Secrets.scrubbed(key));
            TargetSpec extracted = spec.withJar(application(spec, own));
            List<ClassArchive> archives = new ArrayList<>();
            for (int number = 1; number <= training.archives(); number++) {
                Path file = file(own, Integer.toString(number));
                if (!Files.isRegularFile(file)) {
                    long begin = System.nanoTime();
                    ClassArchive.train(
                            training.kind(),
                            extracted,
                            training.workloads(),
                            training.load(),
                            training.length(),
                            own,
                            file);
                    say.accept(text(
                            "%s %d of %d of %s: trained in %.0f s, %d MiB",
                            training.kind().title(),
                            number,
                            training.archives(),
                            arm.id(),
                            (System.nanoTime() - begin) / 1e9,
                            Files.size(file) >> 20));
                }
                archives.add(new ClassArchive(training.kind(), extracted.jar(), file, number, Sha256.of(file)));
            }
            byArm.put(arm.id(), archives);
        } catch (IOException e) {
            throw new TargetException("cannot keep archives of classes of " + arm.id() + " (" + e.getMessage() + ")");
        }
    }

    /** Returns the folder of an arm's archives. */
    Path own(Arm arm, String key) {
        return folder.resolve(arm.profile() + "-" + Sha256.of(key).substring(0, 16));
    }

    private Path file(Path own, String number) {
        return own.resolve(training.kind().key() + "-" + number);
    }

    /**
     * Checks that the archives with which the arm's servers were measured have not changed. Archives that no block has
     * used may be trained again.
     *
     * @throws TargetException if one has changed, or cannot be read
     */
    void requireSame(Arm arm, TargetSpec spec, List<ServerRun> before) {
        Map<String, String> then = new TreeMap<>();
        before.stream()
                .filter(one -> one.measured() && one.arm().equals(arm.id()))
                .forEach(one ->
                        ClassArchive.recorded(training.kind(), one.proven()).ifPresent(then::putAll));
        try {
            Path own = own(arm, key(arm, spec));
            for (Map.Entry<String, String> one : then.entrySet()) {
                Path file = file(own, one.getKey());
                if (!Files.isRegularFile(file) || !Sha256.of(file).equals(one.getValue())) {
                    throw TargetException.refusal(
                            TargetException.Refusal.START,
                            text(
                                    "the %s %s with which servers of %s were measured is gone, or another one (%s): bring that"
                                            + " file back, or start a new campaign",
                                    training.kind().title(), one.getKey(), arm.id(), file));
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot read archives of classes of " + arm.id() + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Returns the folder of the extracted application. It is created atomically, because an archive works only with
     * these very files.
     */
    private static Path application(TargetSpec spec, Path own) throws IOException {
        Path app = own.resolve("app");
        if (!Files.isDirectory(app)) {
            Path part = own.resolve("app.part");
            RunFolder.delete(part);
            ClassArchive.extract(spec.jdk(), spec.jar(), part);
            Files.move(part, app, StandardCopyOption.ATOMIC_MOVE);
        }
        return app.resolve(spec.jar().getFileName());
    }

    /**
     * Returns everything that an archive depends on, one item per line. Secret values are represented by their hashes.
     */
    String key(Arm arm, TargetSpec spec) throws IOException {
        return String.join(
                "\n",
                "jar " + arm.sha256(),
                "jdk " + spec.jdk().vm() + ", " + spec.jdk().runtimeVersion() + ", "
                        + spec.jdk().vendor() + ", " + spec.jdk().home(),
                "jvm.options "
                        + Secrets.ofJvm(String.join(" ", spec.jvmOptions().values())),
                "settings " + Sha256.of(spec.settings()),
                "threads " + spec.serving().threads().key(),
                "workloads "
                        + training.workloads().stream()
                                .flatMap(one -> one.parts().stream())
                                .map(one -> one.sending().words() + Secrets.ofPath(one.warmUpPath()))
                                .collect(Collectors.joining(" ")),
                training.kind().key() + " " + training.length() + ", "
                        + training.load().users() + " users, bursts of "
                        + training.load().burst() + ", pauses of "
                        + training.load().pause(),
                "copy " + (arm.role() == Arm.Role.CONTROL ? "control" : "arm"),
                // A JVM rejects an archive if its jars have another path than in the training.
                "folder " + folder,
                "");
    }

    ClassArchive of(Arm arm, int block) {
        List<ClassArchive> archives = byArm.get(arm.id());
        return archives.get(draw(seed, arm.id(), block, archives.size()) - 1);
    }

    /**
     * Returns the archive for a block. Each cycle has as many blocks as there are archives, and uses each of them once,
     * in random order. This depends only on seed, arm and block, so that blocks added later do not change earlier ones.
     *
     * @return number of the archive, from 1
     */
    static int draw(long seed, String arm, int block, int archives) {
        int cycle = (block - 1) / archives;
        List<Integer> order =
                new ArrayList<>(IntStream.rangeClosed(1, archives).boxed().toList());
        Collections.shuffle(order, new Random(seed + STEP * (arm.hashCode() + 31L * cycle)));
        return order.get((block - 1) % archives);
    }
}
