/**
 * Published comparisons as data: what each measured, what it claims as statements that a program can test, how it is run
 * again, and an audit of its own figures. One file per article in {@code published/}.
 */
package org.servletbench.bench.article;
