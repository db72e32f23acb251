package org.servletbench.bench.article;

/**
 * What somebody found who read the article; {@link ArticleAudit} must find the same.
 *
 * @param finding its kind
 * @param claim the claim that it is about; empty for none
 * @param says in words
 */
public record AuditNote(FindingKind finding, String claim, String says) {}
