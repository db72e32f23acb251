package org.servletbench.bench.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.Json;

/**
 * Counts in the generators' own reports: the table in Gatling's {@code index.html} (since 3.13.5, there is no file with
 * figures), and the {@code statistics.json} of JMeter's dashboard. Other figures are ignored.
 */
public final class NativeReport {
    private static final long LONGEST = 32 << 20;

    private static final Pattern ROW =
            Pattern.compile("<tr id=\"([^\"]+)\" data-parent=\"([^\"]*)\">(.*?)</tr>", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("class=\"ellipsed-name\">([^<]*)</span>");
    private static final Pattern TOTAL = Pattern.compile("col-2\">([0-9]{1,18})</td>");
    private static final Pattern FAILED = Pattern.compile("col-4\">([0-9]{1,18})</td>");
    private static final Pattern ENTITY = Pattern.compile("&(#?)([0-9A-Za-z]{1,8});");

    private static final Map<String, String> MARKUP =
            Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");

    /** HTML's names of the characters from U+00A0 to U+00FF, which Gatling uses in names. */
    private static final List<String> LATIN =
            List.of(("nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo"
                            + " not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14"
                            + " frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc"
                            + " Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave"
                            + " Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave"
                            + " eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide"
                            + " oslash ugrave uacute ucirc uuml yacute thorn yuml")
                    .split(" "));

    /** Number of requests, including failed ones, and number of failures. */
    public record NativeCount(long count, long errors) {}

    private NativeReport() {}

    /** Reads the counts by request name. */
    public static Map<String, NativeCount> read(Path report) throws IOException {
        if (Files.size(report) > LONGEST) {
            throw new UnreadableLogException(report + ": too long for a report");
        }
        Map<String, NativeCount> counts =
                report.toString().endsWith(".json") ? jmeter(report) : gatling(Files.readString(report));
        if (counts.isEmpty()) {
            throw new UnreadableLogException(report + ": neither Gatling's index.html nor JMeter's statistics.json");
        }
        return counts;
    }

    private static Map<String, NativeCount> gatling(String html) {
        Map<String, NativeCount> counts = new HashMap<>();
        Map<String, String> paths = new HashMap<>();
        paths.put("ROOT", "");
        Matcher row = ROW.matcher(html);
        while (row.find()) {
            Matcher name = NAME.matcher(row.group(3));
            Matcher total = TOTAL.matcher(row.group(3));
            Matcher failed = FAILED.matcher(row.group(3));
            if (!row.group(1).equals("ROOT") && name.find() && total.find() && failed.find()) {
                String path = paths.getOrDefault(row.group(2), "") + plain(name.group(1));
                if (row.group(1).startsWith("group_")) {
                    paths.put(row.group(1), path + " / ");
                } else {
                    counts.put(path, new NativeCount(Long.parseLong(total.group(1)), Long.parseLong(failed.group(1))));
                }
            }
        }
        return counts;
    }

    private static String plain(String html) {
        return ENTITY.matcher(html)
                .replaceAll(entity -> Matcher.quoteReplacement(
                        character(entity.group(1), entity.group(2)).orElse(entity.group())));
    }

    private static Optional<String> character(String hash, String entity) {
        if (!hash.isEmpty()) {
            boolean hexadecimal = entity.startsWith("x");
            try {
                return Optional.of(Character.toString(
                        Integer.parseInt(hexadecimal ? entity.substring(1) : entity, hexadecimal ? 16 : 10)));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        int latin = LATIN.indexOf(entity);
        return Optional.ofNullable(latin < 0 ? MARKUP.get(entity) : Character.toString(0xA0 + latin));
    }

    private static Map<String, NativeCount> jmeter(Path report) throws IOException {
        Map<String, NativeCount> counts = new HashMap<>();
        try {
            Json.MAPPER.readTree(report.toFile()).properties().forEach(row -> {
                JsonNode count = row.getValue().path("sampleCount");
                JsonNode errors = row.getValue().path("errorCount");
                if (count.isNumber() && errors.isNumber() && !row.getKey().equals("Total")) {
                    counts.put(row.getKey(), new NativeCount(count.longValue(), errors.longValue()));
                }
            });
        } catch (JsonProcessingException e) {
            throw new UnreadableLogException(report + ": not the statistics.json of a JMeter dashboard");
        }
        return counts;
    }
}
