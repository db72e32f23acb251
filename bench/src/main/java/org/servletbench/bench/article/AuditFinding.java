package org.servletbench.bench.article;

/**
 * What an article's own figures show, computed.
 *
 * @param claim the claim that it is about; empty for none
 * @param text the figures it follows from, one line
 */
public record AuditFinding(FindingKind kind, String claim, String text) {}
