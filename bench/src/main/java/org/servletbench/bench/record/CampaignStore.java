package org.servletbench.bench.record;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.servletbench.bench.target.TargetException;

/** Where a campaign's files lie, and how they are written: whole or not at all. */
public final class CampaignStore {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path folder;

    /** @param folder of the campaign; it exists */
    public CampaignStore(Path folder) {
        this.folder = folder;
    }

    /** The campaign's folder. */
    public Path folder() {
        return folder;
    }

    /** Whether there is a campaign in the folder. */
    public boolean exists() {
        return Files.exists(folder.resolve("campaign.json"));
    }

    /** The folder of one invocation: {@code blocks/1/2-jetty}; of a second attempt {@code blocks/1/2-jetty-attempt2}. */
    public Path invocation(int block, int position, String arm, int attempt) {
        String name = position + "-" + arm + (attempt == 1 ? "" : "-attempt" + attempt);
        return block(block).resolve(name);
    }

    /** The folder of one block. */
    public Path block(int block) {
        return folder.resolve("blocks").resolve(Integer.toString(block));
    }

    /**
     * Writes {@code campaign.json}.
     *
     * @throws TargetException if it cannot be written
     */
    public void write(Campaign campaign) {
        write(folder.resolve("campaign.json"), campaign);
    }

    /**
     * Writes {@code invocation.json} into its folder.
     *
     * @throws TargetException if it cannot be written, or is there already
     */
    public void write(Invocation invocation, Path place) {
        Path file = place.resolve("invocation.json");
        if (Files.exists(file)) {
            throw new TargetException(file + " is there already: what was measured is never overwritten");
        }
        write(file, invocation);
    }

    /** First beside it, onto the disk, then in its place in one step: whatever happens, there is no half a file. */
    private static void write(Path file, Object value) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.createDirectories(file.getParent());
            JSON.writeValue(next.toFile(), value);
            try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new TargetException("cannot write " + file + " (" + e.getMessage() + "); is the disk full?");
        }
    }
}
