package dev.election.store;

import dev.election.StoreProblem;

/**
 * The store did not answer, or answered with an error. Whether it carried the request out, or still will, is unknown: the
 * sender may only ask again.
 *
 * @param problem what kind of failure
 * @param detail what the store or the connection said
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

    /** With the action that holds for any store. */
    public NoAnswer(StoreProblem problem, String detail) {
        this(problem, detail, problem.action());
    }
}
