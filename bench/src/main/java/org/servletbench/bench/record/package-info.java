/**
 * A campaign on disk ({@code campaign.json}, {@code server-run.json} and the record that packs them into one file), and
 * its analysis: usable results, verdicts, claims, warmth, profiles and forecasts.
 */
package org.servletbench.bench.record;
