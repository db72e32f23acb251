/** Separate programs: wrk, ab and siege. Each window runs as a process, and each program measures its own figures. */
package org.servletbench.bench.load.tool;
