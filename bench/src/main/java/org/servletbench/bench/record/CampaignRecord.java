package org.servletbench.bench.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.servletbench.bench.model.Json;

/**
 * The measurements of all servers of a campaign in one file: {@code campaign.json} and every {@code server-run.json},
 * without threads over time and profiles. Campaigns of several days are pooled from such records, and anybody can
 * recompute the results.
 *
 * <p>It is a zip with one entry, a zip of the files that is not compressed: the files are alike, and compressed together
 * they take half the space that they take one by one.
 */
public final class CampaignRecord {

    /** Suffix of the file's name. */
    public static final String END = ".zip";

    private static final String FILES = "campaign.zip";
    private static final int LONGEST = 64 << 20;

    /** Time of all entries. It is constant, so that the same inputs give the same bytes. */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private CampaignRecord() {}

    public static boolean isOne(Path file) {
        return file.toString().endsWith(END) && Files.isRegularFile(file);
    }

    /** @param read a campaign as it is {@linkplain CampaignFolder#published published} */
    public static byte[] of(CampaignFolder read) throws IOException {
        ByteArrayOutputStream files = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(files)) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            put(zip, CampaignFolder.CAMPAIGN, read.campaign());
            for (ServerRun one : read.serverRuns()) {
                put(zip, read.folder(one) + "/" + CampaignFolder.SERVER_RUN, one.withoutCharts());
            }
        }
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(record)) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            put(zip, FILES, files.toByteArray());
        }
        return record.toByteArray();
    }

    private static void put(ZipOutputStream zip, String name, Object value) throws IOException {
        put(zip, name, Json.MAPPER.writeValueAsBytes(value));
    }

    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    /** @throws IOException if it is not a record, or something in it is damaged; the message is one line for people */
    public static CampaignFolder read(Path file) throws IOException {
        requireShort(file);
        try (FileSystem record = FileSystems.newFileSystem(file)) {
            Path inner = record.getPath(FILES);
            if (Files.notExists(inner)) {
                throw new IOException("there is no " + FILES + " in it");
            }
            requireShort(inner);
            try (FileSystem files = FileSystems.newFileSystem(inner)) {
                CampaignFolder read = CampaignFolder.read(files.getPath("/"));
                if (!read.problems().isEmpty()) {
                    throw new IOException(read.problems().get(0));
                }
                return new CampaignFolder(
                        read.campaign(), read.serverRuns(), read.folders(), List.of(), read.times(), Optional.empty());
            }
        } catch (ProviderNotFoundException | IOException e) {
            throw new IOException(file + " is not a record of a campaign: " + e.getMessage(), e);
        }
    }

    private static void requireShort(Path file) throws IOException {
        if (Files.size(file) > LONGEST) {
            throw new IOException(file + " is longer than " + LONGEST / 1024 + " KiB");
        }
    }
}
