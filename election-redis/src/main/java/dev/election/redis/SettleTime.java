package dev.election.redis;

import dev.election.redis.connection.RedisRequests;
import dev.election.store.CampaignRequest;
import java.time.Duration;

/** How long a Redis without a record of an election grants nothing, so that a leader whose record it has lost can renew. */
public enum SettleTime {

    /**
     * As long as a leader needs: to answer a roll call, and where the server was started less than a lease ago also to connect to it
     * again. A leader that notices late that its connection is gone may miss that.
     */
    AS_NEEDED {
        @Override
        Duration running(CampaignRequest request) {
            return request.settle();
        }

        @Override
        Duration restarted(CampaignRequest request) {
            return request.settle().plus(RECONNECT);
        }
    },

    /** A whole lease, after which the lease of every earlier leader has ended. */
    WHOLE_LEASE {
        @Override
        Duration running(CampaignRequest request) {
            return request.lease();
        }

        @Override
        Duration restarted(CampaignRequest request) {
            return request.lease();
        }
    };

    /** How long a server that was just started takes to answer an attempt to connect, with the handshake. */
    private static final Duration ATTEMPT = Duration.ofMillis(200);

    /** For a machine that is busy. */
    private static final Duration MARGIN = Duration.ofMillis(250);

    private static final Duration RECONNECT =
            RedisRequests.longestPause().plus(ATTEMPT).plus(MARGIN);

    /** Where the server has been there for a lease. */
    abstract Duration running(CampaignRequest request);

    /** Where it has not, or does not tell. */
    abstract Duration restarted(CampaignRequest request);
}
