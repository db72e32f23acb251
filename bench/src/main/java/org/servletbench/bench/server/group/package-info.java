/** What the kernel keeps apart for a server: its memory, and its share of the processors. */
package org.servletbench.bench.server.group;
