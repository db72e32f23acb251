package org.servletbench.bench.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.TargetException;

/** Paths of a campaign's files, and methods to write them completely or not at all. */
public record CampaignStore(Path folder) {

    public boolean exists() {
        return Files.exists(folder.resolve("campaign.json"));
    }

    /**
     * Returns the folder of one server run: {@code blocks/1/2-jetty}; for a second attempt
     * {@code blocks/1/2-jetty-attempt2}.
     */
    public Path serverRun(int block, int position, String arm, int attempt) {
        String name = position + "-" + arm + (attempt == 1 ? "" : "-attempt" + attempt);
        return SafeFiles.below(block(block), name);
    }

    public Path block(int block) {
        return folder.resolve("blocks").resolve(Integer.toString(block));
    }

    /**
     * Creates a folder below the campaign's, including parents.
     *
     * @throws TargetException if one of them is a link or not a folder, or cannot be created
     */
    public Path make(Path below) {
        try {
            return SafeFiles.folder(folder, below);
        } catch (IOException e) {
            throw new TargetException("cannot make the folder " + below + " (" + e.getMessage() + ")");
        }
    }

    /** Writes {@code campaign.json}. Throws a TargetException if it cannot be written. */
    public void write(Campaign campaign) {
        write(
                folder.resolve("campaign.json"),
                campaign.showsValues() ? campaign : Secrets.each(new Secrets().hidden(campaign), Secrets::scrubbed));
    }

    /**
     * Writes {@code server-run.json} into its folder. Throws a TargetException if it cannot be written, or already
     * exists.
     */
    public void write(ServerRun serverRun, Path place) {
        Path file = make(place).resolve("server-run.json");
        if (Files.exists(file)) {
            throw new TargetException(file + " already exists: what was measured is never overwritten");
        }
        write(file, Secrets.each(new Secrets().hidden(serverRun), Secrets::scrubbed));
    }

    private static void write(Path file, Object value) {
        try {
            Json.write(file, value);
        } catch (IOException e) {
            throw new TargetException("cannot write " + file + " (" + e.getMessage() + "); is the disk full?");
        }
    }
}
