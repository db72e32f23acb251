package org.servletbench.bench.article;

/**
 * One request kind of an article.
 *
 * @param path as published
 * @param response what came back, in words
 */
public record PublishedWorkload(String path, String response) {}
