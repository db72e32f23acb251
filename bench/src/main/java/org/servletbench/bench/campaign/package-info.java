/**
 * Prepares and runs campaigns. It plans arms and loads from a comparison, builds the arms, and measures them in blocks
 * of fresh servers in a seeded random order. Each session warms up and loads its servers, and merges their windows into
 * records of server runs. These records and their store on disk are in {@link org.servletbench.bench.record}.
 */
package org.servletbench.bench.campaign;
