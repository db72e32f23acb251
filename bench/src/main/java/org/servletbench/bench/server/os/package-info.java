/** Access to the operating system: processes, processors, memory, meters, control groups and scheduler groups. */
package org.servletbench.bench.server.os;
