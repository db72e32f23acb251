package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What an article's own figures can show to be wrong with it. */
public enum FindingKind {
    /** JVM options after {@code -jar FILE} are the program's arguments: the JVM never saw them. */
    OPTIONS_AFTER_JAR,
    /** The text says another value than the tool's output. */
    TWO_VALUES,
    /** One run for each arm: no interval can be given. */
    ONE_RUN,
    /** A column headed percent holds fractions. */
    FRACTION_AS_PERCENT,
    /** A claim is not what the article's own table says. */
    CLAIM_AGAINST_TABLE,
    /** Throughput times mean time, by Little's law the users who were active, is not the number of users. */
    USERS_NOT_REACHED,
    /** Throughput does not grow with the users, over a network. */
    NETWORK_CEILING,
    /** Throughput is about what the generator's pause between requests allows, and no more, whatever the server does. */
    PAUSE_CEILING,
    /** Throughput above what that pause allows, beside rows that follow it: it contradicts the ceiling. */
    ABOVE_PAUSE_CEILING,
    /** The arm with the highest throughput is in none of the claims about throughput. */
    LEADER_NOT_NAMED,
    /** Arms are ranked by less than what two runs of the same arm differ by. */
    GAP_TOO_SMALL,
    /** A server serves so many requests at once and no more, so that a waiting handler sets its throughput, not the container. */
    CONCURRENCY_LIMIT;

    @JsonValue
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return key();
    }
}
