package dev.election.record;

import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.RenewReply;
import java.util.OptionalInt;

/** What a store says that keeps no order of its candidates. */
public final class NoOrder {

    private NoOrder() {}

    public static CampaignReply in(CampaignReply reply) {
        if (reply instanceof Held held) {
            return in(held);
        }
        return reply instanceof CampaignReply.Wait wait
                ? new CampaignReply.Wait(wait.remaining(), OptionalInt.empty())
                : reply;
    }

    public static RenewReply in(RenewReply reply) {
        return reply instanceof RenewReply.Lost lost && lost.holder() != null
                ? new RenewReply.Lost(in(lost.holder()), lost.cooldown())
                : reply;
    }

    private static Held in(Held held) {
        return new Held(held.leader(), held.remaining(), OptionalInt.empty(), held.application());
    }
}
