package org.servletbench.bench.article;

/**
 * What an article claims.
 *
 * @param id unique in its article
 * @param says in words
 * @param original the phrase that it rests on, in the article's language, or where it stands if it is no phrase
 * @param reading how a fair reader takes it; the statement's numbers follow from it
 * @param statement so that it can be tested
 */
public record Claim(String id, String says, String original, String reading, Statement statement) {}
