package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.LocalJar;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.Time;

/** Forms of a key's value. */
enum Form {
    /** The form follows from the type of the component. */
    OF_TYPE("", ""),
    TEXT("a text", ".+"),
    TIME("a time with its unit, such as 10s, 500ms or 2m", "\\d{1,9}(ms|s|m|h)"),
    PAUSE("a pause, such as 20ms, exponential 20ms or up to 1s", Pause.FORM),
    SIZE("a size, such as 512m or 2g", "[1-9]\\d{0,5}[mMgG]"),
    CPUS("processors, such as 500m or 1.5, 10m or more", Cpus.FORM),
    SHARE("a share, such as 3%", "\\d{1,3}(\\.\\d{1,12})?%?|\\.\\d{1,12}%?"),
    SHARES("a share, such as 3%, or a mapping of metrics to shares", "\\d{1,3}(\\.\\d{1,12})?%?|\\.\\d{1,12}%?"),
    COUNT("a whole number", "\\d{1,9}"),
    NUMBER("a number", "\\d{1,9}(\\.\\d{1,12})?"),
    SEED("a whole number", "-?\\d{1,18}"),
    FLAG("true or false", "true|false"),
    LENGTH("a number of bytes, or LOW..HIGH", "\\d{1,9}(\\.\\.\\d{1,9})?"),
    GZIP("gzip", "gzip"),
    METHOD("GET, POST, PUT, PATCH or DELETE", "GET|POST|PUT|PATCH|DELETE"),
    STATUS("a status, such as 201", "[2-5]\\d\\d"),
    BODY("a text", "(?s).+"),
    PATH("a path that starts with /", "/.*"),
    THREADS("platform or virtual", "platform|virtual"),
    PROTOCOL("http, https or h2", "http|https|h2"),
    ARCHIVE("none, cds or aot", "none|cds|aot"),
    ADDITION("opentelemetry-starter or micrometer-tracing", "opentelemetry-starter|micrometer-tracing"),
    NAMES("names, as a list", ".+"),
    COUNTS("whole numbers, as a list", "[1-9]\\d{0,8}"),
    RATES("requests/s, as a list", "\\d{1,9}(\\.\\d{1,9})?"),
    OPTIONS("options, as a list", "-\\S+.*"),
    WORDS("words, as a list in brackets", "[^\\p{Cntrl}]+"),
    COORDINATES("group:artifact:version, or group:artifact", LocalJar.FORM),
    HEADERS("a mapping of headers to texts", ""),
    TEXTS("a mapping of names to texts", ""),
    PROPERTIES("a mapping of properties, or the name of a settings set", ""),
    MAPPING("a mapping", ""),
    LIST("a list", "");

    final String words;
    private final Pattern pattern;

    Form(String words, String pattern) {
        this.words = words;
        this.pattern = Pattern.compile(pattern);
    }

    private static final Map<Type, Form> OF_TYPES = Map.ofEntries(
            Map.entry(String.class, TEXT),
            Map.entry(Time.class, TIME),
            Map.entry(Pause.class, PAUSE),
            Map.entry(Size.class, SIZE),
            Map.entry(Cpus.class, CPUS),
            Map.entry(Share.class, SHARE),
            Map.entry(MetricShares.class, SHARES),
            Map.entry(Integer.class, COUNT),
            Map.entry(Double.class, NUMBER),
            Map.entry(Boolean.class, FLAG),
            Map.entry(Threads.class, THREADS),
            Map.entry(Protocol.class, PROTOCOL));

    private static final Map<Type, Form> OF_LISTS =
            Map.of(String.class, NAMES, Integer.class, COUNTS, Double.class, RATES);

    /** Returns the form of values of a type. Records and maps are mappings. */
    static Form of(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return OF_LISTS.getOrDefault(list.getActualTypeArguments()[0], LIST);
        }
        return OF_TYPES.getOrDefault(type, MAPPING);
    }

    /** True for a list of scalars, which may also be one text with commas. */
    boolean isOfTexts() {
        return List.of(NAMES, COUNTS, RATES, OPTIONS).contains(this);
    }

    boolean accepts(JsonNode value) {
        return switch (this) {
            case MAPPING -> value.isObject();
            case LIST -> value.isArray();
            case SHARES -> fits(value) || value.isObject() && !value.isEmpty() && allFit(value);
            case HEADERS, TEXTS, PROPERTIES -> value.isObject() && all(value);
            case WORDS -> value.isArray() && !value.isEmpty() && allFit(value);
            default -> isOfTexts() ? value.isArray() && !value.isEmpty() && all(value) : fits(value);
        };
    }

    private boolean all(JsonNode values) {
        for (JsonNode one : values) {
            boolean fits = isOfTexts() ? fits(one) : one.isTextual();
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private boolean allFit(JsonNode values) {
        for (JsonNode one : values) {
            if (!fits(one)) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(JsonNode value) {
        return value.isTextual() && pattern.matcher(value.textValue()).matches();
    }
}
