/** What the kernel tells and does: processes, processors, meters, control groups and scheduler groups. */
package org.servletbench.bench.server.os;
