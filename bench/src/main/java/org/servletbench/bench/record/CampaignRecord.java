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
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.servletbench.bench.model.Json;

/**
 * The measurements of all servers of a campaign in one file: {@code campaign.json} and every {@code server-run.json},
 * without threads over time and profiles. Campaigns of several days are pooled from such records, and anybody can
 * recompute the results.
 */
public final class CampaignRecord {

    /** Suffix of the file's name. */
    public static final String END = ".zip";

    private static final int LONGEST = 64 << 20;

    /** Time of all entries. It is constant, so that the same inputs give the same bytes. */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private CampaignRecord() {}

    public static boolean isOne(Path file) {
        return file.toString().endsWith(END) && Files.isRegularFile(file);
    }

    /** @param read a campaign whose texts may all be published */
    public static byte[] of(CampaignFolder read) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            put(zip, CampaignFolder.CAMPAIGN, read.campaign());
            for (ServerRun one : read.serverRuns()) {
                put(zip, read.folder(one) + "/" + CampaignFolder.SERVER_RUN, one.withoutCharts());
            }
        }
        return bytes.toByteArray();
    }

    private static void put(ZipOutputStream zip, String name, Object value) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(Json.MAPPER.writeValueAsBytes(value));
        zip.closeEntry();
    }

    /** @throws IOException if it is not a record, or something in it is damaged; the message is one line for people */
    public static CampaignFolder read(Path file) throws IOException {
        if (Files.size(file) > LONGEST) {
            throw new IOException(file + " is longer than " + LONGEST / 1024 + " KiB");
        }
        try (FileSystem zip = FileSystems.newFileSystem(file)) {
            CampaignFolder read = CampaignFolder.read(zip.getPath("/"));
            if (!read.problems().isEmpty()) {
                throw new IOException(read.problems().get(0));
            }
            return new CampaignFolder(
                    read.campaign(), read.serverRuns(), read.folders(), List.of(), read.times(), Optional.empty());
        } catch (ProviderNotFoundException | IOException e) {
            throw new IOException(file + " is not a record of a campaign: " + e.getMessage(), e);
        }
    }
}
