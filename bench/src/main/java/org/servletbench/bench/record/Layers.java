package org.servletbench.bench.record;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;

/**
 * Maps the stacks of a profile to layers, according to {@code profiles/layers.txt}. A line of that file has a prefix of
 * a frame, which is a Java class with slashes or a native symbol, and the name of a layer. The layer of a stack is that
 * of the frame nearest to its leaf that has a line. If several lines match a frame, the first one counts.
 */
public record Layers(List<Line> lines) {

    /** Layer of the user's own code, by the package of {@code Start-Class}. */
    public static final String OWN = "your code";

    static final String OTHER = "other";

    private static final String FILE = "layers.txt";

    /** A package has at least two parts. A single word is a layer's name. */
    private static final Pattern PACKAGE = Pattern.compile("[a-zA-Z_]\\w*(\\.[a-zA-Z_]\\w*)+");

    /** One line of the file. */
    public record Line(String prefix, String layer) {}

    /** @throws UsageException if a line is not understood */
    public static Layers read(Path profiles) {
        List<Line> lines = new ArrayList<>();
        for (String line : ProfilesFolder.texts(profiles.resolve(FILE))) {
            String[] parts = line.split("\\s+", 2);
            if (parts.length < 2) {
                throw new UsageException("'" + line + "' in " + profiles.resolve(FILE)
                        + ": give a prefix, a blank, and the layer's name");
            }
            lines.add(new Line(parts[0], parts[1]));
        }
        return new Layers(List.copyOf(lines));
    }

    /**
     * Returns these layers and one for each name that is a Java package, such as {@code com.acme}; other names are
     * layers already. Code that is in several of these packages, or in one of them and the user's own, belongs to the
     * longest one.
     */
    public Layers withPackages(List<String> names) {
        Map<Boolean, List<Line>> own =
                lines.stream().collect(Collectors.partitioningBy(line -> line.layer.equals(OWN)));
        Stream<Line> packages = Stream.concat(
                        names.stream()
                                .filter(name -> PACKAGE.matcher(name).matches())
                                .map(name -> new Line(name.replace('.', '/') + "/", name)),
                        own.get(true).stream())
                .sorted(Comparator.comparingInt((Line line) -> -line.prefix.length()));
        return new Layers(Stream.concat(packages, own.get(false).stream()).toList());
    }

    /** True if a profile can have a layer with this name. */
    public boolean canHave(String name) {
        return name.equals(OWN)
                || PACKAGE.matcher(name).matches()
                || lines.stream().anyMatch(line -> line.layer.equals(name));
    }

    /**
     * Returns these layers and one for the user's service, whose classes are in this package.
     *
     * @param ownPackage package of the service; empty if there is none
     */
    public Layers withOwn(String ownPackage) {
        return ownPackage.isEmpty()
                ? this
                : new Layers(Stream.concat(Stream.of(new Line(ownPackage.replace('.', '/') + "/", OWN)), lines.stream())
                        .toList());
    }

    /** @param frames frames from the root to the leaf */
    String of(String[] frames) {
        for (int i = frames.length - 1; i >= 0; i--) {
            String frame = frames[i];
            for (Line line : lines) {
                if (frame.startsWith(line.prefix)) {
                    return line.layer;
                }
            }
        }
        return OTHER;
    }
}
