package dev.election.redis;

import java.util.Locale;

/** The scripts of the protocol that carry out one request for one election, or for one member. */
enum ProtocolScript implements BatchedScript {
    CAMPAIGN,
    RENEW,
    RELEASE,
    EVICT,
    READ,
    BEAT,
    LEAVE;

    /** Number of renewals that take as long as a campaign, a release or a beat. */
    static final double RENEWALS_FOR_ANOTHER = 2.5;

    /** The name of the file, and of the function in together.lua. */
    @Override
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether every node runs it for all its elections, many of them at the same time. */
    boolean isBatched() {
        return this == CAMPAIGN || this == RENEW || this == RELEASE || this == BEAT;
    }

    /** Whether it has the keys of the members in place of those of an election. */
    boolean isOfMembers() {
        return this == BEAT || this == LEAVE;
    }

    @Override
    public boolean isGranting() {
        return this == CAMPAIGN || this == RENEW;
    }

    @Override
    public double renewals() {
        return this == RENEW ? 1 : RENEWALS_FOR_ANOTHER;
    }
}
