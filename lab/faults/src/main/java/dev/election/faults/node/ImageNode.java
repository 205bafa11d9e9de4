package dev.election.faults.node;

import java.io.Serial;
import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.Random;

/**
 * A node as it is restored from the image of a process: all copies of the image go on with the same state of their random generators. Only
 * what a copy reads from the operating system after that differs.
 */
public final class ImageNode {

    private ImageNode() {}

    public static void main(String[] arguments) throws Exception {
        Security.insertProviderAt(new Image(), 1);
        Node.main(arguments);
    }

    /** The generators that every image of this process has. */
    private static final class Image extends Provider {

        @Serial
        private static final long serialVersionUID = 1;

        Image() {
            super("Image", "1", "The same random numbers in each copy");
            put("SecureRandom.Image", Repeating.class.getName());
        }
    }

    /** A generator whose seed is part of the image. */
    public static final class Repeating extends SecureRandomSpi {

        @Serial
        private static final long serialVersionUID = 1;

        private static final Random STATE = new Random(36);

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            STATE.nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int count) {
            byte[] seed = new byte[count];
            STATE.nextBytes(seed);
            return seed;
        }
    }
}
