package org.servletbench.bench.published;

/**
 * What an article claims.
 *
 * @param id unique in its article
 * @param says in words
 * @param statement so that it can be tested
 */
public record Claim(String id, String says, Statement statement) {}
