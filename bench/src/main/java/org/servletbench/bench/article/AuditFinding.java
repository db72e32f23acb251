package org.servletbench.bench.article;

/**
 * What an article's own figures show, computed.
 *
 * @param text the figures it follows from, one line
 */
public record AuditFinding(FindingKind kind, String text) {}
