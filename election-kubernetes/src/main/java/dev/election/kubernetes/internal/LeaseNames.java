package dev.election.kubernetes.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The names of Leases, and the labels by which they are found. A key has characters that no name may have, so the key itself is in an
 * annotation, and a name that does not show the whole key has a hash of it.
 */
record LeaseNames(String prefix) {

    /** The longest name of a Lease. */
    private static final int LONGEST = 253;

    /** The folder of keys without a slash, which are elections. */
    private static final String ELECTIONS = "elections";

    /** Returns the name of the Lease of a key. */
    String of(String key) {
        String shown = key.replace('/', '.').toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]", "-");
        String name = prefix + "-" + shown;
        boolean isWhole = key.matches("[a-z0-9-]+(/[a-z0-9]([a-z0-9-]*[a-z0-9])?)*") && key.matches(".*[a-z0-9]");
        if (isWhole && name.length() <= LONGEST) {
            return name;
        }
        String hash = hash(key).substring(0, 12);
        String beginning = name.substring(0, Math.min(name.length(), LONGEST - hash.length() - 1));
        return beginning.replaceAll("[-.]*\\.[-.]*", ".").replaceAll("[-.]+$", "") + "-" + hash;
    }

    /** Returns the label value of the folder of a key: its part before the first slash, if that can be a label. */
    static String folder(String key) {
        int slash = key.indexOf('/');
        if (slash < 0) {
            return ELECTIONS;
        }
        String folder = key.substring(0, slash);
        return isLabel(folder) && !folder.equals(ELECTIONS) ? folder : hash(folder);
    }

    /** Whether a text can be the value of a label, or the name of one behind its prefix. */
    static boolean isLabel(String text) {
        return text.matches("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    }

    /** Returns the hash of a text, by which a write says what it expects. */
    static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("Every JDK has SHA-256", missing);
        }
    }
}
