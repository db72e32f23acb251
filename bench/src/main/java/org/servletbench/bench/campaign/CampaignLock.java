package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.servletbench.bench.model.TargetException;

/**
 * Allows one campaign on a machine at a time, because two would disturb each other. The system releases the lock when a
 * process ends.
 */
public final class CampaignLock implements AutoCloseable {

    private static final Path FILE = Path.of(System.getProperty("java.io.tmpdir"), "servlet-bench.lock");
    /** Position of the locked byte, far behind the text, so that other processes can read who holds the lock. */
    private static final long LOCKED_BYTE = 1L << 20;

    private static final String OF_FOLDER = "campaign.lock";

    private final FileChannel channel;

    private CampaignLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @param folder folder of the campaign, for the message in another process
     * @throws TargetException if another campaign holds the lock
     */
    public static CampaignLock take(Path folder) {
        FileChannel channel = null;
        try {
            channel = open();
            FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
            if (lock == null) {
                throw taken(channel);
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(
                    ("process " + ProcessHandle.current().pid() + ", " + folder).getBytes(StandardCharsets.UTF_8)));
            return new CampaignLock(channel);
        } catch (OverlappingFileLockException e) {
            throw taken(channel);
        } catch (AccessDeniedException e) {
            throw new TargetException(
                    "cannot lock " + FILE + ": permission denied; let its owner delete it when no campaign runs");
        } catch (IOException e) {
            throw new TargetException("cannot lock " + FILE + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Locks a campaign's own folder. This works even if two processes have different temporary folders.
     *
     * @param folder existing folder
     * @throws TargetException if another process is resuming this campaign
     */
    public static CampaignLock ofFolder(Path folder) {
        Path file = folder.resolve(OF_FOLDER);
        try {
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS));
            if (channel.tryLock() == null) {
                channel.close();
                throw inUse(folder);
            }
            return new CampaignLock(channel);
        } catch (OverlappingFileLockException e) {
            throw inUse(folder);
        } catch (IOException e) {
            throw new TargetException("cannot lock " + file + " (" + e.getMessage() + "): if it is a link, delete it");
        }
    }

    private static TargetException inUse(Path folder) {
        return new TargetException("another process measures the campaign " + folder + ": wait for it, or stop it");
    }

    /**
     * Opens the file for all users of the machine. It first tries this without creating the file, because a kernel may
     * forbid O_CREAT on another user's file in a shared folder.
     */
    private static FileChannel open() throws IOException {
        if (!Files.exists(FILE, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createFile(FILE);
                Files.setPosixFilePermissions(FILE, PosixFilePermissions.fromString("rw-rw-rw-"));
            } catch (FileAlreadyExistsException e) {
                // Another process has just created it.
            }
        }
        if (!Files.isRegularFile(FILE, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("it is a link or no file: delete it");
        }
        return FileChannel.open(
                FILE, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    private static TargetException taken(FileChannel channel) {
        String holder = "unknown";
        try {
            ByteBuffer text = ByteBuffer.allocate(4096);
            channel.read(text, 0);
            holder = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
            channel.close();
        } catch (IOException e) {
            // The message does not need it.
        }
        return new TargetException("another campaign runs on this machine (" + holder
                + "): two at once would disturb each other; wait for it, or stop it");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock ends with the process at the latest.
        }
    }
}
