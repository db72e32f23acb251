/**
 * Reads the {@code profiles/} folder, the only place where containers, settings, JVM options, workloads and tiers stand,
 * and checks what the user asked for against it. Imports nothing of the rig.
 */
package org.servletbench.bench.model;
