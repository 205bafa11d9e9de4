package dev.election.support;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Draws random ids that no other process draws, nor another copy of this one. Each is read from the operating system: the state of a
 * generator is part of a process image, and every process that is started from that image (CRaC, SnapStart) would draw the same ids.
 * {@link SecureRandom#nextBytes} has such a state, a buffer at least.
 */
public final class RandomId {

    private static final SecureRandom SYSTEM = system();

    private RandomId() {}

    /** Returns so many random bytes as hexadecimal digits. */
    public static String ofBytes(int length) {
        return HexFormat.of().formatHex(SYSTEM.generateSeed(length));
    }

    /** The seeds of the default generator may come from {@code /dev/random}, which blocks on old kernels. */
    private static SecureRandom system() {
        try {
            return SecureRandom.getInstance("NativePRNGNonBlocking");
        } catch (NoSuchAlgorithmException onWindows) {
            return new SecureRandom();
        }
    }
}
