package dev.election.redis.bridge;

import dev.election.support.ReadableDuration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what changes at the old key, once for each change. */
final class BridgeLog {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final BridgeSettings settings;
    private final BridgeActions actions;
    private @Nullable String waitedFor;
    private boolean toldRemovable;

    BridgeLog(BridgeSettings settings, BridgeActions actions) {
        this.settings = settings;
        this.actions = actions;
    }

    synchronized void seen(BridgeStatus status) {
        String master = status.oldMaster();
        if (master != null && !master.equals(waitedFor)) {
            Instant end = status.keyRenewedUntil();
            log.info(
                    "Election '{}' waits for the old master {}, and nobody leads it: that node holds the key {}, which {}. If that node is"
                            + " gone, {}{}",
                    settings.election(),
                    master,
                    settings.key(),
                    end == null ? "has no end" : "ends at " + end + " unless an old node renews it",
                    actions.takeOver(),
                    master);
        }
        if (master == null && waitedFor != null) {
            log.info("Election '{}' waits no longer for the old master {}", settings.election(), waitedFor);
        }
        waitedFor = master;
        if (status.removable() && !toldRemovable) {
            log.info(
                    "No node of the old scheduler has renewed the key {} or held it for {}: {}",
                    settings.key(),
                    ReadableDuration.of(status.quietFor()),
                    actions.remove());
        }
        toldRemovable = status.removable();
    }

    void overwritten(KeyReply seen) {
        log.warn(
                "The old node {} has made itself master in the key {} while this node led election '{}', probably after a pause that was"
                        + " longer than its lock lasts. This node gives up leadership. Both may have worked for a moment",
                seen.shown(),
                settings.key(),
                settings.election());
    }

    void shared() {
        log.warn(
                "Another election writes its mark into the key {}, too, so this node gives up leadership of election '{}': only one"
                        + " election, with one key prefix, can replace the old scheduler",
                settings.key(),
                settings.election());
    }

    void takenOver(String node, String master) {
        log.warn(
                "Node {} has taken the key {} from the old master {} for election '{}', by request",
                node,
                settings.key(),
                master,
                settings.election());
    }
}
