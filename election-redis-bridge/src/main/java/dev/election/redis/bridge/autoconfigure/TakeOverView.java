package dev.election.redis.bridge.autoconfigure;

import dev.election.redis.bridge.TakeOverReply;
import dev.election.support.ReadableDuration;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of a request to take the key from an old master.
 *
 * @param outcome the kind of result
 * @param detail the same in one sentence
 */
record TakeOverView(Outcome outcome, String detail) implements OperationResponseBody {

    static TakeOverView of(TakeOverReply reply, String master) {
        if (reply instanceof TakeOverReply.TakenOver) {
            return new TakeOverView(
                    Outcome.TAKEN_OVER, "The key was taken from " + master + "; a node of this election leads soon");
        }
        if (reply instanceof TakeOverReply.OtherMaster other) {
            return new TakeOverView(Outcome.OTHER_MASTER, "The old master is " + other.master() + ", not " + master);
        }
        if (reply instanceof TakeOverReply.NoMaster) {
            return new TakeOverView(Outcome.NO_MASTER, "No node of the old scheduler is master");
        }
        if (reply instanceof TakeOverReply.Locked locked) {
            return new TakeOverView(
                    Outcome.BUSY,
                    "Nothing was changed: an old node holds the lock of the old scheduler. It elects a master, or has crashed meanwhile."
                            + " The lock ends within " + ReadableDuration.of(locked.left()) + ": try again then");
        }
        TakeOverReply.Unanswered unanswered = (TakeOverReply.Unanswered) reply;
        return unknown(unanswered.why().action() + " (" + unanswered.why().detail() + ")");
    }

    static TakeOverView unknown(String why) {
        return new TakeOverView(Outcome.UNKNOWN, "It is unknown whether the key was taken: " + why);
    }

    /** The kind of result, and its HTTP status. */
    public enum Outcome {
        /** The old master is no master any more. */
        TAKEN_OVER(200),
        /** Another old node is master; nothing changed. */
        OTHER_MASTER(409),
        /** No old node is master; nothing changed. */
        NO_MASTER(409),
        /** An old node elects; nothing changed. */
        BUSY(409),
        /** Redis did not answer: the key may have been taken. */
        UNKNOWN(503);

        final int status;

        Outcome(int status) {
            this.status = status;
        }
    }
}
