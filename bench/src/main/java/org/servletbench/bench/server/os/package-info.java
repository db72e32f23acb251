/** Operating-system access: processes, processors, memory, meters, control groups and scheduler groups. */
package org.servletbench.bench.server.os;
