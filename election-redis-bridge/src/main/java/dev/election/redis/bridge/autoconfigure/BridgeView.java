package dev.election.redis.bridge.autoconfigure;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.redis.bridge.Bridge;
import dev.election.redis.bridge.BridgeStatus;
import dev.election.support.ReadableDuration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The old scheduler, as this node last saw it.
 *
 * @param election the election that replaces it
 * @param state who holds the old key, in one sentence
 * @param master the old node that is master, alive or not; {@code null} if none is
 * @param keyRenewedUntil when the key ends unless an old node renews it; {@code null} if no old node is master or the key does not end
 * @param noOldNodeFor how long no old node has been seen; {@code null} if this node has not looked yet
 * @param removable whether the bridge can be removed, since no old node has been seen for long
 * @param seenAt when this node looked, by the clock of the store; {@code null} if it has not looked yet
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record BridgeView(
        String election,
        String state,
        @Nullable String master,
        @Nullable Instant keyRenewedUntil,
        @Nullable String noOldNodeFor,
        boolean removable,
        @Nullable Instant seenAt)
        implements OperationResponseBody {

    static BridgeView of(Bridge bridge) {
        BridgeStatus status = bridge.status();
        if (status.state() == BridgeStatus.State.UNKNOWN) {
            return new BridgeView(
                    bridge.election(), "the key of the old scheduler was not read yet", null, null, null, false, null);
        }
        return new BridgeView(
                bridge.election(),
                state(status),
                status.oldMaster(),
                status.oldMaster() == null ? null : status.keyRenewedUntil(),
                ReadableDuration.of(status.quietFor()),
                status.removable(),
                status.at());
    }

    private static String state(BridgeStatus status) {
        if (status.oldMaster() != null) {
            return "waiting for the old master " + status.oldMaster()
                    + (status.keyRenewedUntil() == null
                            ? ", whose key does not end"
                            : ", key renewed until " + status.keyRenewedUntil());
        }
        if (status.removable()) {
            return "no old node was seen for " + ReadableDuration.of(status.quietFor()) + ": "
                    + ElectionBridgeAutoConfiguration.ACTIONS.remove();
        }
        return status.state() == BridgeStatus.State.ELECTION
                ? "this election holds the key of the old scheduler"
                : "no node holds the key of the old scheduler";
    }
}
