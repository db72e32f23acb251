package org.servletbench.bench.reproduce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.model.UsageException;

/** Finds the reproduction that {@code reproduce --resume} goes on with. */
public final class Unfinished {

    private Unfinished() {}

    /**
     * A reproduction in its folder.
     *
     * @param folder its absolute path
     * @param read what is there
     */
    public record Found(Path folder, Reproduction read) {

        /** What it began with. */
        public Wanted began() {
            return Wanted.of(read.header());
        }
    }

    /**
     * The one that was named.
     *
     * @param ids articles that were named beside it: none, or its own
     * @param others options that were given beside it, which it would contradict; none are allowed
     * @throws UsageException if it is none, or not the article's, or other options were given
     */
    public static Found in(Path folder, List<String> ids, Map<String, ?> others, ArticleReader articles) {
        requireAlone(ids, others);
        Path place = folder.toAbsolutePath().normalize();
        Reproduction read;
        try {
            read = Reproduction.read(place, articles);
        } catch (IOException e) {
            throw new UsageException("--resume " + folder + ": " + e.getMessage());
        }
        String article = read.header().article();
        if (!ids.isEmpty() && !ids.get(0).equals(article)) {
            throw new UsageException(
                    "--resume " + folder + " is a reproduction of " + article + ", not of " + ids.get(0));
        }
        return new Found(place, read);
    }

    /**
     * The newest one of an article that is not complete.
     *
     * @param base holds reproductions
     * @param ids one article
     * @param others options that were given beside it; none are allowed
     * @throws UsageException if there is none, or other options were given
     */
    public static Found newest(Path base, List<String> ids, Map<String, ?> others, ArticleReader articles) {
        requireAlone(ids, others);
        if (ids.isEmpty()) {
            throw new UsageException("--resume: name the article, or the folder of its reproduction");
        }
        try {
            return Reproduction.folders(base).stream()
                    .flatMap(one -> readable(one, articles))
                    .filter(one -> one.read.header().article().equals(ids.get(0)) && !one.read.isComplete())
                    .max(Comparator.comparing(one -> one.read.header().created()))
                    .orElseThrow(() -> new UsageException(
                            "--resume: there is no unfinished reproduction of " + ids.get(0) + " in " + base));
        } catch (IOException e) {
            throw new UsageException("--resume: cannot read " + base + " (" + e.getMessage() + ")");
        }
    }

    private static Stream<Found> readable(Path folder, ArticleReader articles) {
        try {
            return Stream.of(new Found(folder.toAbsolutePath().normalize(), Reproduction.read(folder, articles)));
        } catch (IOException | UsageException e) {
            // A damaged folder is not gone on with, and does not keep others from it.
            return Stream.empty();
        }
    }

    private static void requireAlone(List<String> ids, Map<String, ?> others) {
        if (ids.size() > 1) {
            throw new UsageException("--resume goes on with one reproduction: name one article, not " + ids.size());
        }
        others.keySet().stream().findFirst().ifPresent(name -> {
            throw new UsageException(
                    "--resume takes the plan from the reproduction: only --limit may be given with it, not --" + name);
        });
    }
}
