/**
 * Other machines, reached over the user's own {@code ssh}, which need only a JDK and sshd. A JVM of servlet-bench runs
 * there while its connection lives, does the jobs that it receives, and ends everything that it started when the
 * connection ends.
 */
package org.servletbench.bench.host;
