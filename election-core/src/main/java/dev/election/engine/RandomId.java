package dev.election.engine;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Ids that nobody else draws. */
final class RandomId {

    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomId() {}

    /** That many random bytes as hexadecimal digits. */
    static String ofBytes(int length) {
        byte[] drawn = new byte[length];
        RANDOM.nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }
}
