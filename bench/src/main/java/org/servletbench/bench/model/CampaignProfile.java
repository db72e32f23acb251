package org.servletbench.bench.model;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.servletbench.bench.model.Procedure.Assumed;
import org.servletbench.bench.model.Procedure.Division;
import org.servletbench.bench.model.Procedure.GeneratorWarmUp;
import org.servletbench.bench.model.Procedure.Limits;

/**
 * Values of {@code profiles/campaign.properties} and {@code profiles/load.properties} that no comparison can set.
 *
 * @param settings name of the settings set of every server
 * @param rampUp time in which the users of a window arrive
 * @param startTimeout longest time until a server answers
 * @param profileHold duration of each server's CPU profile
 * @param warmUp warm-up of each server, without its limit, which is a key
 * @param generatorWarmUp warm-up of each generator, without its limit, which is a key
 * @param hostWait longest wait for another machine that cannot be reached
 */
public record CampaignProfile(
        String settings,
        Duration rampUp,
        Duration startTimeout,
        Duration profileHold,
        WarmUpPlan warmUp,
        GeneratorWarmUp generatorWarmUp,
        Limits limits,
        Duration hostWait,
        Assumed assumed) {

    /**
     * Binds values by their names in the profiles.
     *
     * @throws UsageException in one line if a value is not understood
     */
    public static CampaignProfile of(Options options) {
        return new CampaignProfile(
                options.required("settings"),
                options.duration("rampup"),
                options.duration("target.start-timeout"),
                options.duration("cpu-profile.hold"),
                WarmUpPlan.of(options, Duration.ZERO),
                new GeneratorWarmUp(
                        Duration.ZERO,
                        options.integer("generator.warmup.users", 1, 10_000),
                        options.duration("generator.warmup.burst"),
                        options.integer("generator.warmup.flat.bursts", 1, 100),
                        options.decimal("warmup.rise.percent", 0, 100)),
                new Limits(
                        options.decimal("generator.busy.percent", 1, 100) / 100,
                        options.decimal("disturbed.percent", 0, 100)),
                options.duration("host.wait"),
                assumed(options));
    }

    private static Assumed assumed(Options options) {
        Map<Division, Assumed.Within> within = new EnumMap<>(Division.class);
        for (Division how : Division.values()) {
            double seconds = options.duration("forecast." + how.key() + ".load").toMillis() / 1e3;
            within.put(how, new Assumed.Within(noise(options, how.key()), seconds));
        }
        return new Assumed(
                noise(options, "between"),
                within,
                noise(options, "startup"),
                noise(options, "peak"),
                noise(options, "capacity"),
                options.duration("forecast.warmup"));
    }

    private static double noise(Options options, String of) {
        return options.decimal("forecast." + of + ".percent", 0.01, 100) / 100;
    }
}
