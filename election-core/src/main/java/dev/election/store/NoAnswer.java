package dev.election.store;

import dev.election.StoreProblem;

/**
 * The store did not answer, or answered with an error. Whether it carried the request out, or still will, is unknown: the
 * sender may only ask again.
 *
 * @param problem the kind of failure
 * @param detail the message of the store or the connection
 * @param action what is wrong and what to do with this store, in one sentence without a full stop
 */
public record NoAnswer(StoreProblem problem, String detail, String action)
        implements CampaignReply,
                RenewReply,
                ReleaseReply,
                EvictReply,
                ReadReply,
                AnnounceReply,
                BeatReply,
                LeaveReply,
                LedgerStore.CheckReply,
                LedgerStore.ReadReply,
                LedgerStore.OpenReply,
                LedgerStore.WriteReply {

    /** Creates the reply with the action that fits any store. */
    public NoAnswer(StoreProblem problem, String detail) {
        this(problem, detail, problem.action());
    }
}
