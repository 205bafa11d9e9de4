package dev.election.redis.bridge.autoconfigure;

import dev.election.autoconfigure.internal.watch.OldScheduler;
import dev.election.autoconfigure.internal.watch.OldScheduler.TakeOver.Outcome;
import dev.election.redis.bridge.Bridge;
import dev.election.redis.bridge.BridgeStatus;
import dev.election.redis.bridge.TakeOverReply;
import dev.election.support.ReadableDuration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Shows the bridge to those who watch the elections. */
final class BridgedScheduler implements OldScheduler {

    private final Bridge bridge;
    private final Supplier<String> node;

    BridgedScheduler(Bridge bridge, Supplier<String> node) {
        this.bridge = bridge;
        this.node = node;
    }

    @Override
    public Optional<View> of(String election) {
        return election.equals(bridge.election()) ? Optional.of(view(bridge.status())) : Optional.empty();
    }

    @Override
    public CompletionStage<TakeOver> takeOver(String election, String master) {
        return bridge.takeOver(node.get(), master).thenApply(reply -> result(reply, master));
    }

    private static View view(BridgeStatus status) {
        if (status.state() == BridgeStatus.State.UNKNOWN) {
            return new View("the key of the old scheduler was not read yet", null, null, null, false, null);
        }
        return new View(
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
            return "no old node was seen for " + ReadableDuration.of(status.quietFor())
                    + ": election.bridge.key can be removed";
        }
        return status.state() == BridgeStatus.State.ELECTION
                ? "this election holds the key of the old scheduler"
                : "no node holds the key of the old scheduler";
    }

    private static TakeOver result(TakeOverReply reply, String master) {
        if (reply instanceof TakeOverReply.TakenOver) {
            return new TakeOver(
                    Outcome.TAKEN_OVER, "The key was taken from " + master + "; a node of this election leads soon");
        }
        if (reply instanceof TakeOverReply.OtherMaster other) {
            return new TakeOver(Outcome.OTHER_MASTER, "The old master is " + other.master() + ", not " + master);
        }
        if (reply instanceof TakeOverReply.NoMaster) {
            return new TakeOver(Outcome.NO_MASTER, "No node of the old scheduler is master");
        }
        if (reply instanceof TakeOverReply.Locked locked) {
            return new TakeOver(
                    Outcome.BUSY,
                    "Nothing was changed: an old node holds the lock of the old scheduler. It elects a master, or has crashed meanwhile."
                            + " The lock ends within " + ReadableDuration.of(locked.left()) + ": try again then");
        }
        TakeOverReply.Unanswered unanswered = (TakeOverReply.Unanswered) reply;
        return new TakeOver(
                Outcome.UNKNOWN,
                "It is unknown whether the key was taken: " + unanswered.why().action() + " ("
                        + unanswered.why().detail() + ")");
    }
}
