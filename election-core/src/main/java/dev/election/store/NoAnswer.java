package dev.election.store;

import dev.election.StoreProblem;

/**
 * The store did not answer, or answered with an error. Whether it carried the request out, or still will, is unknown: the
 * sender may only ask again.
 *
 * @param problem what kind of failure
 * @param detail what the store or the connection said
 */
public record NoAnswer(StoreProblem problem, String detail)
        implements CampaignReply,
                RenewReply,
                ReleaseReply,
                EvictReply,
                ReadReply,
                AnnounceReply,
                Logbook.CheckReply,
                Logbook.OpenReply,
                Logbook.WriteReply {}
