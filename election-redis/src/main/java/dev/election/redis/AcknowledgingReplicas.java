package dev.election.redis;

/**
 * Number of replicas of the primary that must acknowledge a grant or a renewal before it counts for the node that asked. A primary that is
 * cut off from one of them then makes and keeps no leader.
 *
 * @param number how many; 0 for none, {@link #ALL_OF_RECORD} for all
 */
public record AcknowledgingReplicas(int number) {

    private static final int ALL_OF_RECORD = -1;

    /** No replicas: a grant or a renewal counts as soon as the primary has answered. */
    public static final AcknowledgingReplicas NONE = new AcknowledgingReplicas(0);

    /**
     * All replicas: as many as were ever attached when the election was granted or renewed, by the record of the election, and at least
     * one. The number that a primary names at the moment is not enough: one that is cut off names fewer, and at last none.
     */
    public static final AcknowledgingReplicas ALL = new AcknowledgingReplicas(ALL_OF_RECORD);

    /** Refuses numbers that mean nothing. */
    public AcknowledgingReplicas {
        if (number < ALL_OF_RECORD) {
            throw new IllegalArgumentException("The number of replicas can't be negative, but is " + number);
        }
    }

    /**
     * Reads a setting.
     *
     * @param text a number, or {@code all}
     * @throws IllegalArgumentException if it is neither
     */
    public static AcknowledgingReplicas of(String text) {
        if (text.strip().equalsIgnoreCase("all")) {
            return ALL;
        }
        if (!text.strip().matches("\\d{1,4}")) {
            throw new IllegalArgumentException("A number of replicas or 'all' is needed, but it is '" + text + "'");
        }
        return new AcknowledgingReplicas(Integer.parseInt(text.strip()));
    }

    /** Whether none are needed. */
    public boolean isNone() {
        return number == 0;
    }

    /** Whether the record of the election says how many. */
    public boolean isAll() {
        return number == ALL_OF_RECORD;
    }
}
