package org.servletbench.proofs;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.model.Sha256;

/**
 * The secret choice of campaigns of {@code blind} that have an effect, drawn before the first and sealed: anyone who knows the hash
 * beforehand can check afterwards that nothing was changed.
 *
 * @param hash SHA-256 of {@link #text()} in UTF-8, in hexadecimal
 * @param nonce 32 random bytes in hexadecimal: without them the few possible assignments could be tried out
 * @param ownNanos CPU time of a request as measured before, ns
 * @param burnNanos CPU time that the effect burns, ns per request
 * @param effects for each campaign, true if it has the effect
 */
record Seal(String hash, String nonce, long ownNanos, long burnNanos, List<Boolean> effects) {

    /** Draws an assignment, each campaign by a separate coin. */
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
