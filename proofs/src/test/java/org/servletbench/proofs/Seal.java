package org.servletbench.proofs;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.model.Sha256;

/**
 * Secret choice of the {@code blind} campaigns that have an effect. It is drawn before the first campaign, and sealed:
 * anyone who has seen the hash can check afterwards that nothing was changed.
 *
 * @param hash SHA-256 of {@link #text()} in UTF-8, in hexadecimal
 * @param nonce 32 random bytes in hexadecimal, without which the few possible assignments could be tried out
 * @param ownNanos CPU time of a request as calibrated before, ns
 * @param burnNanos CPU time that the effect burns, ns per request
 * @param effects for each campaign, true if it has the effect
 */
record Seal(String hash, String nonce, long ownNanos, long burnNanos, List<Boolean> effects) {

    /** Draws an assignment, with one coin toss per campaign. */
    static Seal draw(int campaigns, long ownNanos, long burnNanos, SecureRandom random) {
        byte[] nonce = new byte[32];
        random.nextBytes(nonce);
        List<Boolean> effects = IntStream.range(0, campaigns)
                .mapToObj(i -> random.nextBoolean())
                .toList();
        Seal open = new Seal("", HexFormat.of().formatHex(nonce), ownNanos, burnNanos, effects);
        return new Seal(Sha256.of(open.text()), open.nonce, ownNanos, burnNanos, effects);
    }

    /** Returns the text that is hashed: {@code 0,5,5 burn=2300ns own=46000ns nonce=…}; 5 stands for the effect. */
    String text() {
        return effects.stream().map(effect -> effect ? "5" : "0").collect(Collectors.joining(",")) + " burn="
                + burnNanos + "ns own=" + ownNanos + "ns nonce=" + nonce;
    }

    @JsonIgnore
    boolean isWhole() {
        return Sha256.of(text()).equals(hash);
    }
}
