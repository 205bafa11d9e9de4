package dev.election.redis;

import java.util.Locale;

/** The scripts of the protocol that carry out one request for one election. */
enum ProtocolScript {
    CAMPAIGN,
    RENEW,
    RELEASE,
    EVICT,
    READ;

    /** As many renewals take as long as a campaign or a release. */
    static final double RENEWALS_FOR_ANOTHER = 2.5;

    /** The name of its text, and of the function that several elections share. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether every node runs it for all its elections, many of them at the same time. */
    boolean isBatched() {
        return this == CAMPAIGN || this == RENEW || this == RELEASE;
    }

    /** Whether its success makes or keeps a leader. */
    boolean isGranting() {
        return this == CAMPAIGN || this == RENEW;
    }

    /** As how many renewals it takes. */
    double renewals() {
        return this == RENEW ? 1 : RENEWALS_FOR_ANOTHER;
    }
}
